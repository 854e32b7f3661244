#if HTTP
  import BatonPostgres
  import ChallengesSQL
  import Foundation
  import TestSupport
  import Testing

  /// The OpenAPI description of the server, compared with the SQL API and with real responses.
  @Suite(.timeLimit(.minutes(5))) struct APIDescriptionTests {
    /// The functions of the SQL API that only a server may call, and that no route calls.
    private static let ofServers: Set = ["find_user", "observe", "stop_observing"]

    @Test(.sampled())
    func `each function of the SQL API has a route, and each route does as described`()
      async throws
    {
      let place = try await APIPlace.made()
      let ann = try await place.issuer.token("description-ann")
      let ben = try await place.issuer.token("description-ben")
      let cem = try await place.issuer.token("description-cem")
      try await place.with { _, client in
        var tour = try await APITour(client)
        #expect(tour.functions == Set(SQL.challenges.api).subtracting(Self.ofServers))
        try tour.expectTables(in: "docs/gymrats/http-routes.md")
        try await tour.expectRefusals()
        try await tour.run(ann: ann, ben: ben, cem: cem)
        #expect(tour.missing == [])
      }
    }
  }

  extension APITour {
    fileprivate mutating func run(ann: String, ben: String, cem: String) async throws {
      let group = "description-group"
      let code = "a123456789abcdef0123456789abcdef"
      for token in [ann, ben, cem] { try await ask("POST /v1/sign-in", as: token, "{}") }
      try await sessions(of: ann)
      let me = try await ask("GET /v1/me", as: ben)
      let id = try #require(me["id"] as? String)
      try await ask(
        "PUT /v1/me/profile", as: ann, #"{"displayName":"Ann","photoURL":"https://a.test/a"}"#)
      try await ask("PUT /v1/me/privacy", as: ann, #"{"shareWorkoutData":true}"#)
      try await ask("PUT /v1/me/time-zone", as: ann, #"{"timeZone":"Europe/Athens"}"#)
      try await ask("GET /v1/me/beta", as: ann)
      try await pushes("rank_change", as: ann)
      try await ask(
        "POST /v1/groups", as: ann, #"{"name":"Gym"}"#, fields: ["Idempotency-Key: \(group)"])
      try await ask(
        "POST /v1/groups/{group}/invites", "/v1/groups/\(group)/invites", as: ann,
        #"{"code":"\#(code)"}"#)
      try await ask("POST /v1/invite-codes/preview", as: ben, #"{"code":"\#(code)"}"#)
      try await ask("POST /v1/invite-codes/join", as: ben, #"{"code":"\#(code)"}"#)
      try await client.done("POST", "/v1/invite-codes/join", as: cem, #"{"code":"\#(code)"}"#)
      try await ask("GET /v1/groups/{group}/invites", "/v1/groups/\(group)/invites", as: ann)
      let other = try await client.done("POST", "/v1/groups/\(group)/invites", as: ben, "{}")
      try await ask(
        "DELETE /v1/invites/{invite}", "/v1/invites/\(other["id"] as? String ?? "")", as: ben)
      try await ask(
        "PUT /v1/groups/{group}", "/v1/groups/\(group)", as: ann, #"{"name":"Club"}"#)
      try await ask("GET /v1/groups/{group}", "/v1/groups/\(group)", as: ben)
      try await ask("GET /v1/groups/{group}/members", "/v1/groups/\(group)/members", as: ben)
      try await ask(
        "PUT /v1/groups/{group}/muted", "/v1/groups/\(group)/muted", as: ben, #"{"isMuted":true}"#)
      try await safety(group, as: ann, about: id)
      try await boards(group, as: ann)
      try await own(as: ann)
      try await ask(
        "POST /v1/groups/{group}/members/{user}/promote",
        "/v1/groups/\(group)/members/\(id)/promote", as: ann)
      try await ask("POST /v1/groups/{group}/leave", "/v1/groups/\(group)/leave", as: cem)
      try await ask(
        "DELETE /v1/groups/{group}/members/{user}", "/v1/groups/\(group)/members/\(id)", as: ann)
      try await ask("DELETE /v1/groups/{group}", "/v1/groups/\(group)", as: ann)
      try await ask("DELETE /v1/me", as: ann)
    }

    private mutating func safety(
      _ group: String, as token: String, about user: String
    ) async throws {
      let (route, path) = ("/v1/me/blocks/{user}", "/v1/me/blocks/\(user)")
      try await ask("PUT \(route)", path, as: token)
      try await ask("GET /v1/me/blocks", as: token)
      let blocked = try await client.send("GET", "/v1/me/blocks", as: token)
      #expect(blocked.body.contains(user))
      try await ask(
        "POST /v1/reports", as: token,
        #"{"groupId":"\#(group)","userId":"\#(user)","reason":"spam","note":"Hm"}"#,
        fields: ["Idempotency-Key: \(UUID().uuidString)"])
      let export = try await ask("GET /v1/me/export", as: token)
      #expect((export["blocks"] as? [Any])?.count == 1)
      #expect((export["reports"] as? [[String: Any]])?.first?["note"] as? String == "Hm")
      try await ask("DELETE \(route)", path, as: token)
    }

    private mutating func sessions(of token: String) async throws {
      let begun = try await ask("POST /v1/session", as: token, #"{"device":"Phone"}"#)
      let next = try await ask(
        "POST /v1/session/refresh", as: nil,
        #"{"refreshToken":"\#(begun["refreshToken"] as? String ?? "")"}"#)
      try await ask("DELETE /v1/session", as: next["accessToken"] as? String)
      #expect(try await ask("DELETE /v1/me/sessions", as: token)["count"] as? Int == 0)
    }

    private mutating func boards(_ group: String, as token: String) async throws {
      let route = "GET /v1/groups/{group}/boards/{type}"
      let board = try await ask(route, "/v1/groups/\(group)/boards/check-ins", as: token)
      let streak = try await ask(route, "/v1/groups/\(group)/boards/streak", as: token)
      let ids = [board, streak].map { ($0["challenge"] as? [String: Any])?["id"] as? String ?? "" }
      try await follow("\(route)/stream", "/v1/groups/\(group)/boards/streak/stream", as: token)
      try await ask("POST /v1/stream-tickets", as: token)
      try await ask(
        "GET /v1/groups/{group}/challenges", "/v1/groups/\(group)/challenges", as: token)
      try await ask(
        "POST /v1/challenges/{challenge}/check-ins", "/v1/challenges/\(ids[0])/check-ins",
        as: token, fields: ["Idempotency-Key: w0"])
      try await ask(
        "GET /v1/challenges/{challenge}/entries", "/v1/challenges/\(ids[0])/entries", as: token)
      // The server derives streaks by default, so this route is only refused.
      seen.insert("PUT /v1/challenges/{challenge}/streak")
      let refused = try await client.send(
        "PUT", "/v1/challenges/\(ids[1])/streak", as: token, #"{"streakDays":1}"#)
      #expect(refused.refusal == "409 streakIsDerived")
    }

    private mutating func own(as token: String) async throws {
      try await ask("PUT /v1/workouts/{workout}", "/v1/workouts/w1", as: token, "{}")
      try await ask("DELETE /v1/workouts/{workout}", "/v1/workouts/w1?revision=1", as: token)
      // Two members have joined, so the page of one notification has a next page.
      let page = try await ask("GET /v1/notifications", "/v1/notifications?limit=1", as: token)
      let found = page["notifications"] as? [[String: Any]] ?? []
      #expect(found.count == 1)
      let next = try await ask(
        "GET /v1/notifications", "/v1/notifications?before=\(page["next"] as? String ?? "")",
        as: token)
      #expect((next["notifications"] as? [Any])?.count == 1 && next["next"] == nil)
      #expect(try await ask("GET /v1/notifications/badge", as: token)["count"] as? Int == 2)
      try await ask(
        "POST /v1/notifications/read", as: token,
        #"{"ids":["\#(found[0]["id"] as? String ?? "")"]}"#)
      #expect(try await ask("GET /v1/notifications/badge", as: token)["count"] as? Int == 1)
      let stream = "/v1/notifications/badge/stream"
      try await follow("GET \(stream)", stream, as: token)
      try await ask(
        "POST /v1/events", as: token,
        #"{"id":"\#(UUID().uuidString)","kind":"boardFetched","milliseconds":20}"#)
    }
  }
#endif

#if HTTP
  import BatonPostgres
  import Foundation
  import PresenceSQL
  import TestSupport
  import Testing

  /// Tests the OpenAPI description of `whosthere api` against the SQL API and real responses.
  @Suite(.timeLimit(.minutes(5))) struct WhosThereAPIDescriptionTests {
    /// The functions of the SQL API that only a server may call, and that no route calls.
    private static let ofServers: Set = ["user_of_session", "observe", "stop_observing"]

    @Test(.sampled())
    func `each function of Who's There has a route, and each route does as described`()
      async throws
    {
      let place = try await APIPlace.there()
      let (ben, cem) = (
        try await place.issuer.token("there-description-ben"),
        try await place.issuer.token("there-description-cem")
      )
      try await place.with { _, client in
        var tour = try await APITour(client)
        #expect(tour.functions == Set(SQL.presence.api).subtracting(Self.ofServers))
        try tour.expectTables(in: "docs/whosthere/http-routes.md")
        try await tour.expectRefusals()
        let (mine, other) = ("there-description-group", "there-description-other")
        let ann = try await tour.begin("anonymous", String(repeating: "0d", count: 32))
        let admin = try await tour.begin("apple", ben)
        let guest = try await tour.begin("apple", cem)
        try await tour.accounts(ann)
        try await tour.groups(mine, other, of: admin, with: ann)
        try await tour.invites(other, of: admin, for: guest)
        try await tour.visit(mine, as: ann)
        try await place.place.run(
          """
          insert into unlock (user_id, achievement, unlocked_at, points)
          values ('\(ann.user)', 'firstCheckIn', now(), 10) on conflict do nothing
          """)
        try await tour.own(as: ann)
        try await tour.chat(in: mine, as: ann)
        try await tour.safety(in: mine, as: ann, about: admin)
        let apple = try await place.issuer.token("there-description-ann")
        try await tour.end(mine, other, admin: admin, member: ann, guest: guest, link: apple)
        #expect(tour.missing == [])
      }
    }
  }

  extension APITour {
    fileprivate typealias Phone = (token: String, user: String)

    private static let shape =
      #"{"type":"circle","center":{"latitude":52.5,"longitude":13.4},"radius":100}"#

    private static func group(_ name: String, isPublic: Bool, _ more: String = "") -> String {
      #"{"name":"\#(name)","shape":\#(shape),"timeZone":"Europe/Berlin","isPublic":\#(isPublic)\#(more)}"#
    }

    fileprivate mutating func begin(_ provider: String, _ secret: String) async throws -> Phone {
      let answer = try await ask(
        "POST /v1/sign-in", as: nil,
        #"{"provider":"\#(provider)","secret":"\#(secret)","device":"phone"}"#)
      let user = answer["user"] as? [String: Any]
      return (try #require(answer["token"] as? String), try #require(user?["id"] as? String))
    }

    fileprivate mutating func accounts(_ ann: Phone) async throws {
      #expect(try await ask("GET /v1/me", as: ann.token)["id"] as? String == ann.user)
      let changed = try await ask(
        "PUT /v1/me/profile", as: ann.token,
        #"{"displayName":"Ann","photoURL":"https://a.test/a","timeZone":"Europe/Athens"}"#)
      #expect(changed["displayName"] as? String == "Ann" && changed["isAnonymous"] as? Bool == true)
    }

    fileprivate mutating func groups(
      _ mine: String, _ other: String, of admin: Phone, with ann: Phone
    ) async throws {
      let place = #"{"place":{"latitude":52.5,"longitude":13.4},"radius":2000}"#
      try await ask(
        "POST /v1/groups", as: admin.token, Self.group("Chess", isPublic: true),
        fields: ["Idempotency-Key: \(mine)"])
      // A second public group, so that the page of one group has a next page.
      try await client.done(
        "POST", "/v1/groups", as: admin.token, Self.group("Darts", isPublic: true),
        fields: ["Idempotency-Key: \(mine)-2"])
      try await client.done(
        "POST", "/v1/groups", as: admin.token, Self.group("Private", isPublic: false),
        fields: ["Idempotency-Key: \(other)"])
      let path = "GET /v1/public-groups"
      let page = try await ask(path, "/v1/public-groups?limit=1", as: ann.token)
      let next = try #require(page["next"] as? String)
      let second = try await ask(
        path, "/v1/public-groups?limit=1&after=\(next)", as: ann.token)
      let ids = [page, second].map { page in
        (page["groups"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
      }
      #expect(ids.map(\.count) == [1, 1] && ids[0] != ids[1])
      let near = try await client.send("POST", "/v1/nearby-groups", as: ann.token, place)
      #expect(near.body.contains(mine) && !near.body.contains(other))
      try await ask("POST /v1/nearby-groups", as: ann.token, place)
      try await ask("GET /v1/groups/{group}", "/v1/groups/\(mine)", as: ann.token)
      let changed = try await ask(
        "PUT /v1/groups/{group}", "/v1/groups/\(mine)", as: admin.token,
        Self.group("Chess", isPublic: true, #","maxMembers":9"#))
      #expect(changed["maxMembers"] as? Int == 9)
      try await ask("POST /v1/groups/{group}/join", "/v1/groups/\(mine)/join", as: ann.token)
      try await ask("GET /v1/groups", as: ann.token)
      try await ask("GET /v1/groups/{group}/members", "/v1/groups/\(mine)/members", as: ann.token)
      let found = try await client.send(
        "POST", "/v1/users/find", as: ann.token,
        #"{"ids":["\#(ann.user)","\#(admin.user)","nobody"]}"#)
      #expect(found.body.contains(admin.user) && !found.body.contains("nobody"))
      try await ask("POST /v1/users/find", as: ann.token, #"{"ids":["\#(ann.user)"]}"#)
    }

    fileprivate mutating func invites(
      _ group: String, of admin: Phone, for guest: Phone
    ) async throws {
      let route = "PUT /v1/groups/{group}/invite"
      let path = "/v1/groups/\(group)/invite"
      let old = try #require(try await ask(route, path, as: admin.token)["code"] as? String)
      let rotation = #"{"replaces":"\#(old)","lifetime":3600}"#
      let rotate = "POST /v1/groups/{group}/invite/rotate"
      let new = try await ask(rotate, "\(path)/rotate", as: admin.token, rotation)
      let again = try await ask(rotate, "\(path)/rotate", as: admin.token, rotation)
      #expect(new["code"] as? String != old && again["code"] as? String == new["code"] as? String)
      let code = try #require(new["code"] as? String)
      let joined = try await ask(
        "POST /v1/invite-codes/redeem", as: guest.token, #"{"code":"\#(code.lowercased())"}"#)
      #expect(joined["id"] as? String == group)
    }

    fileprivate mutating func visit(_ group: String, as ann: Phone) async throws {
      let now = Date().formatted(.iso8601)
      let answer = try await ask(
        "POST /v1/presence-commands", as: ann.token,
        """
        {"id":"\(UUID().uuidString)","groupId":"\(group)","action":"checkIn","source":"manual",\
        "device":"phone","at":"\(now)","stay":3600,"position":\
        {"coordinate":{"latitude":52.5,"longitude":13.4},"accuracy":10,"at":"\(now)"}}
        """)
      #expect(answer["outcome"] as? String == "accepted")
      let place = try await ask(
        "GET /v1/groups/{group}/presence", "/v1/groups/\(group)/presence", as: ann.token)
      #expect((place["own"] as? [String: Any])?["isPresent"] as? Bool == true)
      try await follow(
        "GET /v1/groups/{group}/presence/stream", "/v1/groups/\(group)/presence/stream",
        as: ann.token)
      try await ask("POST /v1/stream-tickets", as: ann.token)
    }

    fileprivate mutating func own(as ann: Phone) async throws {
      let stats = try await ask("GET /v1/me/stats", as: ann.token)
      #expect(stats["checkIns"] as? Int == 1)
      try await ask("GET /v1/me/achievements", as: ann.token)
      let earned = try await client.send("GET", "/v1/me/achievements", as: ann.token)
      #expect(earned.body.contains(#""isNew":true"#))
      try await ask("GET /v1/me/achievements/progress", as: ann.token)
      try await ask(
        "POST /v1/me/achievements/acknowledge", as: ann.token, #"{"types":["firstCheckIn"]}"#)
      let shown = try await client.send("GET", "/v1/me/achievements", as: ann.token)
      // A worker may unlock another achievement meanwhile.
      #expect(shown.body.contains(#""isNew":false,"points":10,"type":"firstCheckIn""#))
      let watch = try await ask("GET /v1/me/watch", as: ann.token)
      #expect((watch["groups"] as? [[Any]])?.count == 1)
      try await pushes("message", as: ann.token)
    }

    fileprivate mutating func chat(in group: String, as ann: Phone) async throws {
      let (route, path) = ("/v1/groups/{group}/messages", "/v1/groups/\(group)/messages")
      let ids = [UUID(), UUID()].map { $0.uuidString.lowercased() }
      for id in ids {
        try await ask(
          "POST \(route)", path, as: ann.token, #"{"text":"Hello"}"#,
          fields: ["Idempotency-Key: \(id)"])
      }
      let page = try await ask("GET \(route)", "\(path)?limit=1", as: ann.token)
      let next = try #require(page["next"] as? String)
      let older = try await ask("GET \(route)", "\(path)?before=\(next)", as: ann.token)
      let found = [page, older].flatMap { $0["messages"] as? [[String: Any]] ?? [] }
      #expect(
        found.compactMap { ($0["id"] as? String)?.lowercased() } == [ids[1], ids[0]]
          && older["next"] == nil)
      try await follow("GET \(route)/stream", "\(path)/stream", as: ann.token)
      try await ask("DELETE \(route)/{message}", "\(path)/\(ids[0])", as: ann.token)
      let after = try await client.send("GET", path, as: ann.token)
      #expect(after.body.contains(#""isDeleted":true"#))
    }

    fileprivate mutating func safety(
      in group: String, as ann: Phone, about other: Phone
    ) async throws {
      let (route, path) = ("/v1/me/blocks/{user}", "/v1/me/blocks/\(other.user)")
      try await ask("PUT \(route)", path, as: ann.token)
      try await ask("GET /v1/me/blocks", as: ann.token)
      let blocked = try await client.send("GET", "/v1/me/blocks", as: ann.token)
      #expect(blocked.body.contains(other.user))
      try await ask(
        "POST /v1/reports", as: ann.token,
        #"{"groupId":"\#(group)","userId":"\#(other.user)","reason":"content"}"#,
        fields: ["Idempotency-Key: \(UUID().uuidString)"])
      let export = try await ask("GET /v1/me/export", as: ann.token)
      for (part, rows) in [("blocks", 1), ("reports", 1), ("messages", 2), ("visits", 1)] {
        #expect((export[part] as? [Any])?.count == rows, "\(part)")
      }
      try await ask("DELETE \(route)", path, as: ann.token)
    }

    fileprivate mutating func end(
      _ mine: String, _ other: String, admin: Phone, member ann: Phone, guest: Phone,
      link token: String
    ) async throws {
      let members = "/v1/groups/{group}/members/{user}"
      let path = "/v1/groups/\(mine)/members/\(ann.user)"
      try await ask("POST \(members)/promote", "\(path)/promote", as: admin.token)
      try await ask("DELETE \(members)", path, as: admin.token)
      try await ask("POST /v1/groups/{group}/leave", "/v1/groups/\(other)/leave", as: guest.token)
      try await ask("DELETE /v1/groups/{group}", "/v1/groups/\(mine)", as: admin.token)
      let linked = try await ask(
        "POST /v1/me/link", as: ann.token,
        #"{"provider":"apple","secret":"\#(token)","device":"phone"}"#)
      let user = linked["user"] as? [String: Any]
      // The account is new, so the user and the session stay the same.
      #expect(user?["id"] as? String == ann.user && user?["isAnonymous"] as? Bool == false)
      #expect(linked["token"] == nil)
      try await ask("DELETE /v1/session", as: guest.token)
      #expect(try await ask("DELETE /v1/me/sessions", as: ann.token)["count"] as? Int == 1)
      try await ask("DELETE /v1/me", as: admin.token)
      for phone in [ann, admin, guest] {
        let refused = try await client.send("GET", "/v1/me", as: phone.token)
        #expect(refused.refusal == "401 sessionExpired")
      }
    }
  }
#endif

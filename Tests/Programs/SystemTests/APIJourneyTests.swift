#if HTTP
  import Foundation
  import TestSupport
  import Testing

  /// Tests two phones and the server of GymRats' API, from the first sign-in to a board.
  @Suite(.timeLimit(.minutes(5))) struct APIJourneyTests {
    private static let group = "1b4e28ba-2fa1-11d2-883f-0016d3cca427"
    private static let code = "0123456789abcdef0123456789abcdef"

    @Test(.sampled())
    func `a workout of one phone is on the other phone's board, also if the server is killed`()
      async throws
    {
      let place = try await APIPlace.made()
      let ann = try await place.issuer.token("journey-ann")
      let ben = try await place.issuer.token("journey-ben")
      let cem = try await place.issuer.token("journey-cem")
      let board = "/v1/groups/\(Self.group)/boards/check-ins"
      let workout = #"{"utcOffsetSeconds":3600}"#
      var version = ""
      try await place.with { server, client in
        let early = try await client.send("GET", "/v1/me", as: ann)
        #expect(early.refusal == "401 notAuthenticated")
        #expect(
          early.object["next"] as? String
            == "Call POST /v1/sign-in with this token, and repeat the request.")
        let id = try await client.signIn(ann)
        #expect(try await client.signIn(ann) == id)
        for token in [ben, cem] { _ = try await client.signIn(token) }
        try await client.done("PUT", "/v1/me/profile", as: ann, #"{"displayName":"Ann"}"#)
        for _ in 1...2 { try await create(on: client, as: ann) }
        let other = try await client.send(
          "POST", "/v1/groups", as: ann, #"{"name":"Other"}"#,
          fields: ["Idempotency-Key: \(Self.group)"])
        #expect(
          other.refusal == "409 conflictingRepeat" && other.object["sqlState"] as? String == "ZG013"
        )
        try await client.done(
          "POST", "/v1/groups/\(Self.group)/invites", as: ann, #"{"code":"\#(Self.code)"}"#)
        let preview = try await client.done(
          "POST", "/v1/invite-codes/preview", as: ben, #"{"code":"\#(Self.code)"}"#)
        #expect(preview["memberCount"] as? Int == 1)
        try await client.done(
          "POST", "/v1/invite-codes/join", as: ben, #"{"code":"\#(Self.code)"}"#)
        let again = try await client.send(
          "POST", "/v1/invite-codes/join", as: ben, #"{"code":"\#(Self.code)"}"#)
        #expect(again.refusal == "409 alreadyInGroup")
        #expect(again.object["groupId"] as? String == Self.group)

        let empty = try await client.send("GET", board, as: ben)
        version = try #require(empty.fields["etag"])
        #expect(empty.fields["cache-control"] == "private, no-cache")
        let same = try await client.send(
          "GET", board, as: ben, fields: ["If-None-Match: \(version)"])
        #expect(same.status == 304 && same.body == "" && same.fields["etag"] == version)
        // The version of another viewer is not the viewer's own.
        let others = try await client.send(
          "GET", board, as: ann, fields: ["If-None-Match: \(version)"])
        #expect(others.status == 200)
        // A user who is not a member learns nothing from a version.
        let stranger = try await client.send(
          "GET", board, as: cem, fields: ["If-None-Match: \(version)"])
        #expect(stranger.refusal == "403 notAMember" && stranger.fields["etag"] == nil)

        let answer = try await client.done("PUT", "/v1/workouts/w1", as: ann, workout)
        #expect(answer["outcome"] as? String == "accepted")
        #expect(answer["isReplayed"] as? Bool == false)
        server.signal(SIGKILL)
        _ = try await server.wait()
      }
      try await place.place.gymrats(as: "worker").succeed("worker", "--until-idle")
      try await place.with { server, client in
        let answer = try await client.done("PUT", "/v1/workouts/w1", as: ann, workout)
        #expect(answer["isReplayed"] as? Bool == true)
        let read = try await client.send(
          "GET", board, as: ben, fields: ["If-None-Match: \(version)"])
        #expect(read.status == 200)
        let entries = try #require(read.object["entries"] as? [[String: Any]])
        #expect(entries.map { $0["displayName"] as? String } == ["Ann"])
        #expect(
          entries.map { $0["rank"] as? Int } == [1] && entries.map { $0["value"] as? Int } == [1])
        // A deleted account does not come back with a token that is still valid.
        try await client.done("DELETE", "/v1/me", as: cem)
        for _ in 1...2 {
          #expect(try await client.send("GET", "/v1/me", as: cem).refusal == "401 notAuthenticated")
        }
        server.signal(SIGTERM)
        #expect(try await server.wait(within: .seconds(10)).status == 0)
      }
    }

    private func create(on client: APIClient, as token: String) async throws {
      let group = try await client.done(
        "POST", "/v1/groups", as: token, #"{"name":"Gym"}"#,
        fields: ["Idempotency-Key: \(Self.group)"])
      #expect(group["id"] as? String == Self.group && group["memberCount"] as? Int == 1)
    }
  }
#endif

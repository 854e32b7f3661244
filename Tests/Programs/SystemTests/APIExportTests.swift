#if HTTP
  import BatonPostgres
  import Foundation
  import TestSupport
  import Testing

  /// Tests the export of a user's data over HTTP.
  @Suite(.timeLimit(.minutes(5))) struct APIExportTests {
    @Test(.sampled()) func `an export arrives in chunks, with all rows, as one JSON document`()
      async throws
    {
      let place = try await APIPlace.made()
      let token = try await place.issuer.token("export-ann")
      try await place.with { _, client in
        let ann = try await client.signIn(token)
        try await place.place.run(
          """
          insert into workout (user_id, workout_id, revision, performed_at, utc_offset_s, local_date,
            week_start, counted, outcome, received_at)
          select '\(ann)', 'w"\\ü' || n, 0, now(), 0, '2024-06-05', '2024-06-03', false,
            'noActiveGroup', now()
          from generate_series(1, 1000) n
          """)
        let export = try await client.send("GET", "/v1/me/export", as: token)
        #expect(export.status == 200 && export.fields["transfer-encoding"] == "chunked")
        #expect(export.fields["content-length"] == nil)
        #expect(export.fields["content-type"] == "application/json")
        let workouts = try #require(export.object["workouts"] as? [[String: Any]])
        #expect(Set(workouts.compactMap { $0["workout_id"] as? String }).count == 1_000)
        #expect(workouts.contains { $0["workout_id"] as? String == #"w"\ü1000"# })
        let account = export.object["account"] as? [[String: Any]]
        #expect(account?.first?["id"] as? String == ann)
        // A response to HEAD has no body, and a refusal before the first piece has its status.
        let head = try await client.send("HEAD", "/v1/me/export", as: token)
        #expect(head.status == 200 && head.body == "")
        #expect(
          try await client.send("GET", "/v1/me/export").refusal == "401 notAuthenticated")
        #expect(
          try await client.send("GET", "/v1/me/export?after=x", as: token).refusal
            == "422 invalidInput")
        try await client.done("DELETE", "/v1/me", as: token)
      }
    }

    @Test func `a phone cannot tell an invite of a blocker from an unknown invite`() async throws {
      let place = try await APIPlace.made()
      let ann = try await place.issuer.token("block-ann")
      let ben = try await place.issuer.token("block-ben")
      try await place.with { _, client in
        for token in [ann, ben] { _ = try await client.signIn(token) }
        let user = try await client.signIn(ben)
        try await client.done(
          "POST", "/v1/groups", as: ann, #"{"name":"Gym"}"#, fields: ["Idempotency-Key: blocks"])
        let (code, unknown) = (
          "b123456789abcdef0123456789abcdef", "c123456789abcdef0123456789abcdef"
        )
        try await client.done(
          "POST", "/v1/groups/blocks/invites", as: ann, #"{"code":"\#(code)"}"#)
        try await client.done("POST", "/v1/invite-codes/join", as: ben, #"{"code":"\#(code)"}"#)
        try await client.done("POST", "/v1/groups/blocks/leave", as: ben)
        try await client.done("PUT", "/v1/me/blocks/\(user)", as: ann)
        for path in ["/v1/invite-codes/preview", "/v1/invite-codes/join"] {
          let blocked = try await client.send("POST", path, as: ben, #"{"code":"\#(code)"}"#)
          let other = try await client.send("POST", path, as: ben, #"{"code":"\#(unknown)"}"#)
          #expect(blocked.refusal == "404 inviteInvalid")
          #expect(blocked.body == other.body)
        }
        for (path, refusal) in [
          ("/v1/me/blocks/nobody", "403 notAMember"),
          ("/v1/me/blocks/\(user)", "422 invalidInput"),
        ] {
          #expect(try await client.send("PUT", path, as: ben).refusal == refusal, "\(path)")
        }
        let report = #"{"groupId":"blocks","userId":"\#(user)","reason":"spam"}"#
        for (key, body, refusal) in [
          ("x", report, "422 invalidInput"),
          (UUID().uuidString, report.replacing("spam", with: "Spam"), "422 invalidInput"),
        ] {
          let answer = try await client.send(
            "POST", "/v1/reports", as: ann, body, fields: ["Idempotency-Key: \(key)"])
          #expect(answer.refusal == refusal)
        }
        for token in [ann, ben] { try await client.done("DELETE", "/v1/me", as: token) }
      }
    }
  }
#endif

#if HTTP
  import BatonPostgres
  import Foundation
  import JWTKit
  import TestSupport
  import Testing

  /// Tests the session tokens that GymRats' API issues.
  @Suite(.timeLimit(.minutes(5))) struct APISessionTests {
    /// The tokens in a response.
    private struct Tokens: Equatable {
      let access, refresh: String

      init(_ fields: [String: Any]) throws {
        access = try #require(fields["accessToken"] as? String)
        refresh = try #require(fields["refreshToken"] as? String)
      }
    }

    /// The claims of an access token that a test signs itself.
    private struct Claims: JWTPayload {
      var iss = "urn:gymrats:session"
      var sub: String
      var sid = UUID().uuidString
      var exp = Date().timeIntervalSince1970 + 60

      func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private func begin(_ client: APIClient, _ token: String) async throws -> (Tokens, user: String)
    {
      let begun = try await client.done("POST", "/v1/session", as: token, #"{"device":"Phone"}"#)
      let user = begun["user"] as? [String: Any]
      return (try Tokens(begun), try #require(user?["id"] as? String))
    }

    private func refresh(_ client: APIClient, _ token: String) async throws -> HTTPClient.Answer {
      try await client.send(
        "POST", "/v1/session/refresh", as: nil, #"{"refreshToken":"\#(token)"}"#)
    }

    @Test(.sampled()) func `a device signs in once, refreshes, and signs out`() async throws {
      let place = try await APIPlace.made()
      let apple = try await place.issuer.token("session-ann")
      try await place.with(["BATON_API_SESSION_SECONDS": "1"]) { server, client in
        let (phone, user) = try await begin(client, apple)
        let (tablet, same) = try await begin(client, apple)
        #expect(user == same && phone != tablet)
        let me = try await client.send("GET", "/v1/me", as: phone.access)
        // A slow machine may need longer than the token's lifetime.
        #expect(me.object["id"] as? String == user || me.status == 401, "\(me.body)")
        try await expired(phone.access, client)
        let refused = try await client.send("GET", "/v1/me", as: phone.access)
        #expect(
          refused.object["next"] as? String
            == "Send the refresh token to POST /v1/session/refresh, and repeat the request.")
        let answer = try await refresh(client, phone.refresh)
        #expect(answer.status == 200 && answer.object["user"] == nil, "\(answer.body)")
        let next = try Tokens(answer.object)
        #expect(next.refresh != phone.refresh && next.access != phone.access)

        // The provider's token ends the sessions on all devices.
        let ended = try await client.done("DELETE", "/v1/me/sessions", as: apple)
        #expect(ended["count"] as? Int == 2)
        for token in [next.refresh, tablet.refresh] {
          #expect(try await refresh(client, token).refusal == "401 notAuthenticated")
        }
        // The access token of an ended session is refused at the latest after its lifetime.
        try await expired(next.access, client)
        let log = server.errorsSoFar
        #expect(!log.contains(next.access) && !log.contains(next.refresh))
      }
      try await place.with { _, client in
        let (phone, _) = try await begin(client, apple)
        let (tablet, _) = try await begin(client, apple)
        for _ in 1...2 { try await client.done("DELETE", "/v1/session", as: phone.access) }
        #expect(try await refresh(client, phone.refresh).status == 401)
        #expect(try await refresh(client, tablet.refresh).status == 200)
        // After the account has been deleted, its tokens neither act nor restore the account.
        try await client.done("DELETE", "/v1/me", as: tablet.access)
        #expect(
          try await client.send("GET", "/v1/me", as: tablet.access).refusal
            == "401 notAuthenticated")
      }
    }

    @Test(.sampled()) func `a stream that ends with the access token names the refresh`()
      async throws
    {
      let place = try await APIPlace.made()
      let apple = try await place.issuer.token("session-stream")
      // The streams must be open before the token expires, on a slow machine too.
      try await place.with(["BATON_API_SESSION_SECONDS": "10"]) { _, client in
        let (tokens, _) = try await begin(client, apple)
        let badge = "/v1/notifications/badge/stream"
        let ticket = try await client.ticket(as: tokens.access)
        let streams = [
          try await client.stream(badge, as: tokens.access),
          try await client.stream("\(badge)?ticket=\(ticket)"),
        ]
        for stream in streams {
          try await eventually("the end of the stream") { stream.isEnded }
          let last = try #require(stream.events.last)
          #expect(last.name == "end" && last.object["code"] as? String == "notAuthenticated")
          #expect(
            last.object["next"] as? String
              == "Send the refresh token to POST /v1/session/refresh, and repeat the request.")
        }
      }
    }

    @Test func `an access token that outlives its session registers no device for pushes`()
      async throws
    {
      let place = try await APIPlace.made()
      let apple = try await place.issuer.token("session-device")
      try await place.with { _, client in
        let (phone, _) = try await begin(client, apple)
        let device = #"{"platform":"fcm","token":"session-device"}"#
        try await client.done("POST", "/v1/me/devices", as: phone.access, device)
        try await client.done("DELETE", "/v1/me/sessions", as: phone.access)
        let again = try await client.send("POST", "/v1/me/devices", as: phone.access, device)
        #expect(again.refusal == "401 notAuthenticated", "\(again.body)")
        // The access token is still valid, so another route accepts it.
        let devices = try await client.send("GET", "/v1/me/devices", as: phone.access)
        #expect(devices.status == 200 && devices.body == "[]", "\(devices.body)")
        try await client.done("POST", "/v1/me/devices", as: apple, device)
      }
    }

    /// A client refreshes its token after a 401, so the status is 403.
    @Test func `a token of another user gets its own code, and of a new account none`()
      async throws
    {
      let place = try await APIPlace.made()
      let apple = try await place.issuer.token("session-other-user")
      try await place.with { _, first in
        try await place.with { _, second in
          let (phone, user) = try await begin(first, apple)
          func ask(_ token: String, for user: String) async throws -> String {
            try await second.send("GET", "/v1/me", as: token, fields: ["Expected-User: \(user)"])
              .refusal
          }
          for token in [phone.access, apple] {
            #expect(try await ask(token, for: "other") == "403 otherUser")
            #expect(try await ask(token, for: user) == "200 ?")
          }
          // The second server still knows the deleted account of the token.
          try await first.done("DELETE", "/v1/me", as: apple)
          let new = try await first.signIn(apple)
          #expect(new != user)
          #expect(try await ask(apple, for: new) == "200 ?")
        }
      }
    }

    @Test func `a deleted account gets no ticket of a stream`() async throws {
      let place = try await APIPlace.made()
      let apple = try await place.issuer.token("session-ticket")
      try await place.with { _, client in
        let (phone, _) = try await begin(client, apple)
        // The server now knows the user of the provider's token without a query.
        for token in [phone.access, apple] { _ = try await client.ticket(as: token) }
        try await client.done("DELETE", "/v1/me", as: phone.access)
        for token in [phone.access, apple] {
          let answer = try await client.send("POST", "/v1/stream-tickets", as: token)
          #expect(answer.refusal == "401 notAuthenticated", "\(answer.body)")
        }
      }
    }

    @Test(.sampled()) func `a sign-in that waits for a lock does not delay another user's sign-in`()
      async throws
    {
      let place = try await APIPlace.made()
      let ann = try await place.issuer.token("session-waiting")
      let ben = try await place.issuer.token("session-passing")
      try await place.with { _, client in
        let (_, user) = try await begin(client, ann)
        let lock = try await RoleServer.connect()
        try await lock.script(
          Statement(
            "test/lock",
            "begin; select from \(place.place.schema).users where id = '\(user)' for update"))
        let process = Call.row(Statement("test/process", "select pg_backend_pid()::text")) {
          (row) throws(PostgresError) in try row.decode(String.self)
        }
        let pid = try await lock.run(process)
        func waiting() async throws -> [String] {
          try await place.place.rows(
            "select 'waits' from pg_stat_activity where \(pid) = any (pg_blocking_pids(pid))")
        }
        // After 5 s, the server gives up the waiting sign-in, so its end is not checked.
        async let blocked = try? begin(client, ann)
        try await eventually("a sign-in that waits") { try await waiting() == ["waits"] }
        try await expectTime(below: .seconds(4) * patience, "another user's sign-in") {
          _ = try await begin(client, ben)
        }
        try await lock.script(Statement("test/unlock", "rollback"))
        await lock.close()
        _ = await blocked
      }
    }

    private func expired(_ token: String, _ client: APIClient) async throws {
      try await eventually("the end of the access token") {
        try await client.send("GET", "/v1/me", as: token).refusal == "401 notAuthenticated"
      }
    }

    @Test func `a replaced refresh token ends the session, and a repeated refresh does not`()
      async throws
    {
      let place = try await APIPlace.made()
      let apple = try await place.issuer.token("session-ben")
      try await place.with { _, client in
        let (first, _) = try await begin(client, apple)
        async let one = refresh(client, first.refresh)
        async let other = refresh(client, first.refresh)
        let answers = try await [one, other]
        let tokens = try answers.map { try Tokens($0.object).refresh }
        #expect(tokens[0] == tokens[1])
        let last = try Tokens(try await refresh(client, tokens[0]).object)
        #expect(try await refresh(client, first.refresh).refusal == "401 notAuthenticated")
        #expect(try await refresh(client, last.refresh).refusal == "401 notAuthenticated")
        let short = try await refresh(client, "x")
        #expect(short.refusal == "422 invalidInput")
      }
    }

    @Test func `an access token that another party could have made is refused`() async throws {
      let place = try await APIPlace.made()
      let apple = try await place.issuer.token("session-cem")
      try await place.with { server, client in
        let (tokens, user) = try await begin(client, apple)
        let claims = Claims(sub: user)
        func signed(
          _ claims: Claims, key: String = APIPlace.sessionKey, kid: String = "first"
        ) async throws -> String {
          let keys = JWTKeyCollection()
          await keys.add(
            hmac: HMACKey(from: key), digestAlgorithm: .sha256, kid: JWKIdentifier(string: kid))
          return try await keys.sign(claims, kid: JWKIdentifier(string: kid))
        }
        func changed(_ change: (inout Claims) -> Void) async throws -> String {
          var other = claims
          change(&other)
          return try await signed(other)
        }
        let good = try await signed(claims)
        #expect(try await client.done("GET", "/v1/me", as: good)["id"] as? String == user)
        let parts = good.split(separator: ".").map(String.init)
        let foreign = JWTKeyCollection()
        await foreign.add(ecdsa: place.issuer.key, kid: "first")
        let refused: [String: String] = [
          "another key": try await signed(claims, key: String(repeating: "6f", count: 32)),
          "an unknown key":
            try await signed(claims, key: String(repeating: "6f", count: 32), kid: "other"),
          "a provider's key": try await foreign.sign(claims, kid: "first"),
          "no signature": "\(parts[0]).\(parts[1]).",
          "another payload": "\(parts[0]).\(tokens.access.split(separator: ".")[1]).\(parts[2])",
          "none": TestIssuer.url(Data(#"{"alg":"none","kid":"first"}"#.utf8).base64EncodedString())
            + ".\(parts[1]).",
          "expired": try await changed { $0.exp = Date().timeIntervalSince1970 - 1 },
          "no session": try await changed { $0.sid = "x" },
          "another issuer": try await changed { $0.iss = "https://issuer.test" },
          "no user": try await changed { $0.sub = "nobody" },
          "a refresh token": tokens.refresh,
        ]
        for (name, token) in refused {
          let answer = try await client.send("GET", "/v1/me", as: token)
          #expect(answer.refusal == "401 notAuthenticated", "\(name): \(answer.body)")
        }
        // An access token does not sign in.
        for path in ["/v1/sign-in", "/v1/session"] {
          let answer = try await client.send("POST", path, as: good, #"{"device":"Phone"}"#)
          #expect(answer.refusal == "401 notAuthenticated", "\(path)")
        }
        #expect(server.isRunning)
      }
    }

    @Test(.sampled()) func `a new key signs while the old key still verifies`() async throws {
      let place = try await APIPlace.made()
      let apple = try await place.issuer.token("session-dan")
      let (old, new) = (
        "old:\(String(repeating: "01", count: 32))", "new:\(String(repeating: "23", count: 32))"
      )
      let files = [
        try place.write(secret: old, to: "old-keys"),
        try place.write(secret: new, old, to: "both-keys"),
        try place.write(secret: new, to: "new-keys"),
      ]
      func with(
        _ number: Int, _ body: (APIClient) async throws -> Tokens
      ) async throws -> Tokens {
        try await place.with(["BATON_API_SESSION_KEYS_FILE": files[number]]) { _, client in
          try await body(client)
        }
      }
      func status(_ token: String, _ client: APIClient) async throws -> Int {
        try await client.send("GET", "/v1/me", as: token).status
      }
      let first = try await with(0) { client in try await begin(client, apple).0 }
      let second = try await with(1) { client in
        #expect(try await status(first.access, client) == 200)
        return try Tokens(try await refresh(client, first.refresh).object)
      }
      _ = try await with(2) { client in
        #expect(try await status(first.access, client) == 401)
        #expect(try await status(second.access, client) == 200)
        // The refresh token does not depend on the keys.
        return try Tokens(try await refresh(client, second.refresh).object)
      }
    }

    @Test(.sampled())
    func `without keys, the server issues no tokens and accepts those of providers`()
      async throws
    {
      let place = try await APIPlace.made()
      let apple = try await place.issuer.token("session-eve")
      let tokens = try await place.with { _, client in try await begin(client, apple).0 }
      try await place.with(["BATON_API_SESSION_KEYS_FILE": ""]) { _, client in
        let begun = try await client.send("POST", "/v1/session", as: apple, #"{"device":"Phone"}"#)
        #expect(begun.refusal == "404 noSuchPath")
        #expect(try await refresh(client, tokens.refresh).refusal == "404 noSuchPath")
        #expect(
          try await client.send("GET", "/v1/me", as: tokens.access).refusal
            == "401 notAuthenticated")
        #expect(try await client.send("GET", "/v1/me", as: apple).status == 200)
        let ended = try await client.send("DELETE", "/v1/session", as: apple)
        #expect(ended.refusal == "422 invalidInput")
      }
    }
  }
#endif

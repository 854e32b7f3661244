#if HTTP
  import BatonPostgres
  import Foundation
  import TestSupport
  import Testing

  /// Tests requests that the API refuses or limits, and that no request is lost.
  @Suite(.timeLimit(.minutes(5))) struct APIRequestTests {
    @Test(.sampled()) func `what is not as the description says is refused with a code`()
      async throws
    {
      let place = try await APIPlace.made()
      let ann = try await place.issuer.token("request-ann")
      let ben = try await place.issuer.token("request-ben")
      try await place.with { server, client in
        for token in [ann, ben] { _ = try await client.signIn(token) }
        let key = ["Idempotency-Key: request-group"]
        try await client.done("POST", "/v1/groups", as: ann, #"{"name":"Gym"}"#, fields: key)
        // In UTF-16, the character U+0122 contains the byte of a quotation mark.
        let utf16 = String(
          decoding: #"{"other":["\#u{122}",\#(deep(40))]}"#.utf16.flatMap {
            [UInt8($0 & 0xff), UInt8($0 >> 8)]
          }, as: UTF8.self)
        let refused: [(String, String, String?, String)] = [
          ("POST", "/v1/groups", #"{"name":"Gym"}"#, "422 invalidInput"),
          ("PUT", "/v1/workouts/w", #"{"performedAt":1}"#, "422 invalidInput"),
          ("PUT", "/v1/workouts/w", #"{"revision":1.5}"#, "422 invalidInput"),
          ("PUT", "/v1/workouts/w", #"{"revision":99999999999999999999}"#, "422 invalidInput"),
          ("PUT", "/v1/workouts/w", #"{"other":1}"#, "422 invalidInput"),
          ("PUT", "/v1/workouts/w", #"{"performedAt":"2026-02-30T00:00:00Z"}"#, "422 invalidInput"),
          ("PUT", "/v1/workouts/w", "[]", "400 invalidInput"),
          ("PUT", "/v1/workouts/w", "null", "400 invalidInput"),
          ("PUT", "/v1/workouts/w", many("{}", 21_000), "400 invalidInput"),
          ("POST", "/v1/notifications/read", #"{"ids":\#(many("1", 4_097))}"#, "400 invalidInput"),
          ("POST", "/v1/notifications/read", #"{"ids":\#(many("1", 4_000))}"#, "422 invalidInput"),
          ("POST", "/v1/session/refresh", #"{"x":\#(many("{}", 4_097))}"#, "400 invalidInput"),
          ("PUT", "/v1/workouts/w", "{", "400 invalidInput"),
          ("PUT", "/v1/workouts/w", "", "400 invalidInput"),
          ("PUT", "/v1/workouts/w", deep(40_000), "400 invalidInput"),
          ("PUT", "/v1/workouts/w", utf16, "400 invalidInput"),
          ("PUT", "/v1/workouts/w%00", "{}", "400 invalidInput"),
          ("PUT", "/v1/workouts/\(String(repeating: "w", count: 300))", "{}", "422 invalidInput"),
          ("PUT", "/v1/me/time-zone", #"{"timeZone":"Mars/Base"}"#, "422 invalidInput"),
          ("PUT", "/v1/me/profile", #"{"displayName":""}"#, "422 invalidInput"),
          ("PUT", "/v1/me/profile", #"{"displayName":"a\u0000b"}"#, "422 invalidInput"),
          ("GET", "/v1/notifications?limit=201", nil, "422 invalidInput"),
          ("GET", "/v1/notifications?limit=1&limit=2", nil, "422 invalidInput"),
          ("GET", "/v1/notifications?before=x", nil, "422 invalidInput"),
          ("GET", "/v1/notifications?page=2", nil, "422 invalidInput"),
          ("GET", "/v1/notifications?limit=%zz", nil, "400 invalidInput"),
          ("GET", "/v1/me", "{}", "400 invalidInput"),
          ("GET", "/v1/groups/request-group/boards/steps", nil, "422 invalidInput"),
          ("GET", "/v1/challenges/x/entries", nil, "404 challengeNotFound"),
          ("GET", "/v1/nothing", nil, "404 noSuchPath"), ("GET", "/v1/me/", nil, "404 noSuchPath"),
          ("PATCH", "/v1/me", nil, "405 otherMethod"), ("GET", "/metrics", nil, "404 noSuchPath"),
        ]
        for (method, path, body, expected) in refused {
          let answer = try await client.send(method, path, as: ann, body)
          #expect(answer.refusal == expected, "\(method) \(path.prefix(80)): \(answer.body)")
        }
        let ticket = try await client.send("POST", "/v1/stream-tickets", as: ann, "{}")
        #expect(ticket.refusal == "400 invalidInput")
        #expect(ticket.object["next"] as? String == "Send the request without a body.")
        // One character can consist of thousands of scalars, and an error names only its beginning.
        let wide = "{\"a\(String(repeating: "\u{301}", count: 20_000))\":1}"
        let named = try await client.send("PUT", "/v1/workouts/w", as: ann, wide)
        #expect(named.refusal == "422 invalidInput" && named.body.utf8.count < 2_000)
        let patch = try await client.send("PATCH", "/v1/me", as: ann)
        #expect(patch.fields["allow"] == "DELETE, GET, HEAD")
        // Commas and brackets in a text are not counted, and an object may begin after a blank.
        let name = String(repeating: "[,", count: 100)
        let ids = many(#""1""#, 1_000)
        try await client.done(
          "PUT", "/v1/me/profile", as: ann, #" {"displayName":"\#(name)"}"#)
        try await client.done("POST", "/v1/notifications/read", as: ann, #"{"ids":\#(ids)}"#)
        // Another user's group.
        for (method, path) in [
          ("GET", ""), ("DELETE", ""), ("GET", "/members"), ("GET", "/challenges"),
          ("GET", "/boards/streak"), ("GET", "/invites"), ("POST", "/leave"),
        ] {
          let answer = try await client.send(method, "/v1/groups/request-group\(path)", as: ben)
          #expect(answer.refusal == "403 notAMember", "\(method) \(path): \(answer.body)")
        }
        let body = "{\"name\":\"\(String(repeating: "x", count: 70_000))\"}"
        #expect(
          try await client.send("POST", "/v1/groups", as: ann, body).refusal == "413 invalidInput")
        let text = try await client.http.ask(
          "PUT /v1/workouts/w HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer \(ann)\r\n"
            + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}")
        #expect(text.refusal == "415 invalidInput")
        #expect(try await client.send("GET", "/v1/me", as: ann).status == 200 && server.isRunning)
      }
    }

    @Test func `users and addresses have limits, and a trusted proxy names the address`()
      async throws
    {
      let place = try await APIPlace.made()
      let ann = try await place.issuer.token("limit-ann")
      let ben = try await place.issuer.token("limit-ben")
      try await place.with([
        "BATON_API_USER_LIMIT": "3", "BATON_API_ADDRESS_LIMIT": "5",
        "BATON_HTTP_TRUSTED_PROXIES": "127.0.0.1",
      ]) { _, client in
        func ask(_ token: String, from address: String) async throws -> HTTPClient.Answer {
          try await client.send("GET", "/v1/me", as: token, fields: ["X-Forwarded-For: \(address)"])
        }
        for _ in 1...3 { #expect(try await ask(ann, from: "192.0.2.1").status == 401) }
        let fourth = try await ask(ann, from: "192.0.2.2")
        // A phone repeats a request with this code later.
        #expect(fourth.refusal == "429 networkUnavailable")
        #expect(Int(fourth.fields["retry-after"] ?? "").map { (1...20).contains($0) } == true)
        for _ in 1...2 { #expect(try await ask(ben, from: "192.0.2.1").status == 401) }
        #expect(try await ask(ben, from: "192.0.2.1").status == 429)
        #expect(try await ask("x", from: "192.0.2.1").status == 429)
        // The description is large, so the limit applies to it.
        let description = try await client.send(
          "GET", "/openapi.json", fields: ["X-Forwarded-For: 192.0.2.1"])
        #expect(description.status == 429)
        #expect(try await ask("x", from: "192.0.2.3").status == 401)
        #expect(try await client.send("GET", "/health/live").status == 200)
      }
    }

    @Test func `a request in progress ends before the server does, and health tells the state`()
      async throws
    {
      let place = try await APIPlace.made()
      let ann = try await place.issuer.token("stop-ann")
      let folder = try TemporaryFolder()
      let token = try folder.write("token", lines: ["0123456789abcdef0123"])
      try #require(chmod(token, 0o600) == 0)
      try await place.with(["BATON_HTTP_TOKEN_FILE": token]) { server, client in
        let id = try await client.signIn(ann)
        for path in ["live", "ready"] {
          #expect(try await client.send("GET", "/health/\(path)").status == 200)
        }
        let metrics = try await client.send("GET", "/metrics", as: "0123456789abcdef0123")
        #expect(
          metrics.body.contains(
            #"baton_api_requests_total{route="POST /v1/sign-in",status="200"} 1"#))
        let lock = try await RoleServer.connect()
        try await lock.script(
          Statement(
            "test/lock",
            "begin; select from \(place.place.schema).users where id = '\(id)' for update"))
        async let answer = client.send(
          "PUT", "/v1/me/profile", as: ann, #"{"displayName":"Ann"}"#)
        try await eventually("a call that waits") {
          try await place.place.rows(
            "select count(*)::text from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'gymrats api'"
          ) == ["1"]
        }
        server.signal(SIGTERM)
        try await eventually("no new connections") {
          do {
            return try await client.send("GET", "/health/live").status == 0
          } catch { return true }
        }
        try await lock.script(Statement("test/unlock", "rollback"))
        await lock.close()
        #expect(try await answer.status == 204)
        #expect(try await server.wait(within: .seconds(10)).status == 0)
      }
    }

    @Test(.sampled(), arguments: [false, true])
    func `a login that is locked later is an outage, and the log names the reason`(isThere: Bool)
      async throws
    {
      let place = try await isThere ? APIPlace.there() : APIPlace.made()
      let apple = try await place.issuer.token("outage-ann")
      let login = RoleServer.name("phones")
      try await RoleServer.administer(
        "create role \(login) login in role \(place.place.role("authenticator"))")
      try await place.with(["DATABASE_URL": try RoleServer.address(of: login)]) { server, client in
        var ann = apple
        if isThere {
          ann = try await client.begin("apple", apple).token
        } else {
          _ = try await client.signIn(apple)
        }
        #expect(try await client.send("GET", "/v1/me", as: ann).status == 200)
        let own = "from pg_stat_activity where usename = '\(login)'"
        try await RoleServer.administer(
          "alter role \(login) nologin", "select pg_terminate_backend(pid) \(own)")
        try await eventually("no connection of the login") {
          try await place.place.rows("select count(*)::text \(own)") == ["0"]
        }
        // The first request finds the lost connection, and the second one cannot open another.
        for _ in 1...2 {
          let answer = try await client.send("GET", "/v1/me", as: ann)
          // A phone repeats a request with this code later.
          #expect(answer.refusal == "503 networkUnavailable", "\(answer.body)")
          #expect(answer.fields["retry-after"] == "1" && !answer.body.contains(login))
        }
        let log = server.errorsSoFar
        #expect(log.contains("a call failed: "), "\(log)")
        #expect(log.contains("is not permitted to log in") && !log.contains(ann), "\(log)")
        try await RoleServer.administer("alter role \(login) login")
        #expect(try await client.send("GET", "/v1/me", as: ann).status == 200)
      }
      try await RoleServer.administer("drop role \(login)")
    }

    @Test(.sampled()) func `a second signal ends a server whose database hangs`()
      async throws
    {
      let place = try await APIPlace.made()
      let ann = try await place.issuer.token("hang-ann")
      let login = RoleServer.name("phones")
      try await RoleServer.administer(
        "create role \(login) login in role \(place.place.role("authenticator"))")
      try await place.with(["DATABASE_URL": try RoleServer.address(of: login)]) { server, client in
        let id = try await client.signIn(ann)
        let lock = try await RoleServer.connect()
        try await lock.script(
          Statement(
            "test/lock",
            "begin; select from \(place.place.schema).users where id = '\(id)' for update"))
        let body = #"{"displayName":"Ann"}"#
        let request = try await client.http.hold(
          "PUT /v1/me/profile HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ann)\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        defer { close(request) }
        var waiting: [String] = []
        try await eventually("a call that waits") {
          waiting = try await place.place.rows(
            "select pid::text from pg_stat_activity where usename = '\(login)' and wait_event_type = 'Lock'"
          )
          return waiting.count == 1
        }
        let backend = try #require(pid_t(waiting[0]))
        try #require(kill(backend, SIGSTOP) == 0)
        defer { kill(backend, SIGCONT) }
        server.signal(SIGTERM)
        try await eventually("no new connections") {
          do {
            return try await client.send("GET", "/health/live").status == 0
          } catch { return true }
        }
        server.signal(SIGTERM)
        #expect(try await server.wait(within: .seconds(10)).status == 75)
        kill(backend, SIGCONT)
        await lock.close()
      }
      try await RoleServer.administer("drop role \(login)")
    }

    /// Returns a list of equal values.
    private func many(_ value: String, _ count: Int) -> String {
      "[\(Array(repeating: value, count: count).joined(separator: ","))]"
    }

    private func deep(_ levels: Int) -> String {
      #"{"performedAt":"# + String(repeating: "[", count: levels / 2)
        + String(repeating: "]", count: levels / 2) + "}"
    }
  }
#endif

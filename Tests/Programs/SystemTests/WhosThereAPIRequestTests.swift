#if HTTP
  import Foundation
  import TestSupport
  import Testing

  /// Tests requests that `whosthere api` refuses or limits, and settings with which the command
  /// does not start.
  @Suite(.timeLimit(.minutes(5))) struct WhosThereAPIRequestTests {
    private static let shape =
      #"{"type":"circle","center":{"latitude":52.5,"longitude":13.4},"radius":100}"#

    private func group(_ shape: String = WhosThereAPIRequestTests.shape, isPublic: Bool = false)
      -> String
    {
      #"{"name":"G","shape":\#(shape),"timeZone":"UTC","isPublic":\#(isPublic)}"#
    }

    private func command(_ more: String, id: String = UUID().uuidString) -> String {
      #"{"id":"\#(id)","groupId":"there-private","source":"manual","device":"phone",\#(more)}"#
    }

    private func polygon(_ corners: [(Int, Int)]) -> String {
      let list = corners.map { #"{"latitude":\#($0.0),"longitude":\#($0.1)}"# }
      return #"{"type":"polygon","corners":[\#(list.joined(separator: ","))]}"#
    }

    @Test(.sampled())
    func `a request that differs from the description of Who's There is refused with a code`()
      async throws
    {
      let place = try await APIPlace.there()
      let apple = try await place.issuer.token("there-request-ann")
      try await place.with { server, client in
        let ann = try await client.begin("apple", apple).token
        let at = #""at":"\#(Date().formatted(.iso8601))""#
        let long = String(repeating: "x", count: 1_001)
        let refused: [(String, String, String?, String)] = [
          ("POST", "/v1/groups", group(), "422 invalidInput"),
          (
            "PUT", "/v1/groups/x", #"{"name":"G","isPublic":true,"timeZone":"UTC"}"#,
            "422 invalidInput"
          ),
          ("PUT", "/v1/me/profile", #"{"displayName":""}"#, "422 invalidInput"),
          ("PUT", "/v1/me/profile", #"{"displayName":"a\u0000b"}"#, "422 invalidInput"),
          (
            "PUT", "/v1/me/profile", #"{"displayName":"A","photoURL":"http://a.test"}"#,
            "422 invalidInput"
          ),
          (
            "PUT", "/v1/me/profile", #"{"displayName":"A","timeZone":"Mars/Base"}"#,
            "422 invalidInput"
          ),
          ("PUT", "/v1/me/profile", "[]", "400 invalidInput"),
          (
            "POST", "/v1/sign-in",
            #"{"x":[\#(String(repeating: "{},", count: 20_000)){}]}"#, "400 invalidInput"
          ),
          ("PUT", "/v1/me/profile", "{", "400 invalidInput"),
          ("PUT", "/v1/me/profile", "", "400 invalidInput"),
          (
            "POST", "/v1/nearby-groups", #"{"place":{"latitude":91,"longitude":0},"radius":1}"#,
            "422 invalidInput"
          ),
          (
            "POST", "/v1/nearby-groups", #"{"place":{"latitude":9,"longitude":0},"radius":-1}"#,
            "422 invalidInput"
          ),
          (
            "POST", "/v1/nearby-groups", #"{"place":{"latitude":"9","longitude":0},"radius":1}"#,
            "422 invalidInput"
          ),
          ("GET", "/v1/public-groups?after=x", nil, "422 invalidInput"),
          ("GET", "/v1/public-groups?limit=101", nil, "422 invalidInput"),
          ("GET", "/v1/public-groups?page=2", nil, "422 invalidInput"),
          ("GET", "/v1/public-groups?after=%zz", nil, "400 invalidInput"),
          ("GET", "/v1/groups/x/messages?before=x", nil, "422 invalidInput"),
          (
            "GET", "/v1/groups/x/messages?before=2026-01-15T09:30:00.000000Z_7", nil,
            "422 invalidInput"
          ),
          ("DELETE", "/v1/groups/x/messages/1", nil, "422 invalidInput"),
          (
            "POST", "/v1/presence-commands", command(#""action":"stay",\#(at)"#), "422 invalidInput"
          ),
          (
            "POST", "/v1/presence-commands", command(#""action":"checkOut","stay":60,\#(at)"#),
            "422 invalidInput"
          ),
          (
            "POST", "/v1/presence-commands", command(#""action":"checkIn","at":"yesterday""#),
            "422 invalidInput"
          ),
          (
            "POST", "/v1/presence-commands",
            command(#""action":"checkIn",\#(at)"#, id: String(repeating: "x", count: 36)),
            "422 invalidInput"
          ),
          (
            "POST", "/v1/presence-commands", command(#""action":"checkIn",\#(at)"#),
            "404 groupNotFound"
          ),
          (
            "POST", "/v1/me/achievements/acknowledge", #"{"types":["none"]}"#, "422 invalidInput"
          ),
          ("GET", "/v1/groups/nothing", nil, "404 groupNotFound"),
          ("GET", "/v1/groups/a%00b", nil, "400 invalidInput"),
          ("POST", "/v1/invite-codes/redeem", #"{"code":"no code"}"#, "404 inviteInvalid"),
          ("POST", "/v1/invite-codes/redeem", #"{"code":"AAAABBBBCCCCDDDD"}"#, "404 inviteInvalid"),
          (
            "POST", "/v1/groups/x/invite/rotate", #"{"replaces":"aaaabbbbccccdddd"}"#,
            "422 invalidInput"
          ),
          ("GET", "/v1/me", "{}", "400 invalidInput"),
          ("GET", "/v1/nothing", nil, "404 noSuchPath"),
          ("PATCH", "/v1/me", nil, "405 otherMethod"), ("GET", "/metrics", nil, "404 noSuchPath"),
        ]
        for (method, path, body, expected) in refused {
          let answer = try await client.send(method, path, as: ann, body)
          #expect(answer.refusal == expected, "\(method) \(path) \(body ?? ""): \(answer.body)")
        }
        let shapes = [
          #"{"type":"circle","radius":100}"#, #"{"type":"square"}"#, "null",
          Self.shape.replacing("100", with: "10"), polygon([(0, 0), (1, 1)]),
          polygon([(0, 0), (1, 1), (1, 0), (0, 1)]), polygon([(0, 0), (9, 0), (9, 9)]),
        ]
        for shape in shapes {
          let answer = try await client.send(
            "POST", "/v1/groups", as: ann, group(shape), fields: ["Idempotency-Key: there-shape"])
          #expect(answer.refusal == "422 invalidInput", "\(shape): \(answer.body)")
        }
        try await client.done(
          "POST", "/v1/groups", as: ann, group(), fields: ["Idempotency-Key: there-mine"])
        for (text, key, expected) in [
          ("", UUID().uuidString, "422 messageEmpty"),
          (" \\n ", UUID().uuidString, "422 messageEmpty"),
          (long, UUID().uuidString, "422 messageTooLong"), ("x", "no-uuid", "422 invalidInput"),
        ] {
          let answer = try await client.send(
            "POST", "/v1/groups/there-mine/messages", as: ann, #"{"text":"\#(text)"}"#,
            fields: ["Idempotency-Key: \(key)"])
          #expect(answer.refusal == expected, "\(answer.body)")
        }
        let large = #"{"displayName":"\#(String(repeating: "x", count: 70_000))"}"#
        #expect(
          try await client.send("PUT", "/v1/me/profile", as: ann, large).refusal
            == "413 invalidInput")
        #expect(try await client.send("GET", "/v1/me", as: ann).status == 200 && server.isRunning)
      }
    }

    /// The longitude 179.99999999999997 is next to 180, and the sum of both is rounded to 360.
    @Test func `a polygon next to the date line can be read by its members and by other users`()
      async throws
    {
      let place = try await APIPlace.there()
      let (apple, other) = (
        try await place.issuer.token("there-date-line"),
        try await place.issuer.token("there-date-line-other")
      )
      let corners = [("50", "179.99999999999997"), ("50.01", "179.99"), ("50.02", "-179.99")]
      let shape = corners.map { #"{"latitude":\#($0.0),"longitude":\#($0.1)}"# }
      let polygon = #"{"type":"polygon","corners":[\#(shape.joined(separator: ","))]}"#
      try await place.with { _, client in
        let ann = try await client.begin("apple", apple).token
        let ben = try await client.begin("apple", other).token
        let path = "/v1/groups/there-date-line"
        try await client.done(
          "POST", "/v1/groups", as: ann, group(polygon, isPublic: true),
          fields: ["Idempotency-Key: there-date-line"])
        let nearby = #"{"place":{"latitude":50.01,"longitude":180},"radius":5000}"#
        for (method, path, token, body) in [
          ("GET", "/v1/groups", ann, nil), ("GET", path, ben, nil),
          ("GET", "/v1/public-groups?limit=100", ben, nil),
          ("POST", "/v1/nearby-groups", ben, nearby),
        ] as [(String, String, String, String?)] {
          let answer = try await client.send(method, path, as: token, body)
          #expect(answer.status == 200, "\(method) \(path): \(answer.body)")
          #expect(answer.body.contains("179.99999999999997"), "\(method) \(path)")
        }
        // If the public group remained, other tests would read other pages of public groups.
        try await client.done("DELETE", path, as: ann)
      }
    }

    @Test func `an invalid credential begins no session`() async throws {
      let place = try await APIPlace.there()
      // The SHA-256 of "secret".
      let hash = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"
      let nonce = try await place.issuer.token(
        TestIssuer.Claims(sub: "there-nonce", nonce: hash))
      let apple = try await place.issuer.token("there-credential")
      let stranger = try await TestIssuer(id: "first").token("there-credential")
      let secret = String(repeating: "2f", count: 32)
      try await place.with { _, client in
        func signIn(
          _ provider: String, _ secret: String, _ more: String = ""
        ) async throws -> String {
          try await client.send(
            "POST", "/v1/sign-in", as: nil,
            #"{"provider":"\#(provider)","secret":"\#(secret)","device":"phone"\#(more)}"#
          ).refusal
        }
        #expect(
          try await client.send("POST", "/v1/sign-in", as: nil, "{}").refusal == "422 invalidInput")
        #expect(try await client.send("POST", "/v1/sign-in").refusal == "415 invalidInput")
        for (provider, secret, expected) in [
          ("anonymous", "short", "422 invalidInput"),
          ("anonymous", secret.uppercased(), "422 invalidInput"),
          ("users", apple, "422 invalidInput"), ("google", apple, "422 invalidInput"),
          ("apple", secret, "401 notAuthenticated"), ("apple", stranger, "401 notAuthenticated"),
          ("apple", nonce, "401 notAuthenticated"),
        ] {
          #expect(try await signIn(provider, secret) == expected, "\(provider)")
        }
        #expect(try await signIn("apple", nonce, #","nonce":"other""#) == "401 notAuthenticated")
        #expect(try await signIn("apple", nonce, #","nonce":"secret""#) == "200 ?")
        // The token of an identity provider begins a session, but is not the token of a session.
        for token in ["x", secret, secret.uppercased(), apple] {
          let answer = try await client.send("GET", "/v1/me", as: token)
          #expect(answer.refusal == "401 sessionExpired", "\(answer.body)")
        }
        // An invalid name in the provider's token does not prevent the sign-in.
        var named = TestIssuer.Claims(sub: "there-named")
        named.name = "a\nb"
        _ = try await client.begin("apple", try await place.issuer.token(named))
        // A device is not an account.
        let phone = try await client.begin("apple", apple)
        let link = try await client.send(
          "POST", "/v1/me/link", as: phone.token,
          #"{"provider":"anonymous","secret":"\#(secret)","device":"phone"}"#)
        #expect(link.refusal == "422 invalidInput")
      }
    }

    @Test(.sampled()) func `a user who is not a member cannot read or change a private group`()
      async throws
    {
      let place = try await APIPlace.there()
      let (apple, other) = (
        try await place.issuer.token("there-owner"), try await place.issuer.token("there-stranger")
      )
      try await place.with { _, client in
        let ann = try await client.begin("apple", apple)
        let ben = try await client.begin("apple", other)
        for (id, isPublic) in [("there-private", false), ("there-public", true)] {
          try await client.done(
            "POST", "/v1/groups", as: ann.token, group(isPublic: isPublic),
            fields: ["Idempotency-Key: \(id)"])
        }
        let message = UUID().uuidString
        let changed = group().dropLast()
        let requests: [(String, String, String?)] = [
          ("DELETE", "", nil), ("PUT", "", "\(changed),\"maxMembers\":9}"),
          ("GET", "/members", nil), ("DELETE", "/members/\(ann.user)", nil),
          ("POST", "/members/\(ben.user)/promote", nil), ("POST", "/leave", nil),
          ("PUT", "/invite", nil), ("POST", "/invite/rotate", #"{"replaces":"AAAABBBBCCCCDDDD"}"#),
          ("GET", "/presence", nil), ("GET", "/messages", nil),
          ("POST", "/messages", #"{"text":"x"}"#), ("DELETE", "/messages/\(message)", nil),
        ]
        for (id, expected) in [
          ("there-private", "404 groupNotFound"), ("there-public", "403 notAMember"),
        ] {
          for (method, path, body) in requests {
            let answer = try await client.send(
              method, "/v1/groups/\(id)\(path)", as: ben.token, body,
              fields: ["Idempotency-Key: \(message)"])
            #expect(answer.refusal == expected, "\(method) \(id)\(path): \(answer.body)")
          }
        }
        for path in ["", "/join"] {
          let answer = try await client.send(
            path == "" ? "GET" : "POST", "/v1/groups/there-private\(path)", as: ben.token)
          #expect(answer.refusal == "404 groupNotFound", "\(path)")
        }
        // A member who is not an admin cannot change the group.
        try await client.done("POST", "/v1/groups/there-public/join", as: ben.token)
        for (method, path, body) in requests[..<2] + requests[3..<5] + requests[7..<8] {
          let answer = try await client.send(
            method, "/v1/groups/there-public\(path)", as: ben.token, body)
          #expect(answer.refusal == "403 notGroupAdmin", "\(method) \(path): \(answer.body)")
        }
      }
    }

    @Test func `the sessions of a user share a limit, and sign-in has the limit of the address`()
      async throws
    {
      let place = try await APIPlace.there()
      let secrets = ["3a", "4b"].map { String(repeating: $0, count: 32) }
      try await place.with([
        "BATON_API_USER_LIMIT": "3", "BATON_API_ADDRESS_LIMIT": "9",
        "BATON_HTTP_TRUSTED_PROXIES": "127.0.0.1",
      ]) { _, client in
        let phones = [
          try await client.begin("anonymous", secrets[0]),
          try await client.begin("anonymous", secrets[0]),
          try await client.begin("anonymous", secrets[1]),
        ]
        func ask(_ phone: Int) async throws -> HTTPClient.Answer {
          try await client.send(
            "GET", "/v1/me", as: phones[phone].token, fields: ["X-Forwarded-For: 192.0.2.7"])
        }
        for phone in [0, 1, 0] { #expect(try await ask(phone).status == 200) }
        let fourth = try await ask(1)
        #expect(fourth.refusal == "429 networkUnavailable")
        #expect(Int(fourth.fields["retry-after"] ?? "").map { (1...20).contains($0) } == true)
        #expect(try await ask(2).status == 200)
        var refused: HTTPClient.Answer?
        for _ in 1...12 where refused == nil {
          let answer = try await client.send("POST", "/v1/sign-in", as: nil, "{}")
          if answer.status != 422 { refused = answer }
        }
        #expect(refused?.refusal == "429 networkUnavailable")
      }
    }

    @Test(.sampled())
    func `without issuers a phone signs in anonymously, and wrong logins are refused`()
      async throws
    {
      let place = try await APIPlace.there()
      #expect(try await place.program.succeed("api", "--help").contains("USAGE: whosthere api"))
      let apple = try await place.issuer.token("there-no-issuer")
      try await place.with(["BATON_API_ISSUERS_FILE": ""]) { _, client in
        _ = try await client.begin("anonymous", String(repeating: "5c", count: 32))
        let answer = try await client.send(
          "POST", "/v1/sign-in", as: nil,
          #"{"provider":"apple","secret":"\#(apple)","device":"phone"}"#)
        #expect(answer.refusal == "401 notAuthenticated")
        for path in ["live", "ready"] {
          #expect(try await client.send("GET", "/health/\(path)").status == 200)
        }
      }
      let users = try place.write(
        issuers: place.entry("users", keys: "https://issuer.test/keys"), to: "users.json")
      for (name, value, status, what) in [
        ("BATON_API_ISSUERS_FILE", users, Int32(64), "is not one of the providers"),
        (
          "BATON_API_SIGN_IN_URL", try RoleServer.address(of: place.place.role("dashboard")), 77,
          "A login may not do"
        ),
        ("DATABASE_URL", try RoleServer.address(of: "postgres"), 78, "is a superuser"),
      ] {
        var program = try place.program
        program.environment[name] = value
        expectComplaint(try await program.run("api"), status: status, what: what)
      }
    }
  }
#endif

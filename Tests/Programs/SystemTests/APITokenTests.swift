#if HTTP
  import Foundation
  import JWTKit
  import TestSupport
  import Testing

  /// Tests which tokens the API accepts.
  @Suite(.timeLimit(.minutes(5))) struct APITokenTests {
    private typealias Claims = TestIssuer.Claims

    @Test func `a token that another party could have made is refused`() async throws {
      let place = try await APIPlace.made()
      let issuer = place.issuer
      let (claims, stranger) = (Claims(sub: "token-ann"), TestIssuer(id: "first"))
      let (good, foreign) = (try await issuer.token(claims), try await stranger.token(claims))
      let parts = good.split(separator: ".").map(String.init)
      let other = try await issuer.token("token-other")
      let hmac = JWTKeyCollection()
      await hmac.add(
        hmac: HMACKey(from: issuer.key.publicKey.pemRepresentation), digestAlgorithm: .sha256,
        kid: "first")
      func changed(_ change: (inout Claims) -> Void) async throws -> String {
        var other = claims
        change(&other)
        return try await issuer.token(other)
      }
      func header(_ text: String) throws -> String {
        try TestIssuer.token(header: text, claims, signature: parts[2])
      }
      let seconds = Date().timeIntervalSince1970
      let refused = [
        "no token": "", "text": "token", "two parts": "\(parts[0]).\(parts[1])",
        "another key": foreign,
        "another payload": "\(parts[0]).\(other.split(separator: ".")[1]).\(parts[2])",
        "no signature": "\(parts[0]).\(parts[1]).", "none": try header(#"{"alg":"none"}"#),
        "None": try header(#"{"alg":"None","kid":"first"}"#),
        "HS256 with the public key": try await hmac.sign(claims, kid: "first"),
        "RS256 with the key of ES256": try header(#"{"alg":"RS256","kid":"first"}"#),
        "no algorithm": try header(#"{"kid":"first"}"#),
        "critical": try header(#"{"alg":"ES256","kid":"first","crit":["exp"]}"#),
        "a number that is no integer": try header(#"{"alg":"ES256","kid":"first","x":1e300}"#),
        "deep": try header(
          #"{"alg":"ES256","x":"# + String(repeating: "[", count: 600)
            + String(repeating: "]", count: 600) + "}"),
        "long": good + String(repeating: "A", count: 9_000),
        "an unknown key": try await issuer.token(claims, kid: "unknown"),
        "expired": try await changed { $0.exp = seconds - 1 },
        "not valid yet": try await changed { $0.nbf = seconds + 600 },
        "another app": try await changed { $0.aud = ["other"] },
        "no app": try await changed { $0.aud = [] },
        "another issuer": try await changed { $0.iss = "https://other.test" },
        "no subject": try await changed { $0.sub = "" },
        "a subject with a line break": try await changed { $0.sub = "a\nb" },
      ]
      try await place.with { server, client in
        for (name, token) in refused {
          let answer = try await client.send("POST", "/v1/sign-in", as: token, "{}")
          #expect(answer.refusal == "401 notAuthenticated", "\(name): \(answer.body)")
          #expect(answer.fields["www-authenticate"] == "Bearer")
        }
        let twice = try await client.send(
          "POST", "/v1/sign-in", as: good, "{}", fields: ["Authorization: Bearer \(good)"])
        #expect(twice.refusal == "401 notAuthenticated")
        _ = try await client.signIn(good)
        _ = try await client.signIn(try await changed { $0.aud = ["other", "app"] })
        #expect(server.isRunning)
      }
    }

    @Test func `a nonce in a token needs its text at sign-in`() async throws {
      let place = try await APIPlace.made()
      // The SHA-256 of "secret".
      let hash = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"
      let token = try await place.issuer.token(Claims(sub: "token-nonce", nonce: hash))
      try await place.with { _, client in
        for (body, status) in [
          ("{}", 401), (#"{"nonce":"other"}"#, 401), (#"{"nonce":"secret"}"#, 200),
        ] {
          #expect(try await client.send("POST", "/v1/sign-in", as: token, body).status == status)
        }
        let plain = try await place.issuer.token("token-nonce")
        let answer = try await client.send("POST", "/v1/sign-in", as: plain, #"{"nonce":"secret"}"#)
        #expect(answer.status == 401)
      }
    }

    @Test(.sampled())
    func `an invalid name or address of a provider is ignored, and one of the app is refused`()
      async throws
    {
      let place = try await APIPlace.made()
      func signed(_ subject: String, _ name: String, _ email: String) async throws -> String {
        var claims = Claims(sub: subject)
        (claims.name, claims.email, claims.emailVerified) = (name, email, true)
        return try await place.issuer.token(claims)
      }
      try await place.with { _, client in
        let long = String(repeating: "x", count: 257)
        for (name, email) in [
          ("a\nb", "no address"), ("a\0b", "a@b\0c"), (long, "a b@example.org"),
          ("", "a@b@example.org"), ("\u{7f}", String(repeating: "x", count: 320) + "@a"),
          ("a", "a\u{2028}@b"),
        ] {
          let token = try await signed("token-name-\(name.count)-\(email.count)", name, email)
          let user = try await client.done("POST", "/v1/sign-in", as: token, "{}")
          #expect(user["asksForName"] as? Bool == (name != "a"), "\(name.debugDescription)")
          #expect(user["email"] == nil, "\(email.debugDescription)")
          let own = try await client.send(
            "POST", "/v1/sign-in", as: token, #"{"displayName":"\#(long)"}"#)
          #expect(own.refusal == "422 invalidInput")
        }
        let good = try await signed("token-name", "Ann", "ann@example.org")
        let ann = try await client.done("POST", "/v1/sign-in", as: good, "{}")
        #expect(ann["displayName"] as? String == "Ann")
        #expect(ann["email"] as? String == "ann@example.org")
      }
    }

    @Test(.sampled()) func `the same subject of two issuers is two users, and RS256 is accepted`()
      async throws
    {
      let place = try await APIPlace.made()
      let pem = try await rsaKey()
      let key = try Insecure.RSA.PrivateKey(pem: pem)
      let (modulus, exponent) = try key.publicKey.getKeyPrimitives()
      let fields = [modulus, exponent].map { TestIssuer.url($0.base64EncodedString()) }
      let keys = try place.write(
        keys: #"{"keys":[{"kty":"RSA","kid":"r","n":"\#(fields[0])","e":"\#(fields[1])"}]}"#,
        to: "rsa.json")
      let first = try place.write(keys: place.issuer.keys, to: "first.json")
      let issuers = try place.write(
        issuers: place.entry(keys: first),
        place.entry("google", issuer: "https://accounts.test", keys: keys), to: "two.json")
      let signer = JWTKeyCollection()
      await signer.add(rsa: key, digestAlgorithm: .sha256, kid: "r")
      var claims = Claims(sub: "token-same")
      let apple = try await place.issuer.token(claims)
      // The second issuer cannot sign for the first.
      let forged = try await signer.sign(claims, kid: "r")
      claims.iss = "https://accounts.test"
      let google = try await signer.sign(claims, kid: "r")
      try await place.with(["BATON_API_ISSUERS_FILE": issuers]) { _, client in
        let ids = [try await client.signIn(apple), try await client.signIn(google)]
        #expect(ids[0] != ids[1])
        #expect(try await client.send("POST", "/v1/sign-in", as: forged, "{}").status == 401)
        #expect(
          try await client.done("GET", "/v1/me", as: google)["authProvider"] as? String == "google")
      }
    }

    @Test func `two Unicode spellings of a subject are two users`() async throws {
      let place = try await APIPlace.made()
      let subjects = ["token-caf\u{E9}", "token-cafe\u{301}"]
      try await place.with { _, client in
        var users: [(token: String, id: String)] = []
        for subject in subjects {
          let token = try await place.issuer.token(subject)
          users.append((token, try await client.signIn(token)))
        }
        #expect(users[0].id != users[1].id)
        // The server reads the ids once, and then stores the ids.
        for user in users + users.reversed() {
          #expect(
            try await client.done("GET", "/v1/me", as: user.token)["id"] as? String == user.id)
        }
      }
    }

    @Test(.sampled()) func `keys come from a URL, and an unknown key is looked up once a minute`()
      async throws
    {
      let place = try await APIPlace.made()
      let (old, new) = (place.issuer, TestIssuer(id: "second"))
      let server = try KeyServer("not keys")
      defer { server.close() }
      let issuers = try place.write(
        issuers: place.entry(keys: server.address), to: "url.json")
      try await place.with(["BATON_API_ISSUERS_FILE": issuers]) { process, client in
        // If the keys cannot be fetched, the API does not know whether a token is valid.
        let token = try await old.token("token-url")
        let early = try await client.send("POST", "/v1/sign-in", as: token, "{}")
        #expect(early.refusal == "503 networkUnavailable")
        // The keys are not read again within a minute.
        #expect(Int(early.fields["retry-after"] ?? "").map { (2...60).contains($0) } == true)
        #expect(server.requests == 1)
        let log = process.errorsSoFar
        #expect(log.contains("the content is not a JSON Web Key Set") && !log.contains(token))
      }
      server.publish(old.keys)
      try await place.with(["BATON_API_ISSUERS_FILE": issuers]) { _, client in
        let token = try await old.token("token-url")
        _ = try await client.signIn(token)
        server.publish(#"{"keys":[\#(old.publicKey),\#(new.publicKey)]}"#)
        for number in 1...5 {
          let unknown = try await old.token(Claims(sub: "token-url"), kid: "invented-\(number)")
          #expect(try await client.send("POST", "/v1/sign-in", as: unknown, "{}").status == 401)
        }
        #expect(server.requests == 2)
        #expect(try await client.send("GET", "/v1/me", as: token).status == 200)
      }
    }

    private func rsaKey() async throws -> String {
      let made = try await TestProcess(
        "/usr/bin/openssl", ["genrsa", "2048"], environment: [:], directory: "/"
      ).wait()
      return made.output
    }
  }
#endif

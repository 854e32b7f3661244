#if HTTP
  import Foundation
  import TestSupport
  import Testing

  /// Tests two phones and the server of Who's There's API, from the first anonymous sign-in to a
  /// merged and a deleted account.
  @Suite(.timeLimit(.minutes(5))) struct WhosThereAPIJourneyTests {
    private typealias Phone = (token: String, user: String)

    private static let group = "2b4e28ba-2fa1-11d2-883f-0016d3cca427"
    private static let shape =
      #"{"type":"circle","center":{"latitude":48.1,"longitude":11.5},"radius":100}"#
    private static let members = "/v1/groups/\(group)"
    private static let secret = String(repeating: "1e", count: 32)

    @Test(.sampled())
    func `a check-in of one phone appears on the other phone, even if the server is killed`()
      async throws
    {
      let place = try await APIPlace.there()
      let apple = try await place.issuer.token("there-journey-ben")
      let command = """
        {"id":"\(UUID().uuidString)","groupId":"\(Self.group)","action":"checkIn",\
        "source":"manual","device":"phone","at":"\(Date().formatted(.iso8601))"}
        """
      var version = ""
      let (ann, ben) = try await place.with { server, client -> (Phone, Phone) in
        let early = try await client.send("GET", "/v1/me", as: String(repeating: "0", count: 64))
        #expect(early.refusal == "401 sessionExpired")
        #expect(early.fields["www-authenticate"] == "Bearer" && early.object["sqlState"] == nil)
        #expect(early.object["next"] as? String == "Sign in again, and repeat the request.")
        let ann = try await client.begin("anonymous", Self.secret)
        let tablet = try await client.begin("anonymous", Self.secret)
        #expect(tablet.user == ann.user && tablet.token != ann.token)
        let ben = try await client.begin("apple", apple)
        for _ in 1...2 { try await create("Chess", on: client, as: ann.token) }
        let other = try await client.send(
          "POST", "/v1/groups", as: ann.token, body("Other"),
          fields: ["Idempotency-Key: \(Self.group)"])
        #expect(
          other.refusal == "409 conflictingRepeat" && other.object["sqlState"] as? String == "ZW015"
        )
        // The group is private, so a user who is not a member does not learn that the group exists.
        let stranger = try await client.send("GET", "\(Self.members)/presence", as: ben.token)
        #expect(stranger.refusal == "404 groupNotFound")
        let invite = try await client.done("PUT", "\(Self.members)/invite", as: ann.token)
        let code = try #require(invite["code"] as? String)
        for _ in 1...2 {
          let joined = try await client.done(
            "POST", "/v1/invite-codes/redeem", as: ben.token, #"{"code":"\#(code)"}"#)
          #expect(joined["memberCount"] as? Int == 2)
        }

        let empty = try await client.send("GET", "\(Self.members)/presence", as: ben.token)
        version = try #require(empty.fields["etag"])
        let same = try await client.send(
          "GET", "\(Self.members)/presence", as: ben.token, fields: ["If-None-Match: \(version)"])
        #expect(same.status == 304 && same.body == "")
        // Two viewers have different versions of the same place.
        let others = try await client.send(
          "GET", "\(Self.members)/presence", as: ann.token, fields: ["If-None-Match: \(version)"])
        #expect(others.status == 200)

        let answer = try await client.done("POST", "/v1/presence-commands", as: ann.token, command)
        #expect(answer["outcome"] as? String == "accepted")
        #expect(answer["isReplayed"] as? Bool == false)
        server.signal(SIGKILL)
        _ = try await server.wait()
        return (ann, ben)
      }
      try await place.with { server, client in
        // Another server accepts the token of the session.
        let answer = try await client.done("POST", "/v1/presence-commands", as: ann.token, command)
        #expect(answer["isReplayed"] as? Bool == true)
        let read = try await client.send(
          "GET", "\(Self.members)/presence", as: ben.token, fields: ["If-None-Match: \(version)"])
        let present = read.object["presences"] as? [[String: Any]] ?? []
        #expect(read.status == 200 && present.map { $0["userId"] as? String } == [ann.user])
        try await chat(on: client, ann: ann.token, ben: ben.token)
        try await merge(ann, into: ben, apple, on: client)
        server.signal(SIGTERM)
        #expect(try await server.wait(within: .seconds(10)).status == 0)
      }
    }

    private func body(_ name: String) -> String {
      #"{"name":"\#(name)","shape":\#(Self.shape),"timeZone":"Europe/Berlin","isPublic":false}"#
    }

    private func create(_ name: String, on client: APIClient, as token: String) async throws {
      let made = try await client.done(
        "POST", "/v1/groups", as: token, body(name), fields: ["Idempotency-Key: \(Self.group)"])
      #expect(made["id"] as? String == Self.group && made["memberCount"] as? Int == 1)
    }

    /// Sends a message twice, and then messages until the server refuses one.
    private func chat(on client: APIClient, ann: String, ben: String) async throws {
      func send(_ id: UUID, _ text: String) async throws -> HTTPClient.Answer {
        try await client.send(
          "POST", "\(Self.members)/messages", as: ann, #"{"text":"\#(text)"}"#,
          fields: ["Idempotency-Key: \(id.uuidString)"])
      }
      let id = UUID()
      let sent = [try await send(id, "Hello"), try await send(id, "Hello")].map(\.object)
      #expect(sent.map { $0["text"] as? String } == ["Hello", "Hello"])
      #expect(sent[0]["sentAt"] as? String == sent[1]["sentAt"] as? String)
      #expect(try await send(id, "Other").refusal == "409 conflictingRepeat")
      let page = try await client.done("GET", "\(Self.members)/messages", as: ben)
      #expect((page["messages"] as? [Any])?.count == 1)
      var refused: HTTPClient.Answer?
      for _ in 1...60 where refused == nil {
        let answer = try await send(UUID(), "Again")
        if answer.status != 200 { refused = answer }
      }
      let limited = try #require(refused)
      #expect(limited.refusal == "429 rateLimited")
      #expect(Int(limited.fields["retry-after"] ?? "").map { (1...2).contains($0) } == true)
      let seconds = (limited.object["seconds"] as? String).flatMap(Double.init)
      #expect(seconds.map { (0...2).contains($0) } == true)
    }

    /// Links the anonymous user to the other phone's account, and ends the sessions of the account.
    private func merge(
      _ ann: Phone, into ben: Phone, _ apple: String, on client: APIClient
    ) async throws {
      func refusal(_ token: String) async throws -> String {
        try await client.send("GET", "/v1/me", as: token).refusal
      }
      let merged = try await client.done(
        "POST", "/v1/me/link", as: ann.token,
        #"{"provider":"apple","secret":"\#(apple)","device":"phone"}"#)
      #expect((merged["user"] as? [String: Any])?["id"] as? String == ben.user)
      let token = try #require(merged["token"] as? String)
      #expect(try await refusal(ann.token) == "401 sessionExpired")
      #expect(try await client.done("GET", "/v1/me", as: token)["id"] as? String == ben.user)
      // The device's secret now belongs to the account.
      #expect(try await client.begin("anonymous", Self.secret).user == ben.user)
      try await client.done("DELETE", "/v1/session", as: token)
      #expect(try await refusal(token) == "401 sessionExpired")
      #expect(try await refusal(ben.token) == "200 ?")
      // A deleted account does not come back with a token that was valid.
      try await client.done("DELETE", "/v1/me", as: ben.token)
      for _ in 1...2 { #expect(try await refusal(ben.token) == "401 sessionExpired") }
      #expect(try await client.begin("apple", apple).user != ben.user)
    }
  }
#endif

#if HTTP
  import BatonIdentity
  import BatonJobs
  import Foundation
  import TestSupport
  import Testing

  @testable import ProductPush

  /// Tests the sender of webhooks, whose URLs users choose.
  @Suite struct WebhookSenderTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let content = PushContent(
      kind: "message", title: "Group", body: "Ann: hi", groupId: "g", data: ["messageId": "m"],
      badge: nil, collapseID: "message/m", expiresAt: Date(timeIntervalSince1970: 2_000_000_000))

    private func send(
      to url: String, allowsPrivate: Bool = true
    ) async throws -> PushOutcome {
      try await WebhookSender(allowsPrivate: allowsPrivate).send(
        Self.content,
        to: PushDevice(
          id: 1, platform: "webhook", token: url, secret: Self.secret, locale: "pt-BR"), run: 42)
    }

    @Test func `a webhook gets signed JSON with the id of the run`() async throws {
      let server = try ScriptedServer()
      #expect(try await send(to: "\(server.address)/hook?x=1") == .accepted)
      let request = try #require(server.requests.first)
      #expect(request.path == "/hook?x=1" && request.fields["idempotency-key"] == "42")
      #expect(request.object["locale"] as? String == "pt-BR")
      #expect(request.object["data"] as? [String: String] == ["messageId": "m"])
      let signature = try #require(request.fields["baton-signature"])
      let time = try #require(signature.split(separator: ",").first?.dropFirst(2))
      let hmac = HMACSHA256(key: Array(Self.secret.utf8))
        .hex(of: Array("\(time).\(request.body)".utf8))
      #expect(signature == "t=\(time),v1=\(hmac)")
      server.close()
    }

    @Test func `a redirect is not followed, and a removed webhook goes`() async throws {
      let server = try ScriptedServer { request, _ in
        switch request.path {
        case "/old": ScriptedServer.Answer(307, fields: ["location": "/new"])
        case "/gone": ScriptedServer.Answer(410)
        case "/busy": ScriptedServer.Answer(503, fields: ["retry-after": "9"])
        case "/late": ScriptedServer.Answer(408)
        default: ScriptedServer.Answer(422)
        }
      }
      await #expect(throws: RetryAfter.self) { try await send(to: "\(server.address)/old") }
      #expect(try await send(to: "\(server.address)/gone") == .unregistered(since: nil))
      await #expect(throws: RetryAfter.self) { try await send(to: "\(server.address)/busy") }
      await #expect(throws: RetryAfter.self) { try await send(to: "\(server.address)/late") }
      #expect(try await send(to: "\(server.address)/bad") == .refused)
      #expect(server.requests.map(\.path) == ["/old", "/gone", "/busy", "/late", "/bad"])
      server.close()
      // Without a server, the error does not contain the address.
      let error = await #expect(throws: RetryAfter.self) {
        try await send(to: "\(server.address)/closed")
      }
      #expect(error?.wait == .seconds(60) && error?.description.contains("127.0.0.1") == false)
    }

    @Test(arguments: [
      "https://127.0.0.1:%/", "https://localhost:%/", "https://2130706433:%/", "https://0x7f.1:%/",
      "https://user@127.0.0.1:%/", "http://127.0.0.1:%/", "https://[::1]:%/",
    ])
    func `a webhook never reaches the worker's own network`(url: String) async throws {
      let server = try ScriptedServer()
      let port = try #require(server.address.split(separator: ":").last)
      let target = url.replacing("%", with: port)
      #expect(try await send(to: target, allowsPrivate: false) == .unregistered(since: nil))
      #expect(server.requests.isEmpty)
      server.close()
    }

    @Test(arguments: ["http://127.0.0.1:65536/", "http://127.0.0.1:99999/", "http://127.0.0.1:0/"])
    func `an impossible port does not stop the worker`(url: String) async throws {
      #expect(try await send(to: url) == .unregistered(since: nil))
    }

    @Test func `a response whose body never ends does not occupy the worker`() async throws {
      // The server announces more bytes than it sends, and keeps the connection open.
      let server = try ScriptedServer { _, _ in
        ScriptedServer.Answer(200, fields: ["content-length": "1000000"])
      }
      #expect(try await send(to: "\(server.address)/slow") == .accepted)
      server.close()
    }

    @Test(arguments: [
      ("1.1.1.1", true), ("8.8.8.8", true), ("172.15.0.1", true), ("172.32.0.1", true),
      ("10.0.0.1", false), ("172.16.0.1", false), ("172.31.255.255", false),
      ("192.168.1.1", false), ("169.254.169.254", false), ("100.64.0.1", false),
      ("0.0.0.0", false), ("224.0.0.1", false), ("255.255.255.255", false), ("198.19.0.1", false),
      ("2606:4700::1111", true), ("::1", false), ("::ffff:10.0.0.1", false), ("fe80::1", false),
      ("fd00::1", false), ("2002:a00:1::", false), ("2001::1", false), ("64:ff9b::a00:1", false),
    ])
    func `only addresses of the Internet are public`(text: String, isPublic: Bool) throws {
      let addresses = try NetworkAddress.resolve(text)
      #expect(!addresses.isEmpty)
      #expect(addresses.allSatisfy { $0.isPublic == isPublic }, "\(addresses.map(\.text))")
    }

    @Test func `the addresses of this machine are known`() throws {
      #expect(
        try NetworkAddress.ofThisMachine().isSuperset(of: NetworkAddress.resolve("127.0.0.1")))
    }

    @Test func `a host whose name server does not respond delays only its own webhook`()
      async throws
    {
      let lookups = HostLookups(most: 2)
      let gate = DispatchSemaphore(value: 0)
      func reason(within limit: Duration) async -> String {
        let error = await #expect(throws: PushRefused.self) {
          try await lookups.resolve("x.test", within: limit) { _ in
            gate.wait()
            return []
          }
        }
        return error?.description ?? ""
      }
      for _ in 1...2 {
        #expect(await reason(within: .milliseconds(20)).contains("not resolved in time"))
      }
      // Both lookups still run.
      #expect(await reason(within: .seconds(3_600)).contains("too many"))
      for _ in 1...2 { gate.signal() }
      try await eventually("a lookup") {
        (try? await lookups.resolve("127.0.0.1", within: .seconds(60)))?.map(\.text)
          == ["127.0.0.1"]
      }
    }

    @Test func `Retry-After is a number of seconds or a date, of at most an hour`() throws {
      let now = Date(timeIntervalSince1970: 1_700_000_000)
      #expect(PushResponse.wait("120", now: now) == .seconds(120))
      #expect(PushResponse.wait("999999", now: now) == .seconds(3_600))
      #expect(PushResponse.wait("-1", now: now) == .zero)
      #expect(PushResponse.wait("Tue, 14 Nov 2023 22:14:00 GMT", now: now) == .seconds(40))
      #expect(PushResponse.wait("later", now: now) == nil)
    }

    @Test func `long texts are shortened to whole characters`() throws {
      let content = PushContent(
        kind: "message", title: String(repeating: "é", count: 300), body: "short", groupId: "g",
        data: [:], badge: nil, collapseID: "c", expiresAt: Date())
      #expect(content.title.utf8.count <= 200 && content.title.hasSuffix("é…"))
      #expect(content.body == "short")
      let controls = PushContent(
        kind: "message", title: "Group", body: String(repeating: "\u{1}", count: 1_000),
        groupId: "g", data: [:], badge: nil, collapseID: "c", expiresAt: Date())
      #expect(try JSONEncoder().encode(controls.body).count <= 1_010)
    }
  }
#endif

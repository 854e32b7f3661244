#if HTTP
  import AsyncHTTPClient
  import BatonJobs
  import BatonPostgres
  import Foundation
  import JWTKit
  import NIOSSL
  import TestSupport
  import Testing

  @testable import ProductPush

  /// Tests the sender of APNs over HTTP/2 and TLS, because APNs supports no other protocol.
  @Suite(.enabled(if: Certificates.canBeMade), .timeLimit(.minutes(5))) struct APNsHTTP2Tests {
    /// The client of the push services, which has the same name as a client of the tests.
    private typealias Client = AsyncHTTPClient.HTTPClient

    /// Runs the body with a server, and with a sender that trusts an authority of the tests.
    private func with(
      trusting authority: String = "ca.crt", _ script: @escaping HTTP2Server.Script,
      _ body: (APNsSender, HTTP2Server) async throws -> Void
    ) async throws {
      let certificates = try await Certificates(for: "push")
      let server = try await HTTP2Server.start(certificates, script)
      let key = try certificates.folder.write(
        "apns.p8", Array(PushCredentials.apnsKey.pemRepresentation.utf8))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.trustRoots = .file(certificates.path(authority))
      var configuration = Client.Configuration()
      configuration.tlsConfiguration = tls
      configuration.dnsOverride = [Certificates.host: "127.0.0.1"]
      let client = Client(
        eventLoopGroup: Client.defaultEventLoopGroup, configuration: configuration)
      let sender = APNsSender(
        keyFile: PasswordFile(key, namedBy: "the test", holds: "push credentials"),
        keyID: "KEY1", team: "TEAM1", topic: "test.app", base: server.address, shortestUse: .zero,
        client: client)
      let result: Result<Void, any Error>
      do {
        result = .success(try await body(sender, server))
      } catch {
        result = .failure(error)
      }
      try await client.shutdown()
      try await server.close()
      try result.get()
    }

    /// Sends a push, and returns the outcome or the kind of the error.
    private static func result(of sender: APNsSender, run: Int64 = 1) async -> String {
      let content = PushContent(
        kind: "rank_change", title: "Group", body: "You are now #1.", groupId: "g", data: [:],
        badge: 3, collapseID: "rank_change/c", expiresAt: Date(timeIntervalSince1970: 2_000_000_000)
      )
      let device = PushDevice(
        id: 1, platform: "apns", token: "abcd", secret: nil, locale: "pt-BR")
      do {
        switch try await sender.send(content, to: device, run: run) {
        case .accepted: return "accepted"
        case .unregistered(let since):
          return "unregistered \(since.map { "\(Int($0.timeIntervalSince1970))" } ?? "-")"
        case .refused: return "refused"
        }
      } catch let error as RetryAfter {
        return "retry after \(error.wait)"
      } catch {
        return "\(type(of: error))"
      }
    }

    @Test func `pushes to APNs share a connection with HTTP/2 and TLS`() async throws {
      try await with({ _ in HTTP2Server.Answer(200) }) { sender, server in
        for run in 1...20 {
          #expect(await Self.result(of: sender, run: Int64(run)) == "accepted")
        }
        #expect(server.paths == Array(repeating: "/3/device/abcd", count: 20))
        #expect(server.connections == 1)
      }
    }

    @Test func `APNs' errors over HTTP/2 end, retry or postpone a push`() async throws {
      let cases = [
        (410, #"{"reason":"Unregistered","timestamp":1700000000000}"#, "unregistered 1700000000"),
        (400, #"{"reason":"BadDeviceToken"}"#, "unregistered -"),
        (400, #"{"reason":"BadTopic"}"#, "Permanent"),
        (413, #"{"reason":"PayloadTooLarge"}"#, "Permanent"),
        (429, #"{"reason":"TooManyRequests"}"#, "retry after 7.0 seconds"),
        (503, #"{"reason":"ServiceUnavailable"}"#, "retry after 7.0 seconds"),
      ]
      try await with({ HTTP2Server.Answer(cases[$0].0, cases[$0].1) }) { sender, server in
        for (status, body, expected) in cases {
          #expect(await Self.result(of: sender) == expected, "\(status) \(body)")
        }
        #expect(server.paths.count == cases.count)
      }
    }

    @Test func `a push whose stream is reset fails, and the next push is accepted`() async throws {
      try await with({ $0 == 0 ? nil : HTTP2Server.Answer(200) }) { sender, server in
        #expect(await Self.result(of: sender) != "accepted")
        #expect(await Self.result(of: sender) == "accepted")
        #expect(server.paths.count == 2)
      }
    }

    @Test(.sampled()) func `a server with a certificate of another authority gets no push`()
      async throws
    {
      try await with(trusting: "other.crt", { _ in HTTP2Server.Answer(200) }) { sender, server in
        #expect(await Self.result(of: sender) != "accepted")
        #expect(server.paths.isEmpty)
      }
    }
  }
#endif

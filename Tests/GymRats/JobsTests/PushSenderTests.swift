#if HTTP
  import BatonJobs
  import Foundation
  import TestSupport
  import Testing

  @testable import ProductPush

  /// Returns an error of FCM as JSON.
  private func failure(_ status: String, _ details: String = "") -> String {
    #"{"error":{"status":"\#(status)","message":"m","details":[\#(details)]}}"#
  }

  /// Tests the senders of push notifications against a server that speaks the services' errors.
  ///
  /// The server speaks HTTP/1.1 without TLS. `APNsHTTP2Tests` test HTTP/2 in TLS.
  @Suite struct PushSenderTests {
    private static let content = PushContent(
      kind: "rank_change", title: "Group", body: "You are now #1 in check-ins.", groupId: "g",
      data: ["challengeId": "c"], badge: 3, collapseID: "rank_change/c",
      expiresAt: Date(timeIntervalSince1970: 2_000_000_000))

    private func send(
      _ platform: String, token: String = "abcd", by senders: PushSenders
    ) async throws -> PushOutcome {
      let sender = try #require(senders[platform])
      return try await sender.send(
        Self.content,
        to: PushDevice(
          id: 1, platform: platform, token: token,
          secret: platform == "webhook" ? String(repeating: "s", count: 32) : nil, locale: "pt-BR"),
        run: 255)
    }

    /// Returns the outcome, or the kind of the error.
    private func result(_ platform: String, by senders: PushSenders) async -> String {
      do {
        switch try await send(platform, by: senders) {
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

    // MARK: APNs

    @Test func `APNs gets the content, the topic, the expiry and a signed token`() async throws {
      let server = try ScriptedServer()
      let senders = try PushCredentials(server).senders()
      for _ in 1...2 { #expect(try await send("apns", by: senders) == .accepted) }
      let request = try #require(server.requests.first)
      #expect(request.method == "POST" && request.path == "/3/device/abcd")
      let expected = [
        "apns-topic": "test.app", "apns-push-type": "alert", "apns-priority": "10",
        "apns-expiration": "2000000000", "apns-collapse-id": "rank_change/c",
        "apns-id": "00000000-0000-4000-8000-0000000000ff", "content-type": "application/json",
      ]
      for (name, value) in expected { #expect(request.fields[name] == value) }
      let aps = try #require(request.object["aps"] as? [String: Any])
      #expect(
        aps["alert"] as? [String: String]
          == ["title": "Group", "body": "You are now #1 in check-ins."])
      #expect(aps["badge"] as? Int == 3 && aps["thread-id"] as? String == "g")
      #expect(request.object["kind"] as? String == "rank_change")
      #expect(request.object["data"] as? [String: String] == ["challengeId": "c"])
      // Both requests use the same token.
      let tokens = Set(server.requests.compactMap { $0.fields["authorization"] })
      let token = try #require(tokens.count == 1 ? tokens.first : nil)
      #expect(token.hasPrefix("bearer "))
      let claims = try await PushCredentials.claims(ofAPNs: String(token.dropFirst(7)))
      #expect(claims.iss == "TEAM1" && abs(claims.iat - Date().timeIntervalSince1970) < 60)
      server.close()
    }

    @Test(arguments: [
      (410, #"{"reason":"Unregistered","timestamp":1700000000000}"#, "unregistered 1700000000"),
      (410, #"{"reason":"ExpiredToken"}"#, "unregistered -"),
      (400, #"{"reason":"BadDeviceToken"}"#, "unregistered -"),
      (400, #"{"reason":"DeviceTokenNotForTopic"}"#, "Permanent"),
      (400, #"{"reason":"BadTopic"}"#, "Permanent"),
      (413, #"{"reason":"PayloadTooLarge"}"#, "Permanent"),
      (429, #"{"reason":"TooManyRequests"}"#, "retry after 7.0 seconds"),
      (503, #"{"reason":"ServiceUnavailable"}"#, "retry after 7.0 seconds"),
      (403, #"{"reason":"BadCertificate"}"#, "retry after 7.0 seconds"),
    ])
    func `APNs' errors end, retry or postpone a push`(
      status: Int, body: String, expected: String
    ) async throws {
      let server = try ScriptedServer { _, _ in
        ScriptedServer.Answer(status, body, fields: ["retry-after": "7"])
      }
      let senders = try PushCredentials(server).senders()
      #expect(await result("apns", by: senders) == expected)
      #expect(server.requests.count == 1)
      server.close()
    }

    @Test func `an error without Retry-After follows the job's retries`() async throws {
      let server = try ScriptedServer { _, number in ScriptedServer.Answer([500, 429][number]) }
      let senders = try PushCredentials(server).senders()
      #expect(await result("apns", by: senders) == "PushRefused")
      #expect(await result("apns", by: senders) == "retry after 60.0 seconds")
      server.close()
    }

    @Test func `a refused provider token is replaced once`() async throws {
      let server = try ScriptedServer { _, number in
        number == 1
          ? ScriptedServer.Answer(200)
          : ScriptedServer.Answer(403, #"{"reason":"ExpiredProviderToken"}"#)
      }
      let credentials = try PushCredentials(server)
      #expect(try await send("apns", by: credentials.senders()) == .accepted)
      let tokens = server.requests.compactMap { $0.fields["authorization"] }
      #expect(tokens.count == 2 && tokens[0] != tokens[1])
      // A push with two refused tokens fails, and a new token is not replaced.
      #expect(await result("apns", by: credentials.senders()) == "PushRefused")
      #expect(server.requests.count == 4)
      #expect(
        await result("apns", by: credentials.senders(shortestUse: .seconds(60))) == "PushRefused")
      #expect(server.requests.count == 5)
      server.close()
    }

    // MARK: FCM

    private static let grant = ScriptedServer.Answer(
      200, #"{"access_token":"access-1","expires_in":3600,"token_type":"Bearer"}"#)

    @Test func `FCM gets the message with an access token that is exchanged once`() async throws {
      let server = try ScriptedServer { request, _ in
        request.path == "/token" ? Self.grant : ScriptedServer.Answer(200, #"{"name":"1"}"#)
      }
      let senders = try PushCredentials(server).senders()
      for _ in 1...2 { #expect(try await send("fcm", by: senders) == .accepted) }
      #expect(
        server.requests.map(\.path)
          == ["/token"] + Array(repeating: "/v1/projects/project/messages:send", count: 2))
      let form = server.requests[0].body.split(separator: "&")
      #expect(form.first == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer")
      let assertion = try #require(form.last?.dropFirst("assertion=".count))
      let claims = try await PushCredentials.claims(ofAssertion: String(assertion))
      #expect(claims.iss == "push@project.test" && claims.aud == "\(server.address)/token")
      #expect(claims.scope == "https://www.googleapis.com/auth/firebase.messaging")
      #expect(claims.exp - claims.iat == 3_600)
      let request = server.requests[1]
      #expect(request.fields["authorization"] == "Bearer access-1")
      let message = try #require(request.object["message"] as? [String: Any])
      #expect(message["token"] as? String == "abcd")
      #expect(
        message["data"] as? [String: String]
          == ["kind": "rank_change", "groupId": "g", "challengeId": "c"])
      let android = try #require(message["android"] as? [String: Any])
      #expect((android["notification"] as? [String: String])?["tag"] == "rank_change/c")
      #expect((android["ttl"] as? String)?.hasSuffix("s") == true)
      server.close()
    }

    @Test(arguments: [
      (404, failure("NOT_FOUND", #"{"errorCode":"UNREGISTERED"}"#), "unregistered -"),
      (403, failure("PERMISSION_DENIED", #"{"errorCode":"SENDER_ID_MISMATCH"}"#), "Permanent"),
      (
        400, failure("INVALID_ARGUMENT", #"{"fieldViolations":[{"field":"message.token"}]}"#),
        "unregistered -"
      ),
      (400, failure("INVALID_ARGUMENT", #"{"errorCode":"INVALID_ARGUMENT"}"#), "Permanent"),
      (404, failure("NOT_FOUND"), "PushRefused"),
      (403, failure("PERMISSION_DENIED"), "PushRefused"),
      (
        429, failure("RESOURCE_EXHAUSTED", #"{"errorCode":"QUOTA_EXCEEDED"}"#),
        "retry after 60.0 seconds"
      ),
      (503, failure("UNAVAILABLE"), "PushRefused"),
      (500, "no JSON", "PushRefused"),
    ])
    func `FCM's errors end, retry or postpone a push`(
      status: Int, body: String, expected: String
    ) async throws {
      let server = try ScriptedServer { request, _ in
        request.path == "/token" ? Self.grant : ScriptedServer.Answer(status, body)
      }
      let senders = try PushCredentials(server).senders()
      #expect(await result("fcm", by: senders) == expected)
      server.close()
    }

    /// The page to which the redirect leads accepts every request.
    @Test(arguments: ["apns", "fcm"], [301, 302, 307, 308])
    func `a redirect is not followed, and the push is sent again later`(
      platform: String, status: Int
    ) async throws {
      let server = try ScriptedServer { request, _ in
        switch request.path {
        case "/token": Self.grant
        case "/elsewhere": ScriptedServer.Answer(200, "{}")
        default: ScriptedServer.Answer(status, fields: ["location": "/elsewhere"])
        }
      }
      let senders = try PushCredentials(server).senders()
      #expect(await result(platform, by: senders) == "PushRefused")
      #expect(!server.requests.contains { $0.path == "/elsewhere" })
      server.close()
    }

    @Test func `a refused access token is replaced once`() async throws {
      let server = try ScriptedServer { request, number in
        switch request.path {
        case "/token":
          ScriptedServer.Answer(200, #"{"access_token":"t\#(number)","expires_in":3600}"#)
        default: ScriptedServer.Answer(request.fields["authorization"] == "Bearer t0" ? 401 : 200)
        }
      }
      let senders = try PushCredentials(server).senders()
      #expect(try await send("fcm", by: senders) == .accepted)
      #expect(server.requests.map(\.path).filter { $0 == "/token" }.count == 2)
      #expect(server.requests.count == 4)
      server.close()
    }

    @Test func `no error contains a credential or a token`() async throws {
      let server = try ScriptedServer { request, _ in ScriptedServer.Answer(400, request.body) }
      let credentials = try PushCredentials(server)
      let folder = try TemporaryFolder()
      let broken = try folder.write("broken", Array("the secret of the file".utf8))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: broken)
      let senders = [
        credentials.senders(),
        credentials.senders([
          "BATON_PUSH_APNS_KEY_FILE": broken, "BATON_PUSH_FCM_FILE": broken,
        ]), credentials.senders(["BATON_PUSH_APNS_TEAM": "", "BATON_PUSH_WEBHOOKS": "maybe"]),
      ]
      for senders in senders {
        for platform in ["apns", "fcm", "webhook"] {
          do {
            _ = try await send(platform, token: "device-token", by: senders)
          } catch {
            for secret in ["secret of", "PRIVATE KEY", "device-token", "ssss", "eyJ"] {
              #expect(!"\(error)".contains(secret), "\(error)")
            }
          }
        }
      }
      server.close()
    }
  }
#endif

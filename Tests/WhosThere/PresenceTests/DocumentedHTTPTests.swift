#if HTTP
  import Foundation
  import PresenceHTTP
  import TestSupport
  import Testing

  /// Compiles and runs the example of docs/whosthere/client.md that calls the HTTP API.
  ///
  /// `QuoteTests` compare that page with this file.
  @Suite(.timeLimit(.minutes(5))) struct DocumentedHTTPTests {
    @Test(.sampled(), .sampled())
    func `an app signs in anonymously, founds a group and checks the user in`() async throws {
      try await HTTPEnvironment.with { environment in
        let (address, session, secret) = (
          environment.api.address, MemorySession(), Credential.newSecret()
        )
        let park = try Coordinate(latitude: 52.5, longitude: 13.4)
        let now = try await environment.now()

        let whosThere = PresenceHTTP(to: address, session: session, device: "Ana's phone")
        let user = try await whosThere.auth.signIn(.anonymous(secret: secret))
        let ana = whosThere.repositories(for: user.id)
        let group = try await ana.groups.createGroup(
          name: "Chess", shape: .circle(center: park, radius: 100), isPublic: true,
          timeZone: "Europe/Berlin")
        let answer = try await ana.presences.send(
          PresenceCommand(groupId: group.id, action: .checkIn, source: .manual, at: now))

        #expect(answer.outcome == .accepted)
        #expect(try await ana.presences.presences(of: group.id).own?.userId == user.id)
      }
    }
  }
#endif

#if HTTP
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  /// The HTTP client that the page of the client library shows.
  @Suite(.timeLimit(.minutes(3))) struct GymRatsClientTests {
    private static let group = "6a2f41a3-c54c-11d2-883f-0016d3cca427"

    @Test func `an app shows a workout that another app has recorded`() async throws {
      let place = try await APIPlace.made()
      let (ann, ben) = (
        try await place.issuer.token("client-ann"), try await place.issuer.token("client-ben")
      )
      try await place.with { server, client in
        let said = try #require(
          server.errorsSoFar.firstMatch(of: /HTTP at 127\.0\.0\.1:(\d+),/)?.1)
        let address = try #require(URL(string: "http://127.0.0.1:\(said)/v1"))
        let phones = [ann, ben].map { token in GymRatsClient(address: address) { token } }
        for phone in phones { try await phone.signIn() }
        try await client.done("PUT", "/v1/me/profile", as: ann, #"{"displayName":"Ann"}"#)
        try await client.done(
          "POST", "/v1/groups", as: ann, #"{"name":"Gym"}"#,
          fields: ["Idempotency-Key: \(Self.group)"])
        let code = "fedcba9876543210fedcba9876543210"
        try await client.done(
          "POST", "/v1/groups/\(Self.group)/invites", as: ann, #"{"code":"\#(code)"}"#)
        try await client.done("POST", "/v1/invite-codes/join", as: ben, #"{"code":"\#(code)"}"#)

        let shown = Mutex<[[String]]>([])
        let following = Task {
          try await phones[1].follow(group: Self.group, every: .milliseconds(100)) { board in
            shown.withLock { $0.append(board.entries.map { "\($0.displayName) \($0.value)" }) }
          }
        }
        try await eventually("the empty board") { shown.withLock { $0 } == [[]] }
        try await phones[0].record(workout: "w1")
        try await place.place.gymrats(as: "worker").succeed("worker", "--until-idle")
        try await eventually("Ann's workout") { shown.withLock { $0.last } == ["Ann 1"] }
        // An unchanged board is not shown again.
        try await Task.sleep(for: .milliseconds(500))
        #expect(shown.withLock { $0.count } <= 3)
        following.cancel()

        let refusal = await #expect(throws: GymRatsClient.Refusal.self) {
          try await phones[1].follow(group: "none") { _ in }
        }
        #expect(refusal?.code == "groupNotFound")
      }
    }
  }
#endif

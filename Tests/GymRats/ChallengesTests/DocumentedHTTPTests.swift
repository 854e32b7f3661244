#if HTTP
  import ChallengesHTTP
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  /// Compiles and runs the examples of docs/gymrats/client.md that call the HTTP API.
  ///
  /// `QuoteTests` compare that page with this file.
  @Suite(.timeLimit(.minutes(5))) struct DocumentedHTTPTests {
    private struct Provider: Sendable {
      let issuer: TestIssuer
      func token(replacing refused: String?) async throws -> String? {
        try await issuer.token("ana")
      }
    }

    @Test(.sampled())
    func `an app signs in, creates a group, records a workout and follows the board`()
      async throws
    {
      try await HTTPEnvironment.with { environment in
        try await environment.addUser("ana", displayName: "Ana")
        let (address, provider) = (
          environment.api.address, Provider(issuer: environment.api.issuer)
        )

        let gymRats = ChallengesHTTP(
          ServerConnection(to: address) { refused in try await provider.token(replacing: refused) })
        let user = try await gymRats.signIn(nonce: nil)
        let ana = gymRats.repositories(for: user.id)
        let group = try await ana.groups.createGroup(name: "Gym", ownerId: user.id)
        let end = try await environment.now()

        let workout = WorkoutHistoryEntry(id: UUID().uuidString, performedAt: end, in: .current)
        let answer = try await ana.workouts.recordWorkout(workout)

        #expect(answer.outcome == .accepted)
        try await environment.settle()
        let shown = Mutex<[Int]>([])
        let show: @Sendable (LeaderboardSnapshot) -> Void = { board in
          shown.withLock { $0.append(board.currentUserEntry?.value ?? 0) }
        }
        let showDelay: @Sendable () -> Void = {}
        let showEnd: @Sendable (DomainError) -> Void = { Issue.record($0) }
        let following = Task {
          for await update in ana.leaderboards.observeUpdates(groupId: group.id, type: .checkIns) {
            switch update {
            case .success(let board): show(board)
            case .failure(let error) where error.isRetryable: showDelay()  // the stream continues
            case .failure(let error): showEnd(error)  // the stream has ended
            }
          }
        }
        try await eventually("the board") { shown.withLock { $0 } == [1] }
        following.cancel()
        await following.value
      }
    }
  }
#endif

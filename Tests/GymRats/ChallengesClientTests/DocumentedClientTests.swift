import Challenges
import ChallengesApp
import ChallengesTesting
import Foundation
import Testing

/// Compiles and runs the examples of docs/gymrats/client.md.
///
/// `QuoteTests` compare that page with this file.
@Suite(.timeLimit(.minutes(1))) struct DocumentedClientTests {
  @Test func `a workout of the queue reaches the server, and its end is told`() async throws {
    let place = try Folder()
    let phone = await Phone("ana")
    let group = try await phone.createGroup.execute(name: "Gym")
    let user = try #require(try await phone.repositories.users.getUser("ana"))
    let (folder, workout, sync) = (place.url, phone.workout("w"), phone.sync)
    let connectivity = ManualConnectivity(isOnline: true)
    let (reports, told) = AsyncStream<SyncReport>.makeStream()
    let tell: @Sendable (SyncReport) -> Void = { told.yield($0) }
    let running = Task {
      let queue = try PendingSyncQueue(folder: folder, userId: user.id)
      try await queue.enqueue(workout, privacy: user.privacySettings)
      await queue.run(syncUseCase: sync, connectivity: connectivity) { report in tell(report) }

      await queue.close()
    }
    let report = await reports.first { !$0.finished.isEmpty }
    #expect(report?.finished.map(\.change.workout.id) == ["w"])
    #expect(report?.finished.map(\.end) == [.outcome(.accepted)])
    #expect(try await phone.values(group, .checkIns) == [1])
    running.cancel()
    try await running.value
  }

  @Test func `a server of memory has its own clock, and can be cut off`() async throws {
    let date = RepositoryContract.beginning

    let clock = ManualClock(at: date)
    let server = InMemoryChallenges { clock.now }
    await server.addUser("ana", displayName: "Ana")
    let ana = server.repositories(for: "ana")
    await server.setReachable(false)  // makes all devices offline

    await #expect(throws: DomainError.networkUnavailable) {
      _ = try await ana.users.getUser("ana")
    }
    await server.setReachable(true)
    #expect(try await ana.users.getUser("ana")?.createdAt == date)
  }
}

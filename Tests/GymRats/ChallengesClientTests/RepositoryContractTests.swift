import Challenges
import ChallengesTesting
import Foundation
import Testing

/// Tests that the in-memory repositories satisfy the contract of all repositories.
@Suite struct RepositoryContractTests {
  @Test(arguments: RepositoryContract.checks)
  func `the repositories of memory keep the contract`(check: ContractCheck) async throws {
    try await check.run(in: InMemoryEnvironment(at: RepositoryContract.beginning))
  }

  @Test func `the contract has a check for each promise, and no two of one name`() {
    let names = RepositoryContract.checks.map(\.description)
    #expect(Set(names).count == names.count && names.count > 25)
  }

  @Test func `a server that breaks a rule fails the contract`() async throws {
    var settings = InMemoryChallenges.Settings()
    settings.mostMembers = 11
    settings.ranks = [.checkIns: .dense]
    settings.streaks = .lastRun
    settings.takesReportedStreaks = true
    settings.grace = 0
    settings.inviteAttempts = 1
    var broken: [String] = []
    for check in RepositoryContract.checks {
      do {
        try await check.run(
          in: InMemoryEnvironment(at: RepositoryContract.beginning, settings: settings))
      } catch is ContractFailure {
        broken.append(check.description)
      } catch is DomainError {
        broken.append(check.description)
      }
    }
    #expect(broken.count >= 5, "\(broken)")
  }

  @Test func `streams that nobody reads any more leave nothing behind`() async throws {
    let environment = InMemoryEnvironment(at: RepositoryContract.beginning)
    try await environment.addUser("ana", displayName: "Ana")
    let ana = try await environment.repositories(for: "ana")
    let group = try await ana.groups.createGroup(name: "Gym", ownerId: "ana")
    for _ in 0..<100 {
      let first = Task {
        for await _ in ana.leaderboards.observeLeaderboard(groupId: group.id, type: .streak) {
          return true
        }
        return false
      }
      #expect(await first.value)
      let cancelled = Task {
        for await _ in ana.leaderboards.observeUpdates(groupId: group.id, type: .checkIns) {}
      }
      cancelled.cancel()
      await cancelled.value
    }
    try await eventually { await environment.challenges.observerCount == 0 }
  }

  @Test func `a slow reader gets the newest board`() async throws {
    let environment = InMemoryEnvironment(at: RepositoryContract.beginning)
    try await environment.addUser("ana", displayName: "Ana")
    let ana = try await environment.repositories(for: "ana")
    let group = try await ana.groups.createGroup(name: "Gym", ownerId: "ana")
    let updates = ana.leaderboards.observeUpdates(groupId: group.id, type: .checkIns)
    var iterator = updates.makeAsyncIterator()
    #expect(try await iterator.next()?.get().entries == [])
    for number in 1...20 {
      _ = try await ana.workouts.recordWorkout(
        WorkoutHistoryEntry(id: "w\(number)", performedAt: nil))
    }
    #expect(try await iterator.next()?.get().currentUserEntry?.value == 20)
  }

  @Test func `a stream says that the network is gone, and goes on`() async throws {
    let environment = InMemoryEnvironment(at: RepositoryContract.beginning)
    try await environment.addUser("ana", displayName: "Ana")
    let ana = try await environment.repositories(for: "ana")
    let group = try await ana.groups.createGroup(name: "Gym", ownerId: "ana")
    let updates = ana.leaderboards.observeUpdates(groupId: group.id, type: .checkIns)
    var iterator = updates.makeAsyncIterator()
    _ = await iterator.next()
    await environment.challenges.setReachable(false)
    await environment.challenges.refresh()
    #expect(await iterator.next() == .failure(.networkUnavailable))
    await environment.challenges.setReachable(true)
    _ = try await ana.workouts.recordWorkout(WorkoutHistoryEntry(id: "w", performedAt: nil))
    #expect(try await iterator.next()?.get().currentUserEntry?.value == 1)
  }
}

/// Waits for a condition that another task makes true.
func eventually(_ condition: () async throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(60)
  while try await !condition() {
    guard ContinuousClock.now < end else { return #expect(Bool(false), "it did not come in time") }
    try await Task.sleep(for: .milliseconds(1))
  }
}

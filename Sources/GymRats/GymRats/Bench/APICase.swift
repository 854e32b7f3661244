#if HTTP && !canImport(Darwin)
  import BatonJobs
  import BatonPostgres
  import Bench
  import Challenges
  import ChallengesPostgres
  import ChallengesSQL
  import Foundation
  import JobRunner
  import ProductAPI

  /// The `api` benchmark, which compares calls over HTTP with the same calls over libpq.
  ///
  /// Each client alternately reads a board and records a workout. The HTTP side and the libpq side
  /// both use the client library, signed identities, and the same number of database connections.
  /// The bench's schema has no roles, so the database does not verify the signed identities. The
  /// server and the clients run in one process, so the HTTP side's time also includes the clients'
  /// work.
  struct APICase: BenchCase {
    let name = "api"
    let unit = "calls/s"
    let connections = 8

    /// The maximum number of users, each of whom gets a token before the measurement.
    private static let mostUsers = 2_000

    private struct Member: Sendable {
      let group: String
      let repositories: ActorRepositories
    }

    var sizes: [BenchSize] { [spreadBoards] }

    private func groups(_ options: BenchOptions) -> Int { max(1, options[spreadBoards] / 2) }

    func writes(_ options: BenchOptions) -> String {
      "\(counted(groups(options), "group")), \(groups(options) * 2) members, and a workout for each "
        + "second call in \(options.pairs * 2) x \(options.seconds) s"
    }

    func prepare(_ stage: BenchStage) async throws {
      let groups = groups(stage.options)
      try await stage.run(.run(SQL.Bench.raiseWorkoutLimit))
      try await stage.people(groups: groups, members: groups * 2)
      // The worker publishes standings, because `measure` chooses the callers from the published
      // standings.
      try await stage.define(stage.jobs)
      _ = try await stage.worker().runUntilIdle()
    }

    func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
      try await stage.emptyRuns()
      try await stage.settle()
      let users: [LiveRound.Writer] = try await stage.writers(ofEvery: 1)
      let step = max(1, users.count / Self.mostUsers)
      let chosen = stride(from: 0, to: users.count, by: step).map { users[$0] }
      return try await BenchPhones.with(
        stage, connections: stage.connections, clients: stage.connections
      ) { phones in
        let server = phones.server
        let database = ChallengesDatabase(
          stage.configuration, schema: stage.schema, connections: stage.connections,
          identity: { server.identity(of: $0) })
        var members: [Member] = []
        for user in chosen {
          let repositories =
            side == .ours
            ? try await phones.repositories(for: user.user) : database.repositories(for: user.user)
          members.append(Member(group: user.group, repositories: repositories))
        }
        let rate = try await Self.rate(members, on: stage)
        await database.close()
        return rate
      }
    }

    /// Returns the total number of calls per second across all clients.
    private static func rate(_ members: [Member], on stage: BenchStage) async throws -> Double {
      guard !members.isEmpty else { throw BenchRefusal.incomplete("no member has a workout") }
      let clients = stage.connections
      let began = ContinuousClock.now
      let end = began + .seconds(stage.options.seconds)
      let calls = try await withThrowingTaskGroup(of: Int.self) { group in
        for client in 0..<clients {
          group.addTask {
            var calls = 0
            while ContinuousClock.now < end {
              let member = members[(client + calls * clients) % members.count]
              try await Self.call(calls, of: member)
              calls += 1
            }
            return calls
          }
        }
        return try await group.reduce(0, +)
      }
      return Double(calls) / (began.duration(to: .now) / .seconds(1))
    }

    private static func call(_ number: Int, of member: Member) async throws {
      guard number % 2 == 1 else {
        _ = try await member.repositories.leaderboards.leaderboard(
          groupId: member.group, type: .checkIns)
        return
      }
      let answer = try await member.repositories.workouts.recordWorkout(
        WorkoutHistoryEntry(id: UUID().uuidString, performedAt: nil))
      guard answer.outcome == .accepted else {
        throw BenchRefusal.incomplete("a workout was \(answer.outcome.name)")
      }
    }
  }
#endif

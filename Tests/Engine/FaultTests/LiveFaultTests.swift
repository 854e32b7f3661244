import BatonPostgres
import Challenges
import ChallengesPostgres
import PrivateServer
import TestSupport
import Testing

/// Observes boards on a server that is stopped, and on a server where no session may notify.
@Suite(.timeLimit(.minutes(5)))
struct LiveFaultTests {
  private typealias Stream = AsyncStream<Result<LeaderboardSnapshot, DomainError>>

  @Test(.sampled())
  func `a restarted server shows every observer the board again, on one connection`()
    async throws
  {
    try await withBoard { server, queue, database in
      let streams = observe(database, 20)
      try await expect(0, of: streams)
      try await blocking { try server.down() }
      _ = try await blocking { try server.up() }
      try await expect(0, of: streams)
      try await raise(queue, "commit")
      try await expect(1, of: streams)
      #expect(
        try await queue.count("pg_stat_activity where application_name = 'repositories'") == 1)
      #expect(try await queue.count("pg_locks where locktype = 'advisory'") == 1)
    }
  }

  @Test(.sampled())
  func
    `if the server allows prepared transactions, writers send no NOTIFY, and clients get boards`()
    async throws
  {
    try await withBoard([("max_prepared_transactions", "5")]) { _, queue, database in
      let streams = observe(database, 3)
      try await expect(0, of: streams)
      for version in 1...3 {
        // PREPARE TRANSACTION fails in a session that has executed NOTIFY.
        try await raise(queue, "prepare transaction 'p'")
        try await queue.script("commit prepared 'p'")
        try await expect(Int64(version), of: streams)
      }
      #expect(try await queue.count("pg_locks where locktype = 'advisory'") == 0)
    }
  }

  /// Creates a group of Ann on the test's own server, and a channel for the group's boards.
  private func withBoard(
    _ settings: [(String, String)] = [],
    _ body: (PrivateServer, CountQueue, ChallengesDatabase) async throws -> Void
  ) async throws {
    try await ServerFaultTests.withServer(settings) { server, queue in
      try await queue.script(
        """
        set search_path to \(queue.schema.name), pg_temp;
        insert into users (id, display_name) values ('ann', 'Ann');
        select create_group('ann', 'g', 'G')
        """)
      let database = ChallengesDatabase(
        ConnectionConfiguration(
          address: queue.configuration.address, applicationName: "repositories"),
        schema: queue.schema)
      let result: Result<Void, any Error>
      do {
        result = .success(try await body(server, queue, database))
      } catch {
        result = .failure(error)
      }
      await database.close()
      try result.get()
    }
  }

  private func observe(_ database: ChallengesDatabase, _ count: Int) -> [Stream] {
    (0..<count).map { _ in
      database.repositories(for: "ann").leaderboards.observeUpdates(groupId: "g", type: .checkIns)
    }
  }

  /// Waits until each stream shows this version.
  ///
  /// Snapshots that may be late are ignored.
  private func expect(_ version: Int64, of streams: [Stream]) async throws {
    for stream in streams {
      for await element in stream {
        switch element {
        case .failure(let error): #expect(error == .networkUnavailable)
        case .success(let snapshot): #expect(snapshot.rankVersion <= version)
        }
        if element.map(\.rankVersion) == .success(version) { break }
      }
    }
  }

  /// Raises the version of all boards, as a publisher does.
  private func raise(_ queue: CountQueue, _ ending: String) async throws {
    try await queue.script(
      """
      begin;
      set local search_path to \(queue.schema.name), pg_temp;
      update board_version set rank_version = rank_version + 1;
      select wake_observers('boards');
      \(ending)
      """)
  }
}

extension CountQueue {
  /// Runs several statements on another connection.
  fileprivate func script(_ text: String) async throws {
    let connection = try await Connection.open(configuration)
    do {
      try await connection.script(Statement("test/script", text))
    } catch {
      await connection.close()
      throw error
    }
    await connection.close()
  }
}

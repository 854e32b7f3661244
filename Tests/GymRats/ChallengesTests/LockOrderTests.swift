import BatonPostgres
import TestSupport
import Testing

/// Tests pairs of calls that need several common locks, so that different orders would deadlock.
///
/// In each test, a third transaction holds the first common lock until both calls wait.
@Suite(.serialized, .timeLimit(.minutes(5)), .sampled())
struct LockOrderTests {
  private let noon = "2024-06-05 12:00"

  /// Starts two calls, the first one first, while `lock` is held.
  ///
  /// - Returns: the error of each call, or nil.
  private func race(
    _ first: String, _ second: String, behind lock: String, in gym: Gym
  ) async throws -> [PostgresError?] {
    try await gym.withConnection { one in
      try await gym.withConnection { two in
        let holder = try await OpenTransaction(gym.connection, in: gym)
        try await holder.run(.lines(lock))
        async let ended = failure(of: first, on: one, in: gym)
        try await gym.waitUntilBlocked()
        async let alsoEnded = failure(of: second, on: two, in: gym)
        try await gym.waitUntilBlocked(2)
        try await holder.commit()
        return try await [ended, alsoEnded]
      }
    }
  }

  private func failure(
    of call: String, on connection: Connection, in gym: Gym
  ) async throws -> PostgresError? {
    do {
      try await gym.run("select \(call)", on: connection)
      return nil
    } catch let error as PostgresError {
      return error
    }
  }

  /// The order of the boards' ids differs from the order of their types for about half of the
  /// groups.
  @Test func `a changed name of a former member and the end of the group`() async throws {
    try await Gym.open(at: noon) { gym in
      for number in 0... {
        let (group, user) = ("g\(number)", "u\(number)")
        try await gym.join(user, group)
        try await gym.record("w", by: user, at: "2024-06-05 10:00")
        let boards = "select id::text from challenge where group_id = '\(group)' order by"
        guard
          try await gym.lines("\(boards) id") != gym.lines("\(boards) week_start, type")
        else { continue }
        let failures = try await race(
          "cancel_boards('\(group)')", "update_profile('\(user)', 'New', null)",
          behind: "\(boards) week_start, type limit 1 for update", in: gym)
        #expect(failures.allSatisfy { $0 == nil })
        return
      }
    }
  }

  @Test func `a deletion of an account and a change of the user`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.record("w", by: "bob")
      let failures = try await race(
        "delete_account('bob')", "update_privacy_settings('bob', false)",
        behind: "select user_id::text from member where user_id = 'bob' for update", in: gym)
      #expect(failures[0] == nil)
      #expect(failures[1]?.sqlState.code.hasPrefix("40") != true)
    }
  }

  @Test func `a deletion of an account and an invite to the own group`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.run("delete from invite_attempt")
      let failures = try await race(
        "delete_account('bob')", "join_group('bob', '\(Gym.token)')",
        behind: "select id::text from groups where id = 'g' for update", in: gym)
      #expect(failures[0] == nil)
      #expect(failures[1]?.sqlState.code.hasPrefix("40") != true)
    }
  }
}

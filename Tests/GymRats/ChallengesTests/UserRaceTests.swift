import BatonPostgres
import Challenges
import TestSupport
import Testing

/// Tests changes and deletions of users at the same time as recording calls, closing weeks and each
/// other, in real transactions.
@Suite(.serialized, .timeLimit(.minutes(5)), .bothWaysAtFullSize)
struct UserRaceTests {
  private let noon = "2024-06-05 12:00"
  private let close = Call<Void>.test(
    """
    with board as (select id from challenge where week_start = '2024-06-03' order by id for update)
    update challenge c set state = 'closed', closed_at = domain_now() from board b where c.id = b.id
    """)
  private let off = Call<Void>.test("select update_privacy_settings('ann', false)")

  /// Creates Ann with a workout, and a second connection.
  private func withAnn(_ body: (Gym, Connection) async throws -> Void) async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-05 10:00")
      try await gym.withConnection { try await body(gym, $0) }
    }
  }

  // MARK: Sharing and profiles

  @Test(arguments: [true, false])
  func `a call that waits for a switch is ignored where that commits, and counts where not`(
    commits: Bool
  ) async throws {
    try await withAnn { gym, other in
      let switching = try await OpenTransaction(gym.connection, in: gym)
      try await switching.run(off)
      async let waiting = gym.record("x", at: "2024-06-05 11:00", on: other)
      try await gym.waitUntilBlocked()
      if commits { try await switching.commit() } else { try await switching.rollBack() }
      #expect(try await waiting == (commits ? "ignoredPrivacy" : "accepted 2024-06-03"))
      #expect(
        try await gym.lines("select distinct value || ' ' || hidden from entry order by 1")
          == (commits ? ["1 true"] : ["1 false", "2 false"]))
    }
  }

  @Test func `a switch waits for the call ahead of it and hides what that writes`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.withConnection { other in
        let writing = try await OpenTransaction(gym.connection, in: gym)
        try await writing.run(.record("w", by: "ann"))
        async let switched: Void = other.atomically(in: gym.schema, off)
        try await gym.waitUntilBlocked()
        try await writing.commit()
        try await switched
      }
      #expect(
        try await gym.lines("select value || ' ' || hidden from entry") == ["1 true", "1 true"])
    }
  }

  @Test func `a call that waits for a new name writes the new one`() async throws {
    try await withAnn { gym, other in
      let renaming = try await OpenTransaction(gym.connection, in: gym)
      try await renaming.run(.test("select update_profile('ann', 'Ann Lee', null)"))
      async let waiting = gym.record("x", at: "2024-06-05 11:00", on: other)
      try await gym.waitUntilBlocked()
      try await renaming.commit()
      #expect(try await waiting == "accepted 2024-06-03")
      #expect(try await gym.lines("select distinct display_name from entry") == ["Ann Lee"])
      #expect(try await gym.entries().first == "2024-06-03 check-ins 2 at 05 11:00")
    }
  }

  @Test(arguments: [true, false])
  func `a switch and a close: the first wins, and a closed board keeps its entries`(
    closeFirst: Bool
  ) async throws {
    try await withAnn { gym, other in
      let first = try await OpenTransaction(gym.connection, in: gym)
      try await first.run(closeFirst ? close : off)
      async let second: Void = other.atomically(in: gym.schema, closeFirst ? off : close)
      try await gym.waitUntilBlocked()
      try await first.commit()
      try await second
      #expect(
        try await gym.lines("select distinct hidden::text from entry") == ["\(!closeFirst)"])
      #expect(try await gym.lines("select distinct state::text from challenge") == ["closed"])
    }
  }

  @Test(
    .sampled(),
    arguments: [
      ("left_at = domain_now()", "select update_privacy_settings('ann', true)", false),
      ("left_at = null", "select update_privacy_settings('ann', false)", true),
    ])
  func `a membership and a switch meet: who is away in any way stays hidden`(
    change: String, switching: String, sharesAtFirst: Bool
  ) async throws {
    for membershipFirst in [true, false] {
      try await withAnn { gym, other in
        // Ann does not share, and leaves while she switches sharing on. Or she left, and comes back
        // while she switches sharing off.
        try await gym.run(
          sharesAtFirst
            ? "update member set left_at = domain_now()"
            : "select update_privacy_settings('ann', false)")
        let statements = ["update member set \(change) where user_id = 'ann'", switching]
        let first = try await OpenTransaction(gym.connection, in: gym)
        try await first.run(.test(statements[membershipFirst ? 0 : 1]))
        async let second: Void = gym.run(statements[membershipFirst ? 1 : 0], on: other)
        try await gym.waitUntilBlocked()
        try await first.commit()
        try await second
        #expect(try await gym.lines("select distinct hidden::text from entry") == ["true"])
      }
    }
  }

  // MARK: Deletions

  @Test func `a deletion and an edit at once: the higher revision is what stays`() async throws {
    try await withAnn { gym, other in
      let editing = try await OpenTransaction(gym.connection, in: gym)
      try await editing.run(.record("w", by: "ann", at: "2024-06-05 11:00", revision: 1))
      async let deleted = gym.delete("w", revision: 2, on: other)
      try await gym.waitUntilBlocked()
      try await editing.commit()
      #expect(try await deleted == "accepted 2024-06-03")
      #expect(try await gym.entries().first == "2024-06-03 check-ins 0 at 05 11:00")
      // The opposite order.
      let deleting = try await OpenTransaction(gym.connection, in: gym)
      try await deleting.run(.delete("w", revision: 4))
      async let edited = gym.record("w", at: "2024-06-05 11:00", revision: 3, on: other)
      try await gym.waitUntilBlocked()
      try await deleting.commit()
      #expect(try await edited == "duplicate 2024-06-03")
    }
  }

  @Test func `the same deletion twice at once is one`() async throws {
    try await withAnn { gym, other in
      let deleting = try await OpenTransaction(gym.connection, in: gym)
      try await deleting.run(.delete("w", revision: 1))
      async let second = gym.delete("w", revision: 1, on: other)
      try await gym.waitUntilBlocked()
      try await deleting.commit()
      #expect(try await second == "accepted 2024-06-03 again")
      #expect(try await gym.lines("select revision::text from workout_revision") == ["0"])
    }
  }

  @Test func `a workout that comes while another is taken back is counted without it`()
    async throws
  {
    try await withAnn { gym, other in
      let deleting = try await OpenTransaction(gym.connection, in: gym)
      try await deleting.run(.delete("w", revision: 1))
      // The workouts are on different days, so the calls share only the member's row.
      async let answer = gym.record("x", at: "2024-06-04 11:00", on: other)
      try await gym.waitUntilBlocked()
      try await deleting.commit()
      #expect(try await answer == "accepted 2024-06-03")
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 1 at 04 11:00", "2024-06-03 streak 1 at 04 11:00",
        ])
    }
  }

  @Test(arguments: [true, false])
  func `a deletion that waits for a close is refused where that commits`(commits: Bool)
    async throws
  {
    try await withAnn { gym, other in
      let closing = try await OpenTransaction(gym.connection, in: gym)
      try await closing.run(close)
      async let waiting = gym.delete("w", revision: 1, on: other)
      try await gym.waitUntilBlocked()
      if commits { try await closing.commit() } else { try await closing.rollBack() }
      #expect(try await waiting == "\(commits ? "rejected weekClosed" : "accepted") 2024-06-03")
      let value = commits ? 1 : 0
      #expect(try await gym.entries().first == "2024-06-03 check-ins \(value) at 05 10:00")
    }
  }

  @Test func `a close waits for the deletion ahead of it, and the board closes without`()
    async throws
  {
    try await withAnn { gym, other in
      let deleting = try await OpenTransaction(gym.connection, in: gym)
      try await deleting.run(.delete("w", revision: 1))
      async let closed: Void = other.atomically(in: gym.schema, close)
      try await gym.waitUntilBlocked()
      try await deleting.commit()
      try await closed
      #expect(try await gym.entries().first == "2024-06-03 check-ins 0 at 05 10:00")
    }
  }
}

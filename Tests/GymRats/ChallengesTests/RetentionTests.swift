import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import TestSupport
import Testing

/// Rules 33, 92, 94 and 95: which data is deleted, when, and which data remains.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetentionTests {
  private let monday = "2024-06-03"
  /// 90 days after the end of the week of 3 June, plus a microsecond.
  private let due = "2024-09-08 00:00:00.000001"

  private func purge<R>(_ gym: Gym, _ body: (PostgresExpiredData) async throws -> R) async throws
    -> R
  {
    try await Session(gym.connection, in: gym.schema).transaction {
      transaction in
      try await body(PostgresExpiredData(transaction))
    }
  }

  private func purgeBoards(_ gym: Gym, limit: Int = 500) async throws -> [Int] {
    let before = try await counts(gym)
    let boards = try await purge(gym) { try await $0.purgeBoards(limit: limit, from: nil).deleted }
    return [boards] + zip(before, try await counts(gym)).map { $0 - $1 }
  }

  /// Creates Ann and Bob with a closed week of 3 June and all notifications.
  private func withClosedWeek(
    closedAt: String = "2024-06-10 00:10", _ body: (Gym) async throws -> Void
  ) async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      for user in ["ann", "bob"] {
        try await gym.join(user)
        try await gym.record("1", by: user, at: "2024-06-05 10:00")
      }
      try await gym.publishAndTell()
      try await gym.stand(at: closedAt)
      try await gym.close()
      try await body(gym)
    }
  }

  // MARK: Boards

  @Test(
    .sampled(),
    arguments: [
      ("2024-09-07 23:59:59.999999", 0), ("2024-09-08 00:00", 0), ("2024-09-08 00:00:00.000001", 2),
    ])
  func `a board goes when its week ended more than 90 days ago, to the microsecond`(
    clock: String, boards: Int
  ) async throws {
    try await withClosedWeek { gym in
      try await gym.stand(at: clock)
      #expect(try await purgeBoards(gym) == [boards, boards * 2, boards * 2])
      let left = try await gym.lines(
        """
        select count(*)::text from (select from challenge union all select from entry union all
          select from standing union all select from board_version) t
        """)
      #expect(left == [boards == 0 ? "12" : "0"])
      #expect(try await gym.lines("select count(*)::text from workout") == ["2"])
      #expect(try await gym.lines("select count(*)::text from workout_day") == ["2"])
    }
  }

  @Test func `a week that is not closed never goes, however old`() async throws {
    try await withClosedWeek { gym in
      try await gym.run("update challenge set state = 'open', closed_at = null")
      try await gym.stand(at: "2025-06-01 00:00")
      #expect(try await purgeBoards(gym) == [0, 0, 0])
      #expect(try await gym.close().late == 1)
      #expect(try await purgeBoards(gym) == [2, 4, 4])
    }
  }

  @Test func `the oldest go first, in bounded chunks, and nobody is woken to rank them`()
    async throws
  {
    try await withClosedWeek { gym in
      try await gym.record("2", by: "ann", at: "2024-06-10 00:05")
      try await gym.stand(at: "2024-06-17 00:10")
      try await gym.close()
      try await gym.stand(at: "2024-12-01 00:00")
      let events = "select count(*)::text from event"
      let before = try await gym.lines(events)
      #expect(try await purgeBoards(gym, limit: 2).first == 2)
      #expect(try await gym.states() == ["g 2024-06-10 closed"])
      #expect(try await purgeBoards(gym, limit: 2).first == 2)
      #expect(try await purgeBoards(gym, limit: 2).first == 0)
      #expect(try await gym.lines(events) == before)
    }
  }

  /// `delete_account` holds the publish locks while it changes the rows of a board.
  @Test func `a board stays while its publish lock is held`() async throws {
    try await withClosedWeek { gym in
      try await gym.stand(at: due)
      try await gym.withConnection { other in
        let holder = try await OpenTransaction(other, in: gym)
        try await holder.run(
          .lines("select challenge_id::text from board_version order by 1 limit 1 for update"))
        #expect(try await purgeBoards(gym) == [1, 2, 2])
        // The position of the skipped board lets the job continue after it.
        let left = try await purge(gym) { try await $0.purgeBoards(limit: 500, from: nil) }
        #expect(left.deleted == 0)
        #expect(left.reached == BoardPosition(week: monday, group: "g"))
        try await holder.commit()
      }
      #expect(try await purgeBoards(gym) == [1, 2, 2])
    }
  }

  @Test func `the age is a setting, with a floor`() async throws {
    try await withClosedWeek { gym in
      try await gym.run("update setting set board_age = '7 days'")
      try await gym.stand(at: "2024-06-17 00:00:00.000001")
      #expect(try await purgeBoards(gym).first == 2)
      for (setting, column, state) in [
        ("board_age = '6 days'", "board_age", "23514"),
        ("notification_age = '6 days'", "notification_age", "23514"),
        ("notification_age = '15 days'", "notification_age", "23514"),
        ("board_age = null", "board_age", "23502"),
      ] {
        let error = await #expect(throws: PostgresError.self) {
          try await gym.run("update setting set \(setting)")
        }
        #expect(error?.sqlState.code == state)
        #expect(error?.message.contains(column) == true, "\(setting)")
      }
    }
  }

  @Test func `an edit of a workout whose board is gone makes no board again`() async throws {
    try await withClosedWeek { gym in
      try await gym.stand(at: due)
      #expect(try await purgeBoards(gym).first == 2)
      #expect(
        try await gym.record("1", by: "ann", at: "2024-09-07 10:00", revision: 1)
          == "rejected weekClosed 2024-06-03")
      #expect(try await gym.states() == ["g 2024-09-02 open"])
      // The key is still known, so the call gets the first answer, and is not counted again.
      #expect(
        try await gym.record("1", by: "bob", at: "2024-06-05 10:00")
          == "accepted 2024-06-03 again")
    }
  }

  @Test func `who was told is forgotten only after the boards are gone`() async throws {
    try await withClosedWeek { gym in
      try await gym.stand(at: "2024-12-01 00:00")
      #expect(
        try await purge(gym) { try await $0.purge(.closedWeeks, limit: 10, from: nil).deleted } == 0
      )
      _ = try await purgeBoards(gym)
      #expect(
        try await purge(gym) { try await $0.purge(.closedWeeks, limit: 10, from: nil).deleted } == 1
      )
    }
  }

  /// Boards can be kept for a shorter time than a late notification is visible.
  @Test(arguments: [
    ("2024-06-23 11:59:59.999999", 0, "1 ann"), ("2024-06-23 12:00", 1, ""),
  ])
  func `what a week's notifications have in common is kept for as long as one of them is seen`(
    clock: String, forgotten: Int, seen: String
  ) async throws {
    try await withClosedWeek(closedAt: "2024-06-16 12:00") { gym in
      try await gym.run("update setting set board_age = '7 days'")
      try await gym.stand(at: clock)
      #expect(try await purgeBoards(gym).first == 2)
      let expired = try await purge(gym) { try await $0.rows() }
      #expect(expired.contains { $0.table == "closed_week" } == (forgotten == 1))
      #expect(
        try await purge(gym) { try await $0.purge(.closedWeeks, limit: 10, from: nil).deleted }
          == forgotten)
      let winners = try await gym.lines(
        """
        select concat_ws(' ', content -> 'you' -> 'check-ins' ->> 'rank',
          content -> 'boards' -> 'check-ins' -> 'winners' -> 0 ->> 'name')
        from visible_notification where user_id = 'bob'
        """)
      #expect(winners.joined() == seen)
    }
  }

  @Test func `a board that goes leaves what its close told for as long as that is seen`()
    async throws
  {
    try await Gym.open(at: "2024-06-09 12:00") { gym in
      try await gym.run("update setting set board_age = '7 days'")
      for user in ["ann", "bob"] {
        try await gym.join(user)
        try await gym.record("1", by: user, at: "2024-06-05 10:00")
      }
      try await gym.publishAndTell()
      try await gym.record("2", by: "bob", at: "2024-06-09 11:00")
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      #expect(try await gym.told() == ["ann 1 2"])
      try await gym.stand(at: "2024-06-17 00:05")
      #expect(try await purgeBoards(gym).first == 2)
      #expect(
        try await gym.lines("select type::text from visible_notification where user_id = 'ann'")
          .sorted() == ["rank_change", "week_ended"])
    }
  }

  // MARK: Partitions

  @Test(
    .sampled(),
    arguments: [
      ("2024-06-17 00:09:59.999999", 0, "2"), ("2024-06-17 00:10", 0, "0"),
      ("2024-06-17 00:10:00.000001", 1, "0"),
    ])
  func `a notification is seen for 7 days, and its day goes when all of it is older`(
    clock: String, partitions: Int, visible: String
  ) async throws {
    try await withClosedWeek { gym in
      try await gym.stand(at: clock)
      #expect(try await gym.lines("select count(*)::text from visible_notification") == [visible])
      #expect(try await emptyPartitions(gym) == partitions)
      let left = try await gym.lines("select count(*)::text from notification")
      #expect(left == [partitions == 0 ? "2" : "0"])
    }
  }

  @Test func `a partition with one young notification stays whole`() async throws {
    try await withClosedWeek { gym in
      // The same partition, sixteen days later.
      try await gym.run(
        """
        insert into notification (partition, created_at, user_id, group_id, type, content,
          changed_at)
        values (day_partition('2024-06-26 12:00'), '2024-06-26 12:00', 'ann', 'g', 'new_member',
          '{}', now())
        """)
      try await gym.stand(at: "2024-07-03 11:59")
      #expect(try await emptyPartitions(gym) == 0)
      try await gym.stand(at: "2024-07-03 12:00:00.000001")
      #expect(try await emptyPartitions(gym) == 1)
    }
  }

  @Test(
    .sampled(),
    arguments: ["1969-12-31 23:59", "1970-01-01 00:00", "2024-02-29 12:00", "9999-12-31 23:59"])
  func `no day lacks a partition`(day: String) async throws {
    try await withClosedWeek { gym in
      try await gym.run(
        """
        insert into notification (partition, created_at, user_id, group_id, type, content,
          changed_at)
        select day_partition(at), at, 'ann', 'g', 'new_member', '{}', at
        from generate_series(timestamptz '\(day)', timestamptz '\(day)' + interval '20 days',
          interval '1 day') at
        """)
      #expect(
        try await gym.lines("select count(*)::text from notification where type = 'new_member'")
          == ["21"])
    }
  }

  @Test func `a partition that somebody writes to is left for later, and nobody waits long`()
    async throws
  {
    try await withClosedWeek { gym in
      try await gym.stand(at: "2024-07-01 00:00")
      try await gym.withConnection { other in
        let reader = try await OpenTransaction(other, in: gym)
        try await reader.run(.test("update notification set is_read = true"))
        #expect(try await emptyPartitions(gym) == 0)
        try await reader.commit()
      }
      #expect(try await emptyPartitions(gym) == 1)
    }
  }

  /// Without any wait, the lock would never be acquired, because readers always exist.
  @Test func `readers who follow each other closely do not keep a partition`() async throws {
    try await withClosedWeek { gym in
      try await gym.stand(at: "2024-07-01 00:00")
      let read = Statement("test/read", "select count(*), pg_sleep(0.01) from notification")
      try await withThrowingTaskGroup { group in
        for _ in 0..<6 {
          let reader = try await gym.test.connect()
          group.addTask {
            while !Task.isCancelled {
              // The server ends the transaction without a wait for this process.
              try await reader.atomically(in: gym.schema, .run(read))
            }
            await reader.close()
          }
        }
        var tries = 0
        while try await emptyPartitions(gym) == 0, tries < 20 { tries += 1 }
        #expect(tries < 20)
        #expect(try await gym.lines("select count(*)::text from notification") == ["0"])
        group.cancelAll()
      }
    }
  }

  /// While an old partition is being truncated, a notification of today is written immediately.
  @Test func `whoever writes a notification does not wait for an old day to go`() async throws {
    try await withClosedWeek { gym in
      try await gym.stand(at: "2024-07-01 00:00")
      try await gym.withConnection { other in
        let purger = try await OpenTransaction(other, in: gym)
        try await purger.run(
          .test(
            """
            lock table notification_\(try await partition("2024-06-10", gym))
            in access exclusive mode
            """)
        )
        try await gym.run(
          """
          insert into notification (partition, created_at, user_id, group_id, type, content,
            changed_at)
          select day_partition(domain_now()), domain_now(), 'ann', 'g', 'new_member', '{}', domain_now()
          """)
        try await purger.rollBack()
      }
    }
  }

  @Test func `a dry run says what would go, by table and age`() async throws {
    try await withClosedWeek { gym in
      try await gym.stand(at: "2024-12-01 00:00")
      let expired = try await purge(gym) { try await $0.rows() }
      #expect(
        expired.map(\.table) == [
          "board_version", "challenge", "closed_week", "entry",
          "notification_\(try await partition("2024-06-10", gym))",
          "standing",
        ])
      #expect(expired.map(\.rows) == [2, 2, 1, 4, 2, 4])
      #expect(expired.first?.newest == "2024-06-10T00:00:00Z")
    }
  }

  @Test func `notifications that a wrong clock dated years ahead go with old ones of their day`()
    async throws
  {
    try await withClosedWeek { gym in
      // 384,000 hours are 1,000 rounds of the sixteen days.
      try await gym.run(
        """
        insert into notification
          (partition, created_at, user_id, group_id, type, content, changed_at)
        select partition, created_at + interval '384000 hours', user_id, group_id, 'new_member',
          '{}', changed_at
        from notification
        """)
      try await gym.stand(at: "2024-12-01 00:00")
      let table = "notification_\(try await partition("2024-06-10", gym))"
      let expired = try await purge(gym) { try await $0.rows() }
      #expect(expired.first { $0.table == table }?.rows == 4)
      #expect(try await emptyPartitions(gym) == 1)
      #expect(try await gym.lines("select count(*)::text from notification") == ["0"])
    }
  }

  // MARK: Parts

  /// Returns the numbers of entries and standings.
  private func counts(_ gym: Gym) async throws -> [Int] {
    try await gym.lines(
      "select count(*)::text from entry union all select count(*)::text from standing"
    ).compactMap { Int($0) }
  }

  private func emptyPartitions(_ gym: Gym) async throws -> Int {
    var emptied = 0
    for partition in try await purge(gym, { try await $0.oldDays() }) {
      if try await purge(gym, { try await $0.empty(partition) }) == true { emptied += 1 }
    }
    return emptied
  }

  private func partition(_ day: String, _ gym: Gym) async throws -> String {
    try await gym.lines("select day_partition('\(day)')::text").first ?? ""
  }
}

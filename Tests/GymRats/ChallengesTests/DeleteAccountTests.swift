import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import Foundation
import TestSupport
import Testing

/// Tests the remaining data of a deleted account, alone and at the same time as other calls.
///
/// docs/gymrats/accounts.md has both tables.
@Suite(.bothWaysAtFullSize)
struct DeleteAccountTests {
  private let noon = "2024-06-05 12:00"
  private static let last = "2024-05-27"
  private static let week = "2024-06-03"

  /// Creates Ann, Bob and Cid.
  ///
  /// Ann has won a closed week, and leads an open week.
  private func withAnn(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-05-28 12:00") { gym in
      try await gym.found("bob", "cid")
      try await gym.record("a1")
      try await gym.record("b0", by: "bob")
      try await gym.publishAll()
      try await gym.stand(at: "2024-05-29 12:00")
      try await gym.record("a2")
      try await gym.publishAll()
      try await gym.stand(at: "2024-06-03 00:10")
      try await gym.close()
      try await gym.stand(at: noon)
      for workout in ["a3", "a4"] { try await gym.record(workout) }
      try await gym.record("b1", by: "bob")
      try await gym.publishAll()
      try await body(gym)
    }
  }

  /// Returns every row of every table that contains a text.
  private func traces(of text: String, in gym: Gym) async throws -> [String] {
    let tables = try await gym.lines(
      """
      select c.relname::text from pg_class c
      where c.relnamespace = '\(gym.schema.name)'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition and c.relname not like 'event%' and c.relname <> 'schema_object'
      order by 1
      """)
    var found: [String] = []
    for table in tables {
      found += try await gym.lines(
        """
        select '\(table): ' || t::text from \(table) t
        where t::text ~ '\\m\(text)\\M' or t::text ~ '\\m\(text.capitalized)\\M'
        """)
    }
    return found
  }

  @Test(.sampled()) func `nothing names who is gone, and closed ranks stay`() async throws {
    try await withAnn { gym in
      try await gym.run("insert into identity values ('apple', 'ann', 'ann')")
      try await gym.run(
        """
        insert into dead_run (id, job, key, payload, attempt, error)
        values (1, 'mail', 'x', '{"to": ["ann"], "text": "annual"}', 1, 'no')
        """)
      try await gym.call("block_user('ann', 'bob')")
      try await gym.call("block_user('bob', 'ann')")
      for (user, other) in [("ann", "bob"), ("bob", "ann")] {
        try await gym.call(
          "report_user('\(user)', gen_random_uuid(), 'g', '\(other)', 'other', 'by \(user)')")
      }
      #expect(try await traces(of: "ann", in: gym).count > 15)
      let before = try await gym.standings(Self.last)
      #expect(before == ["1 1 ann 2", "2 2 bob 1"])
      #expect(try await gym.call("delete_account('ann')") == "")
      // The workers update standings and sent ranks.
      try await gym.publishAndTell()
      let left = try await traces(of: "ann", in: gym)
      #expect(left == [])
      // Ann's report about Bob remains without her id and her note.
      #expect(
        try await gym.lines(
          "select concat_ws(' ', reporter, reported, reason, '[' || note || ']') from user_report")
          == ["bob other []"])
      #expect(
        try await gym.lines(
          """
          select concat_ws(' ', s.position, s.rank, s.display_name, s.value) from standing s
          where s.challenge_id = challenge_id('g', '\(Self.last)', 'check-ins') order by s.position
          """) == ["1 1 Former member 2", "2 2 Bob 1"])
      #expect(try await gym.standings(Self.week) == ["1 1 bob 1"])
      #expect(
        try await gym.lines(
          """
          select content #>> '{boards,check-ins,winners,0,name}' from visible_notification
          where user_id = 'bob' and type = 'week_ended'
          """) == ["Former member"])
      #expect(
        try await gym.lines("select payload::text from dead_run").first?.contains("annual") == true)
      // The oldest of the other members is now the admin.
      #expect(try await gym.members() == ["bob admin", "cid member"])
      #expect(try await gym.broken() == [])
      #expect(try await gym.call("delete_account('ann')") == "notAuthenticated")
    }
  }

  /// The record of a closed week is stored for longer than the boards of the week.
  @Test func `the record of a week without boards does not name who is gone`() async throws {
    try await withAnn { gym in
      try await gym.run("update setting set board_age = '7 days'")
      try await gym.stand(at: "2024-06-10 00:00:01")
      let purged = try await gym.connection.transaction(in: gym.schema) {
        try await PostgresExpiredData($0).purgeBoards(limit: 10, from: nil).deleted
      }
      #expect(purged == 2)
      #expect(try await gym.call("delete_account('ann')") == "")
      try await gym.publishAndTell()
      #expect(try await traces(of: "ann", in: gym) == [])
      #expect(
        try await gym.lines(
          """
          select content #>> '{boards,check-ins,winners,0,name}' from visible_notification
          where user_id = 'bob' and type = 'week_ended'
          """) == ["Former member"])
    }
  }

  /// The members are notified after the deletion, and before the board is published again.
  @Test func `a notification of an open board does not name who is gone`() async throws {
    let closedBoard = "challenge_id('g', '\(Self.last)', 'check-ins')"
    try await withAnn { gym in
      for workout in ["b2", "b3"] { try await gym.record(workout, by: "bob") }
      try await gym.publishAndTell()
      for workout in ["a5", "a6"] { try await gym.record(workout) }
      try await gym.publishAll()
      try await gym.run(
        """
        insert into silent_move (challenge_id, user_id, gone_rank) values (\(closedBoard), 'ann', 1)
        """)
      try await gym.call("delete_account('ann')")
      #expect(try await gym.tell().written > 0)
      #expect(try await traces(of: "ann", in: gym) == [])
      #expect(
        try await gym.lines(
          """
          select content ->> 'message' from notification
          where user_id = 'bob' and type = 'rank_change' and content ->> 'challenge' = 'check-ins'
          """) == ["Former member passed you: you are now #2 in check-ins."])
      try await gym.publishAndTell()
      #expect(try await gym.standings(Self.week) == ["1 1 bob 3"])
      #expect(
        try await gym.lines(
          "select user_id::text from silent_move where challenge_id <> \(closedBoard)") == [])
    }
  }

  @Test func `a closed board takes no other name, and no other value with one`() async throws {
    try await withAnn { gym in
      let board = "challenge_id('g', '\(Self.last)', 'check-ins')"
      for change in [
        "user_id = 'cid'", "user_id = 'former-x', value = 3", "user_id = 'former-x', hidden = true",
        "value = 3",
      ] {
        await expectSQLState("ZB010", "\(change)") {
          try await gym.run(
            "update entry set \(change) where user_id = 'ann' and challenge_id = \(board)")
        }
      }
      await expectSQLState("ZB010") {
        try await gym.run(
          """
          update entry set user_id = 'former-' || user_id, value = 3 - value
          where challenge_id = \(board)
          """)
      }
    }
  }

  @Test func `who is in no group goes too, and the last member takes the group along`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found()
      try await gym.users("zoe")
      try await gym.record("z1", by: "zoe")
      for user in ["zoe", "ann"] { #expect(try await gym.call("delete_account('\(user)')") == "") }
      #expect(try await gym.lines("select count(*)::text from users") == ["0"])
      #expect(try await gym.lines("select is_active::text from groups") == ["false"])
    }
  }

  @Test func `whom they passed is told of a former member`() async throws {
    try await withAnn { gym in
      try await gym.run(
        """
        insert into notification (partition, created_at, user_id, group_id, type, challenge_id,
          content, changed_at)
        select day_partition(domain_now()), domain_now(), 'bob', 'g', 'rank_change',
          challenge_id('g', '\(Self.week)', 'check-ins'), c::jsonb, domain_now()
        from unnest(array[
          '{"passed_by": ["ann"], "message": "Ann passed you: you are now #2 in check-ins."}',
          '{"passed_by": ["ann", "cid"], "message": "2 members passed you: you are now #3."}']) c
        """)
      try await gym.call("delete_account('ann')")
      #expect(
        try await gym.lines(
          """
          select content ->> 'message' || (content -> 'passed_by' ->> 1 is not null)
          from notification where type = 'rank_change' order by id
          """) == [
            "A former member passed you: you are now #2 in check-ins.false",
            "2 members passed you: you are now #3.true",
          ])
    }
  }

  // MARK: Beside other calls

  @Test(.sampled(), arguments: [true, false])
  func `a workout in flight goes with the rest, and a later one finds nobody`(
    isWorkoutFirst: Bool
  ) async throws {
    try await withAnn { gym in
      try await gym.withConnection { other in
        let open = try await OpenTransaction(gym.connection, in: gym)
        let workout = "record_workout('ann', 'late')"
        let deletion = "delete_account('ann')"
        _ = try await open.run(
          .lines("select (\(isWorkoutFirst ? workout : deletion))::text"))
        let answer = Task {
          try await gym.lines(
            "select (\(isWorkoutFirst ? deletion : workout))::text", on: other)
        }
        try await gym.waitUntilBlocked()
        try await open.commit()
        if isWorkoutFirst {
          _ = try await answer.value
        } else {
          let error = await #expect(throws: PostgresError.self) { _ = try await answer.value }
          #expect(error?.sqlState.code == "ZB001")
        }
      }
      try await gym.publishAndTell()
      let left = try await traces(of: "ann", in: gym)
      #expect(left == [])
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `a workout in flight of a user without a group finds nobody either`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.users("zoe")
      try await gym.withConnection { other in
        let open = try await OpenTransaction(gym.connection, in: gym)
        _ = try await open.run(.lines("select (delete_account('zoe'))::text"))
        let answer = Task { try await gym.record("z1", by: "zoe", on: other) }
        try await gym.waitUntilBlocked()
        try await open.commit()
        let error = await #expect(throws: PostgresError.self) { _ = try await answer.value }
        #expect(error?.sqlState.code == "ZB001")
      }
    }
  }

  @Test func `a deletion waits for a join of another phone, and ends the membership`() async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found()
      try await gym.users("zoe")
      try await gym.withConnection { other in
        let open = try await OpenTransaction(gym.connection, in: gym)
        _ = try await open.run(.lines("select (join_group('zoe', '\(Gym.token)'))::text"))
        let answer = Task { try await gym.lines("select (delete_account('zoe'))::text", on: other) }
        try await gym.waitUntilBlocked()
        try await open.commit()
        #expect(try await answer.value == [""])
      }
      #expect(try await gym.members() == ["ann admin"])
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `a deletion fails while another phone creates a group, and can be repeated`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.users("zoe")
      try await gym.withConnection { other in
        let open = try await OpenTransaction(gym.connection, in: gym)
        _ = try await open.run(.lines("select (create_group('zoe', 'z', 'Zoe'))::text"))
        let answer = Task { try await gym.lines("select (delete_account('zoe'))::text", on: other) }
        try await gym.waitUntilBlocked()
        try await open.commit()
        let error = await #expect(throws: PostgresError.self) { _ = try await answer.value }
        #expect(error?.sqlState.code == "40001")
      }
      #expect(try await gym.call("delete_account('zoe')") == "")
      #expect(try await gym.broken() == [])
    }
  }

  @Test(.sampled()) func `accounts of one group that go at once leave it without members`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      let users = (0..<9).map { "u\($0)" }
      try await gym.found()
      for user in users {
        try await gym.users(user)
        try await gym.call("join_group('\(user)', '\(Gym.token)')")
        try await gym.record("w", by: user)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for user in users + ["ann"] {
          group.addTask {
            try await gym.withConnection {
              _ = try await gym.lines("select (delete_account('\(user)'))::text", on: $0)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await gym.lines("select count(*)::text from users") == ["0"])
      #expect(try await gym.broken() == [])
    }
  }
}

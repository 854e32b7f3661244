import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesSQL
import ChallengesServer
import TestSupport
import Testing

/// Tests concurrent calls about groups in real transactions.
///
/// docs/gymrats/groups.md has the table.
@Suite(.serialized, .timeLimit(.minutes(5)), .bothWaysAtFullSize)
struct GroupRaceTests {
  private let noon = "2024-06-05 12:00"

  /// Executes one call in a transaction that stays open, and another call that waits for it.
  ///
  /// Returns both answers.
  private func race(
    _ first: String, _ second: String, in gym: Gym, rollsBack: Bool = false
  ) async throws -> String {
    try await gym.withConnection { other in
      let open = try await OpenTransaction(gym.connection, in: gym)
      _ = try await open.run(.lines("select (\(first))::text"))
      async let answer = gym.call(second, on: other)
      try await gym.waitUntilBlocked()
      if rollsBack { try await open.rollBack() } else { try await open.commit() }
      return try await answer
    }
  }

  private func join(_ user: String) -> String { "join_group('\(user)', '\(Gym.token)')" }

  @Test(.sampled()) func `of 20 that join a group for 10 at once 10 become members`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found()
      let users = (0..<20).map { "u\($0)" }
      for user in users { try await gym.users(user) }
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for user in users {
          group.addTask {
            try await gym.withConnection { try await gym.call(join(user), on: $0) }
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.filter { $0.hasPrefix("(,g,") }.count == 9)
      #expect(answers.filter { $0 == "groupFull" }.count == 11)
      #expect(try await gym.lines("select member_count::text from groups") == ["10"])
      #expect(try await gym.members().count == 10)
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `a user who joins many groups at once is a member of one`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.users("zoe")
      let groups = (0..<6).map { "g\($0)" }
      try await gym.run("update setting set legacy_invites = true")
      for group in groups {
        try await gym.users("a\(group)")
        try await gym.call("create_group('a\(group)', '\(group)', 'G')")
      }
      let calls =
        groups.map { "join_group('zoe', '\($0)')" } + ["create_group('zoe', 'own', 'Own')"]
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for call in calls {
          group.addTask { try await gym.withConnection { try await gym.call(call, on: $0) } }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.filter { $0.hasPrefix("alreadyInGroup ") }.count == 6)
      #expect(try await gym.lines("select group_id from member where user_id = 'zoe'").count == 1)
      #expect(try await gym.broken() == [])
    }
  }

  @Test(arguments: [true, false])
  func `the second of one user's joins waits for the first`(rollsBack: Bool) async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found()
      try await gym.users("bob", "cid")
      try await gym.call("create_group('cid', 'h', 'H')")
      try await gym.run("update setting set legacy_invites = true, invite_attempts = 1000")
      // The attempt is inserted directly, because two attempts of one user would take turns before
      // that point.
      let answer = try await race(
        "create_group('bob', 'own', 'Own')", join("bob"), in: gym, rollsBack: rollsBack)
      #expect(rollsBack ? answer.hasPrefix("(,g,") : answer == "alreadyInGroup own")
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `the same group made twice at once is one group and one answer`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.users("ann")
      let make = "create_group('ann', 'g', 'G')"
      #expect(try await race(make, make, in: gym).hasPrefix("(g,G,1,"))
      #expect(try await gym.members() == ["ann admin"])
    }
  }

  @Test func `the last place goes to who asked first, or to the next where that rolled back`()
    async throws
  {
    for rollsBack in [false, true] {
      try await Gym.open(at: noon) { gym in
        try await gym.found()
        try await gym.users("bob", "cid")
        try await gym.run("update groups set max_members = 2")
        let answer = try await race(join("bob"), join("cid"), in: gym, rollsBack: rollsBack)
        #expect(rollsBack ? answer.hasPrefix("(,g,") : answer == "groupFull")
        #expect(try await gym.broken() == [])
      }
    }
  }

  @Test func `an invite that is revoked while somebody joins is no good`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found()
      try await gym.users("bob")
      let answer = try await race(
        "revoke_invite('ann', (select id from invite))", join("bob"), in: gym)
      #expect(answer == "(inviteInvalid,,)")
      #expect(try await gym.members() == ["ann admin"])
    }
  }

  @Test func `the last admin leaves while another is removed`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob", "cid")
      try await gym.call("promote('ann', 'g', 'bob')")
      // Bob would be the next admin, but is no longer a member when Ann leaves.
      #expect(
        try await race("remove_member('ann', 'g', 'bob')", "leave_group('ann', 'g')", in: gym)
          == "")
      #expect(try await gym.members() == ["cid admin"])
      #expect(try await gym.broken() == [])
    }
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob", "cid")
      #expect(
        try await race("leave_group('ann', 'g')", "remove_member('ann', 'g', 'bob')", in: gym)
          == "notAMember")
      #expect(try await gym.members() == ["bob admin", "cid member"])
    }
  }

  @Test func `two admins remove each other, and one stays`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.call("promote('ann', 'g', 'bob')")
      #expect(
        try await race(
          "remove_member('ann', 'g', 'bob')", "remove_member('bob', 'g', 'ann')", in: gym)
          == "notAMember")
      #expect(try await gym.members() == ["ann admin"])
    }
  }

  @Test func `the last two leave at once, and the group ends`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      #expect(
        try await race("leave_group('ann', 'g')", "leave_group('bob', 'g')", in: gym) == "")
      #expect(try await gym.lines("select is_active::text from groups") == ["false"])
      #expect(try await gym.broken() == [])
    }
  }

  // MARK: Workouts

  @Test(arguments: ["leave_group('bob', 'g')", "delete_group('ann', 'g')"])
  func `a workout that is being recorded is waited for, and then hidden or cancelled`(end: String)
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      #expect(
        try await race("(record_workout('bob', 'w')).outcome", end, in: gym) == "")
      #expect(try await gym.broken() == [])
      try await gym.publishAll()
      if end.hasPrefix("leave") { #expect(try await gym.standings("2024-06-03") == []) }
    }
  }

  @Test(
    .sampled(),
    arguments: [
      ("leave_group('bob', 'g')", "noActiveGroup"), ("delete_group('ann', 'g')", "noActiveGroup"),
      ("remove_member('ann', 'g', 'bob')", "noActiveGroup"),
    ])
  func `a workout that comes meanwhile finds no group`(end: String, answer: String) async throws {
    for rollsBack in [false, true] {
      try await Gym.open(at: noon) { gym in
        try await gym.found("bob")
        try await gym.record("first", by: "bob")
        #expect(
          try await race(end, "(record_workout('bob', 'w')).outcome", in: gym, rollsBack: rollsBack)
            == (rollsBack ? "accepted" : answer))
        #expect(try await gym.broken() == [])
      }
    }
  }

  @Test func `a workout of another member waits for nobody who joins or leaves`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob", "cid")
      try await gym.users("dan")
      // The same holds for the week's first workout.
      try await gym.stand(at: "2024-06-10 12:00")
      try await gym.withConnection { other in
        let leaving = try await OpenTransaction(gym.connection, in: gym)
        _ = try await leaving.run(.lines("select leave_group('bob', 'g')::text"))
        _ = try await leaving.run(.lines("select (\(join("dan")))::text"))
        let writer = try await OpenTransaction(other, in: gym, limit: "10s")
        #expect(try await writer.run(.record("w", by: "cid")) == "accepted 2024-06-10")
        try await writer.commit()
        try await leaving.commit()
      }
      #expect(try await gym.broken() == [])
    }
  }

  // MARK: The close

  private func withDueWeek(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      for user in ["ann", "bob"] { try await gym.record("1", by: user) }
      try await gym.stand(at: "2024-06-10 00:10")
      try await body(gym)
    }
  }

  @Test(.sampled(), arguments: ["leave_group('bob', 'g')", "delete_group('ann', 'g')"])
  func `who ends something during the close waits for it, and the closed week stays`(end: String)
    async throws
  {
    try await withDueWeek { gym in
      try await gym.withConnection { other in
        let closing = try await OpenClose(gym.connection, in: gym)
        async let answer = gym.call(end, on: other)
        try await gym.waitUntilBlocked()
        try await closing.commit()
        #expect(try await answer == "")
      }
      #expect(try await gym.states().contains("g 2024-06-03 closed"))
      #expect(try await gym.standings("2024-06-03").count == 2)
      #expect(try await gym.ended() == ["ann 2024-06-03", "bob 2024-06-03"])
      #expect(try await gym.broken() == [])
    }
  }

  @Test(.sampled(), arguments: ["leave_group('bob', 'g')", "delete_group('ann', 'g')"])
  func `a close passes by a group of which somebody ends something`(end: String) async throws {
    try await withDueWeek { gym in
      try await gym.withConnection { other in
        let open = try await OpenTransaction(other, in: gym)
        _ = try await open.run(.lines("select (\(end))::text"))
        #expect(try await gym.close().held == 1)
        try await open.commit()
      }
      let isDeleted = end.hasPrefix("delete")
      #expect(try await gym.close().closed == (isDeleted ? 0 : 1))
      #expect(try await gym.ended() == (isDeleted ? [] : ["ann 2024-06-03"]))
    }
  }

  @Test func `no board is made of a group that is being deleted`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found()
      try await gym.stand(at: "2024-06-10 12:00")
      #expect(
        try await race(
          "delete_group('ann', 'g')", "(select count(*) from current_week_challenges('ann', 'g'))",
          in: gym) == "groupNotFound")
    }
    try await Gym.open(at: noon) { gym in
      try await gym.found()
      try await gym.stand(at: "2024-06-10 12:00")
      #expect(
        try await race(
          "(select count(*) from current_week_challenges('ann', 'g'))", "delete_group('ann', 'g')",
          in: gym) == "")
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `a job makes no board of a group that has ended meanwhile`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found()
      try await gym.withConnection { other in
        let deleting = try await OpenTransaction(other, in: gym)
        _ = try await deleting.run(.lines("select delete_group('ann', 'g')::text"))
        async let made: Void = gym.connection.atomically(
          in: gym.schema, .run(SQL.Weeks.makeBoards, "g", "2024-06-10"))
        try await gym.waitUntilBlocked()
        try await deleting.commit()
        try await made
      }
      #expect(try await gym.states() == ["g 2024-06-03 cancelled"])
    }
  }

  // MARK: By hand

  @Test func `two write by hand at once, and the second counts what the first did`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob", "cid")
      try await gym.withConnection { other in
        let first = try await OpenTransaction(gym.connection, in: gym)
        try await first.run(
          .test("update member set left_at = domain_now() where user_id = 'bob'"))
        async let second: Void = gym.run(
          "update member set left_at = domain_now() where user_id = 'cid'", on: other)
        try await gym.waitUntilBlocked()
        try await first.commit()
        try await second
      }
      #expect(try await gym.lines("select member_count::text from groups") == ["1"])
      #expect(try await gym.broken() == [])
    }
  }

  // MARK: All at once

  @Test(.sampled()) func `many who come and go at once break nothing and lose nothing`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found()
      try await gym.run("update setting set invite_attempts = 100000")
      let users = (0..<6).map { "u\($0)" }
      for user in users { try await gym.users(user) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<4 {
          group.addTask {
            try await gym.withConnection { connection in
              for nth in 0..<30 {
                let user = users[(worker * 5 + nth) % users.count]
                let call =
                  switch (worker + nth) % 4 {
                  case 0, 1: join(user)
                  case 2: "leave_group('\(user)', 'g')"
                  default: "remove_member('ann', 'g', '\(user)')"
                  }
                try await gym.call(call, on: connection)
                try await gym.record("\(worker) \(nth)", by: user, on: connection)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await gym.broken() == [])
      try await gym.publishAll()
      let ranked = try await gym.lines("select distinct user_id from standing order by 1")
      let present = try await gym.lines(
        "select distinct user_id from entry where not hidden and value > 0 order by 1")
      #expect(ranked == present)
    }
  }
}

import BatonPostgres
import Challenges
import ChallengesServer
import TestSupport
import Testing

/// Rule 65: if a member leaves, is removed, hides or comes back, the ranks of others change without
/// a notification.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SilentMoveTests {
  private let board = "challenge_id('g', '2024-06-03', 'check-ins')"

  /// Creates Ann, Bob, Cid and Dan with 4, 3, 2 and 1 check-ins.
  ///
  /// The members have been notified once.
  private func withRanks(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-05 00:00") { gym in
      try await gym.found("bob", "cid", "dan")
      try await gym.stand(at: "2024-06-05 12:00")
      for (user, count) in [("ann", 4), ("bob", 3), ("cid", 2), ("dan", 1)] {
        for n in 1...count { try await gym.record("\(n)", by: user, at: "2024-06-05 0\(n):00") }
      }
      try await gym.publishAndTell()
      try await gym.run("delete from notification")
      try await body(gym)
    }
  }

  private func record(_ user: String, _ names: String..., in gym: Gym) async throws {
    for name in names { try await gym.record(name, by: user, at: "2024-06-05 11:00") }
  }

  private func expectQuiet(_ gym: Gym) async throws {
    #expect(try await gym.told() == [])
    #expect(
      try await gym.lines(
        "select user_id from standing where challenge_id = \(board) and told_rank <> rank") == [])
    #expect(try await gym.lines("select user_id from silent_move") == [])
  }

  @Test(
    .sampled(),
    arguments: [
      "select leave_group('ann', 'g')",
      "select remove_member('bob', 'g', 'ann') from promote('ann', 'g', 'bob')",
      "update member set left_at = domain_now() where user_id = 'ann'",
      "update entry set hidden = true where user_id = 'ann'",
      "delete from entry where user_id = 'ann'",
    ])
  func `whoever goes, the others move up and are told nothing`(going: String) async throws {
    try await withRanks { gym in
      try await gym.run(going)
      try await gym.publishAndTell()
      #expect(try await gym.standings("2024-06-03") == ["1 1 bob 3", "2 2 cid 2", "3 3 dan 1"])
      try await expectQuiet(gym)
    }
  }

  @Test func `under unique ranks, whoever passes a member who was away for a while is told`()
    async throws
  {
    try await withRanks { gym in
      try await gym.run("update setting set check_ins_rank = 'unique'")
      // Bob has as many check-ins as Ann, but reached them later.
      try await record("bob", "x", in: gym)
      try await gym.publishAndTell()
      #expect(try await gym.standings("2024-06-03").prefix(2) == ["1 1 ann 4", "2 2 bob 4"])
      try await gym.run("delete from notification")
      try await gym.call("leave_group('ann', 'g')")
      try await gym.publishAll()
      try await gym.call("join_group('ann', '\(Gym.token)')")
      try await gym.publishAll()
      try await record("bob", "y", in: gym)
      try await gym.publishAndTell()
      #expect(try await gym.standings("2024-06-03").first == "1 1 bob 5")
      #expect(try await gym.told() == ["bob 2 1"])
    }
  }

  @Test(.sampled(), arguments: [(true, false), (false, false), (false, true)])
  func `whoever comes back moves the others down, and they are told nothing`(
    isTold: Bool, isLookedAt: Bool
  ) async throws {
    try await withRanks { gym in
      try await gym.call("leave_group('ann', 'g')")
      try await gym.publishAll()
      if isTold { try await gym.tell() }
      try await gym.call("join_group('ann', '\(Gym.token)')")
      // The board has changed, and does not yet display the member who came back.
      if isLookedAt { try await gym.tell() }
      try await gym.publishAndTell()
      #expect(try await gym.standings("2024-06-03").first == "1 1 ann 4")
      try await expectQuiet(gym)
    }
  }

  @Test func `who goes and is back before anybody looked leaves no trace`() async throws {
    try await withRanks { gym in
      for _ in 0..<2 {
        try await gym.call("leave_group('ann', 'g')")
        try await gym.call("join_group('ann', '\(Gym.token)')")
      }
      try await record("dan", "a", in: gym)
      try await gym.publishAndTell()
      #expect(try await gym.told() == ["dan 4 3"])
      #expect(
        try await gym.lines("select user_id from silent_move where challenge_id = \(board)") == [])
    }
  }

  @Test func `whoever passed somebody in the same half minute is told of that alone`() async throws
  {
    try await withRanks { gym in
      try await record("cid", "a", "b", in: gym)
      try await gym.call("leave_group('ann', 'g')")
      try await gym.publishAndTell()
      #expect(try await gym.told().sorted() == ["bob 1 2", "cid 2 1"])
      try await gym.run("delete from notification")
      try await gym.call("join_group('ann', '\(Gym.token)')")
      try await record("dan", "a", "b", "c", in: gym)
      try await gym.publishAndTell()
      // Ann and Cid have 4. Dan also has 4, because he passed Bob and reached Cid's value.
      #expect(try await gym.told().sorted() == ["bob 3 4", "dan 4 1"])
      #expect(
        try await gym.lines("select content ->> 'message' from notification where user_id = 'bob'")
          == ["Dan passed you: you are now #4 in check-ins."])
    }
  }

  @Test func `what a newcomer moves is told`() async throws {
    try await withRanks { gym in
      try await gym.users("eve")
      try await gym.call("join_group('eve', '\(Gym.token)')")
      try await gym.run("update member set joined_at = '2024-06-01' where user_id = 'eve'")
      try await gym.call("leave_group('ann', 'g')")
      for n in 1...5 { try await record("eve", "\(n)", in: gym) }
      try await gym.publishAndTell()
      #expect(try await gym.told().sorted() == ["bob 1 2", "cid 2 3", "dan 3 4"])
    }
  }

  @Test func `an unread notification whose rank went silently goes, or counts from where it moved`()
    async throws
  {
    try await withRanks { gym in
      try await record("cid", "a", "b", in: gym)
      try await gym.publishAndTell()
      #expect(try await gym.told().sorted() == ["bob 2 3", "cid 3 1"])
      try await gym.call("leave_group('ann', 'g')")
      try await gym.publishAndTell()
      // Cid is still first. Bob is second, which differs from his notification.
      #expect(try await gym.told() == ["cid 3 1"])
      try await record("bob", "a", "b", in: gym)
      try await gym.publishAndTell()
      #expect(try await gym.told().sorted() == ["bob 2 1", "cid 3 2"])
    }
  }

  @Test func `a value that fell to nothing is no silent move`() async throws {
    try await withRanks { gym in
      for n in 1...4 {
        try await gym.record("\(n)", by: "ann", at: "2024-06-01 10:00", revision: 1)
      }
      try await gym.publishAndTell()
      #expect(try await gym.told().sorted() == ["bob 2 1", "cid 3 2", "dan 4 3"])
    }
  }

  @Test(.sampled(), arguments: ["competition", "unique", "dense"])
  func `equals are moved as their policy ranks them`(policy: String) async throws {
    try await withRanks { gym in
      try await gym.run("update setting set check_ins_rank = '\(policy)'")
      try await record("bob", "a", in: gym)
      try await gym.publishAndTell()
      try await gym.run("delete from notification")
      // Ann and Bob have 4.
      try await gym.call("leave_group('ann', 'g')")
      try await gym.publishAndTell()
      try await expectQuiet(gym)
      try await gym.call("join_group('ann', '\(Gym.token)')")
      try await gym.publishAndTell()
      try await expectQuiet(gym)
      for user in ["ann", "bob"] { try await gym.call("leave_group('\(user)', 'g')") }
      try await gym.publishAndTell()
      try await expectQuiet(gym)
      for user in ["bob", "ann"] { try await gym.call("join_group('\(user)', '\(Gym.token)')") }
      try await gym.publishAndTell()
      try await expectQuiet(gym)
    }
  }

  @Test func `who may not be told yet hears later of the others alone`() async throws {
    try await withRanks { gym in
      try await gym.run("update setting set rank_change_cooldown = '1 hour'")
      try await record("dan", "a", "b", in: gym)
      try await gym.publishAndTell()
      #expect(try await gym.told().sorted() == ["cid 3 4", "dan 4 2"])
      try await gym.run("update notification set is_read = true")
      try await gym.call("leave_group('ann', 'g')")
      try await record("cid", "a", "b", in: gym)
      try await gym.publishAll()
      // Cid passed Bob and Dan, who were both second and would both be first without Ann.
      #expect(try await gym.tell().waiting == 2)
      #expect(try await gym.told().sorted() == ["bob 1 2", "cid 3 4", "dan 4 2"])
      try await gym.stand(at: "2024-06-05 13:00")
      try await gym.tell()
      #expect(
        try await gym.told().sorted() == ["bob 1 2", "cid 3 1", "cid 3 4", "dan 1 2", "dan 4 2"])
    }
  }
}

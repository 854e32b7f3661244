import BatonPostgres
import Challenges
import ChallengesServer
import TestSupport
import Testing

/// Rules 77 to 83: groups, with one call at a time.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct GroupTests {
  private let noon = "2024-06-05 12:00"

  @Test func `who makes a group is its admin, and both boards are there`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.users("ann")
      let made = try await gym.call("create_group('ann', 'g', 'Early birds')")
      #expect(made.hasPrefix("(g,\"Early birds\",1,10,t,\"2024-06-05 12:00:00+00\",ann,admin,"))
      #expect(try await gym.states() == ["g 2024-06-03 open"])
      #expect(try await gym.boards().count == 2)
      #expect(try await gym.record("w") == "accepted 2024-06-03")
      // The same call is repeated, as a phone does after a lost response.
      #expect(try await gym.call("create_group('ann', 'g', 'Early birds')") == made)
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `a group is refused to who is in one, and an id to who has another use for it`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.users("ann", "bob")
      try await gym.call("create_group('ann', 'g', 'G')")
      #expect(try await gym.call("create_group('ann', 'h', 'H')") == "alreadyInGroup g")
      #expect(try await gym.call("create_group('bob', 'g', 'G')") == "conflictingRepeat")
      #expect(try await gym.call("create_group('ann', 'g', 'Other')") == "conflictingRepeat")
      #expect(try await gym.lines("select id from groups") == ["g"])
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "create_group('ann', '', 'G')", "create_group('ann', null, 'G')",
      "create_group('ann', repeat('x', 257), 'G')", "create_group('ann', e'a\\nb', 'G')",
      "create_group('ann', 'g', null)", "create_group('ann', 'g', '  ')",
      "create_group('ann', 'g', repeat('x', 101))", "create_group('ann', 'g', e'a\\nb')",
      "update_group('ann', 'home', null)", "update_group('ann', 'home', ' ')",
      "update_group('ann', 'home', repeat('x', 101))", "update_group('ann', 'home', e'a\\nb')",
      "remove_member('ann', 'home', 'ann')", "mute_group('ann', 'home', null)",
      "create_invite('ann', 'home', 'short')", "create_invite('ann', 'home', repeat('g', 32))",
    ])
  func `what cannot be is invalid input`(call: String) async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.users("ann")
      try await gym.call("create_group('ann', 'home', 'Home')")
      #expect(try await gym.call(call) == "invalidInput")
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "create_group(%, 'h', 'H')", "get_group(%, 'g')", "get_members(%, 'g')",
      "current_week_challenges(%, 'g')", "join_group(%, 'x')", "preview_invite(%, 'x')",
      "leave_group(%, 'g')", "remove_member(%, 'g', 'bob')", "promote(%, 'g', 'bob')",
      "delete_group(%, 'g')", "mute_group(%, 'g', true)", "create_invite(%, 'g')",
      "update_group(%, 'g', 'G')",
      "list_invites(%, 'g')", "revoke_invite(%, gen_random_uuid())",
    ])
  func `nobody calls nothing`(call: String) async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      for actor in ["null", "'nobody'"] {
        let error = await #expect(throws: PostgresError.self) {
          try await gym.run("select from \(call.replacing("%", with: actor))")
        }
        #expect(error?.sqlState.code == "ZG001" && error?.constraint == "notAuthenticated")
        #expect(error?.hint?.isEmpty == false)
      }
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "get_group('%', 'g')", "leave_group('%', 'g')", "remove_member('%', 'g', 'ann')",
      "promote('%', 'g', 'bob')", "delete_group('%', 'g')", "mute_group('%', 'g', true)",
      "create_invite('%', 'g')", "update_group('%', 'g', 'G')",
    ])
  func `who is no member is refused, and a group that is not there is not found`(call: String)
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.users("zoe")
      #expect(try await gym.call(call.replacing("%", with: "zoe")) == "notAMember")
      let other = call.replacing("%", with: "ann").replacing("'g'", with: "'none'")
      #expect(try await gym.call(other) == "groupNotFound")
    }
  }

  @Test func `members and boards are read by members`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.users("zoe")
      try await gym.run("update users set photo_url = 'https://a.test/b' where id = 'bob'")
      let fields = "user_id, display_name, photo_url, role, joined_at = domain_now()"
      #expect(
        try await gym.lines("select concat_ws(' ', \(fields)) from get_members('bob', 'g')")
          == ["ann Ann admin t", "bob Bob https://a.test/b member t"])
      #expect(
        try await gym.lines("select (get_group('bob', 'g')).role") == ["member"])
      for query in ["get_members", "current_week_challenges", "list_invites"] {
        let error = await #expect(throws: PostgresError.self) {
          try await gym.run("select from \(query)('zoe', 'g')")
        }
        #expect(error?.constraint == "notAMember")
      }
    }
  }

  @Test func `this week's boards are both there by the clock, whatever jobs have done`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found()
      try await gym.stand(at: "2024-06-10 00:00")
      let list = """
        select concat_ws(' ', type, week_start, is_active,
          id = challenge_id('g', week_start, type)) from current_week_challenges('ann', 'g')
        """
      #expect(try await gym.lines(list) == ["check-ins 2024-06-10 t t", "streak 2024-06-10 t t"])
      #expect(try await gym.boards("2024-06-10").count == 2)
      #expect(try await gym.lines(list).count == 2)
      #expect(try await gym.record("w") == "accepted 2024-06-10")
    }
  }

  @Test func `a member who leaves is on no open board, and keeps the closed ones`() async throws {
    try await Gym.open(at: "2024-06-09 12:00") { gym in
      try await gym.found("bob")
      for user in ["ann", "bob"] { try await gym.record("1", by: user) }
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      for user in ["ann", "bob"] { try await gym.record("2", by: user) }
      try await gym.publishAll()
      #expect(try await gym.currentGroups("ann", "bob") == ["g", "g"])
      #expect(try await gym.call("leave_group('bob', 'g')") == "")
      #expect(try await gym.currentGroups("ann", "bob") == ["g", "none"])
      try await gym.publishAll()
      #expect(try await gym.standings("2024-06-03").count == 2)
      #expect(try await gym.standings("2024-06-10") == ["1 1 ann 1"])
      #expect(try await gym.record("3", by: "bob") == "noActiveGroup 2024-06-10")
      // The call is repeated, and is also called by a user who was never a member.
      #expect(try await gym.call("leave_group('bob', 'g')") == "")
      #expect(try await gym.broken() == [])
      try await gym.stand(at: "2024-06-17 00:10")
      try await gym.close()
      #expect(try await gym.ended().filter { $0.hasSuffix("06-10") } == ["ann 2024-06-10"])
    }
  }

  @Test func `who comes back has the entries, the first joining and the streak again`()
    async throws
  {
    try await Gym.open(at: "2024-06-04 12:00") { gym in
      try await gym.found("bob")
      try await gym.record("1", by: "bob")
      try await gym.stand(at: noon)
      try await gym.record("2", by: "bob")
      try await gym.call("leave_group('bob', 'g')")
      try await gym.stand(at: "2024-06-06 12:00")
      #expect(
        try await gym.call("join_group('bob', '\(Gym.token)')") == "(,g,\"2024-06-04 12:00:00+00\")"
      )
      try await gym.publishAll()
      #expect(try await gym.standings("2024-06-03") == ["1 1 bob 2"])
      for (name, time, answer) in [
        ("between", "2024-06-06 11:59:59.999999", "notCounted notAMember 2024-06-03"),
        ("left", "2024-06-05 12:00", "notCounted notAMember 2024-06-03"),
        ("before", "2024-06-04 11:59", "notCounted beforeJoining 2024-06-03"),
        ("inside", "2024-06-05 11:59", "accepted 2024-06-03"),
        ("back", "2024-06-06 12:00", "accepted 2024-06-03"),
      ] { #expect(try await gym.record(name, by: "bob", at: time) == answer) }
      try await gym.publishAll()
      #expect(try await gym.standings("2024-06-03", "streak") == ["1 1 bob 3"])
      #expect(
        try await gym.lines(
          """
          select concat_ws(' ', to_char(joined_at, 'DD'), to_char(left_at, 'DD'))
          from membership where user_id = 'bob' order by joined_at
          """) == ["04 05", "06"])
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `an edit into the time between takes the workout off the board`() async throws {
    try await Gym.open(at: "2024-06-04 12:00") { gym in
      try await gym.found("bob")
      try await gym.record("1", by: "bob")
      try await gym.call("leave_group('bob', 'g')")
      try await gym.stand(at: "2024-06-06 12:00")
      try await gym.call("join_group('bob', '\(Gym.token)')")
      #expect(
        try await gym.record("1", by: "bob", at: "2024-06-05 12:00", revision: 1)
          == "notCounted notAMember 2024-06-03")
      #expect(try await gym.entries(of: "bob").first?.hasPrefix("2024-06-03 check-ins 0") == true)
    }
  }

  @Test func `leaving and coming back at one instant, time and again, is one membership`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      for _ in 0..<3 {
        try await gym.call("leave_group('bob', 'g')")
        try await gym.call("join_group('bob', '\(Gym.token)')")
      }
      #expect(try await gym.members() == ["ann admin", "bob member"])
      #expect(try await gym.record("w", by: "bob") == "accepted 2024-06-03")
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `the last admin makes one of the longest member, and the last member ends the group`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found("zoe")
      try await gym.stand(at: "2024-06-05 13:00")
      try await gym.users("bob")
      try await gym.call("join_group('bob', '\(Gym.token)')")
      try await gym.call("leave_group('ann', 'g')")
      #expect(try await gym.members() == ["zoe admin", "bob member"])
      try await gym.call("promote('zoe', 'g', 'bob')")
      try await gym.call("leave_group('zoe', 'g')")
      try await gym.call("join_group('ann', '\(Gym.token)')")
      #expect(try await gym.members() == ["ann member", "bob admin"])
      for user in ["bob", "ann"] { try await gym.call("leave_group('\(user)', 'g')") }
      #expect(try await gym.lines("select is_active::text from groups") == ["false"])
      #expect(try await gym.states() == ["g 2024-06-03 cancelled"])
      #expect(try await gym.call("get_group('ann', 'g')") == "groupNotFound")
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `an admin removes others, once, and nobody else does`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob", "cid")
      #expect(try await gym.call("remove_member('bob', 'g', 'cid')") == "notGroupAdmin")
      #expect(try await gym.call("remove_member('ann', 'g', 'zoe')") == "notAMember")
      #expect(try await gym.call("remove_member('ann', 'g', 'cid')") == "")
      #expect(try await gym.call("remove_member('ann', 'g', 'cid')") == "")
      #expect(try await gym.members() == ["ann admin", "bob member"])
      try await gym.call("leave_group('bob', 'g')")
      #expect(try await gym.call("remove_member('ann', 'g', 'bob')") == "notAMember")
      #expect(
        try await gym.lines(
          "select user_id || ' ' || removed_by from membership where removed_by is not null")
          == ["cid ann"])
      // A member who joins again and leaves was not removed that time.
      try await gym.stand(at: "2024-06-05 13:00")
      try await gym.call("join_group('cid', '\(Gym.token)')")
      try await gym.stand(at: "2024-06-05 14:00")
      try await gym.call("leave_group('cid', 'g')")
      #expect(try await gym.call("remove_member('ann', 'g', 'cid')") == "notAMember")
    }
  }

  @Test func `promoting is for admins and of members, and may be repeated`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob", "cid")
      #expect(try await gym.call("promote('bob', 'g', 'bob')") == "notGroupAdmin")
      #expect(try await gym.call("promote('ann', 'g', 'zoe')") == "notAMember")
      for _ in 0..<2 { #expect(try await gym.call("promote('ann', 'g', 'cid')") == "") }
      #expect(try await gym.members() == ["ann admin", "bob member", "cid admin"])
      try await gym.call("leave_group('ann', 'g')")
      #expect(try await gym.members() == ["bob member", "cid admin"])
    }
  }

  @Test func `a group that is deleted has no members, open boards or invites, and tells nobody`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      for user in ["ann", "bob"] { try await gym.record("1", by: user) }
      try await gym.publishAndTell()
      #expect(try await gym.call("delete_group('bob', 'g')") == "notGroupAdmin")
      #expect(try await gym.call("delete_group('ann', 'g')") == "")
      #expect(try await gym.call("delete_group('ann', 'g')") == "")
      #expect(try await gym.call("delete_group('bob', 'g')") == "groupNotFound")
      #expect(try await gym.members() == [])
      #expect(try await gym.currentGroups("ann", "bob") == ["none", "none"])
      #expect(try await gym.states() == ["g 2024-06-03 cancelled"])
      try await gym.users("zoe")
      #expect(try await gym.call("join_group('zoe', '\(Gym.token)')") == "(inviteInvalid,,)")
      #expect(try await gym.record("2", by: "bob") == "noActiveGroup 2024-06-03")
      try await gym.publishAndTell()
      try await gym.stand(at: "2024-06-10 00:10")
      #expect(try await gym.close().closed == 0)
      #expect(try await gym.ended() == [])
      #expect(try await gym.broken() == [])
      // The id of the invite can be used for another group.
      #expect(try await gym.call("create_group('bob', 'h', 'H')").hasPrefix("(h,H,1,"))
    }
  }

  @Test func `a board is read by members, as it is published`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.users("zoe")
      for user in ["ann", "bob"] { try await gym.record("1", by: user) }
      let board = "leaderboard(%, challenge_id('g', '2024-06-03', 'check-ins'))"
      let mine = board.replacing("%", with: "'bob'")
      #expect(try await gym.lines("select user_id from \(mine)") == [])
      try await gym.publishAll()
      #expect(
        try await gym.lines(
          """
          select concat_ws(' ', position, rank, user_id, value, is_actor, rank_version)
          from \(mine)
          """
        )
          == ["1 1 ann 1 f 1", "2 1 bob 1 t 1"])
      for (call, name) in [
        (board.replacing("%", with: "'zoe'"), "notAMember"),
        (board.replacing("%", with: "null"), "notAuthenticated"),
        ("leaderboard('bob', gen_random_uuid())", "challengeNotFound"),
      ] {
        let answer = try await gym.call("(select count(*) from \(call))")
        #expect(answer == name)
      }
    }
  }

  @Test func `who mutes a group is told of no ranks there`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      for muted in [true, false] {
        #expect(try await gym.call("mute_group('bob', 'g', \(muted))") == "")
        #expect(try await gym.call("(get_group('bob', 'g')).is_muted") == "\(muted)")
      }
    }
  }
}

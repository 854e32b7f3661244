import TestSupport
import Testing

/// Tests concurrent calls about groups in real transactions.
///
/// docs/whosthere/rules.md has the rules.
@Suite(.timeLimit(.minutes(5))) struct MeetingRaceTests {
  @Test(.sampled()) func `of 20 that join a group for 10 at once 10 become members`() async throws {
    try await Places.with { places in
      try await places.accounts("ann")
      try await places.found("g", by: "ann", most: 10)
      let code = try await places.call("current_invite('ann', 'g')", "code")
      let users = (0..<20).map { "u\($0)" }
      try await places.sql(
        """
        insert into users (id, display_name, is_anonymous)
        select 'u' || n, 'U', false from generate_series(0, 19) n
        """)
      let answers = try await places.atOnce(
        users.enumerated().map { number, user in
          number % 2 == 0
            ? "(select id from join_public_group('\(user)', 'g')) j"
            : "(select group_id from redeem_invite('\(user)', '\(code)')) j"
        })
      #expect(answers.filter { $0 == "g" }.count == 9)
      #expect(answers.filter { $0 == "groupFull" }.count == 11)
      #expect(try await places.sql("select member_count from groups") == ["10"])
      // A user who got no place in the group has not used up the code.
      #expect(try await places.sql("select count(*) <= 9 from redemption") == ["t"])
      #expect(try await places.broken() == [])
    }
  }

  @Test(.sampled()) func `the last place, the last admin and the last two members`() async throws {
    try await Places.with { places in
      try await places.accounts("ann", "bob", "cid", "dan")
      try await places.found("g", by: "ann", most: 2)
      let join = "(select id from join_public_group('$', 'g')) j"
      for rollsBack in [true, false] {
        try await places.call("leave_group('cid', 'g')")
        let answer = try await places.race(
          join.replacing("$", with: "bob"), join.replacing("$", with: "cid"), rollsBack: rollsBack)
        #expect(answer == (rollsBack ? "g" : "groupFull"))
        #expect(try await places.broken() == [])
      }
      // The last admin leaves while another member is removed. That member would be the next admin,
      // but is already removed.
      try await places.found("h", by: "ann", "bob", "cid")
      try await places.call("promote('ann', 'h', 'bob')")
      #expect(
        try await places.race("remove_member('ann', 'h', 'bob')", "leave_group('ann', 'h')") == "")
      #expect(try await places.members(of: "h") == ["cid admin"])
      try await places.found("i", by: "ann", "bob", "cid")
      try await places.call("promote('ann', 'i', 'bob')")
      #expect(
        try await places.race("leave_group('ann', 'i')", "remove_member('ann', 'i', 'bob')")
          == "notAMember")
      // Two admins remove each other, and one admin remains.
      try await places.call("promote('bob', 'i', 'cid')")
      #expect(
        try await places.race(
          "remove_member('bob', 'i', 'cid')", "remove_member('cid', 'i', 'bob')")
          == "notAMember")
      #expect(try await places.members(of: "i") == ["bob admin"])
      // The last two members leave at the same time, and a user who joins finds no group any more.
      try await places.found("j", by: "ann", "bob")
      #expect(try await places.race("leave_group('ann', 'j')", "leave_group('bob', 'j')") == "")
      #expect(
        try await places.race("leave_group('cid', 'h')", "join_public_group('dan', 'h')")
          == "groupNotFound")
      #expect(
        try await places.sql("select id from groups where not is_active order by id") == ["h", "j"])
      #expect(try await places.broken() == [])
    }
  }

  @Test func `a code that is replaced or whose group ends meanwhile is no good`() async throws {
    try await Places.with { places in
      try await places.accounts("ann", "bob", "cid")
      try await places.found("g", by: "ann")
      let code = try await places.call("current_invite('ann', 'g')", "code")
      let redeem = "(select refusal, group_id from redeem_invite('bob', '$')) r"
      let rotate = "(select code from rotate_invite('ann', 'g', '\(code)')) r"
      // Two concurrent rotations create one code.
      let next = try await places.race(rotate, rotate)
      #expect(try await places.sql("select code from invite where replaced_at is null") == [next])
      #expect(
        try await places.race(
          rotate.replacing(code, with: next), redeem.replacing("$", with: next))
          == "inviteInvalid,")
      let last = try await places.call("current_invite('ann', 'g')", "code")
      #expect(
        try await places.race("delete_group('ann', 'g')", redeem.replacing("$", with: last))
          == "inviteInvalid,")
      // One user calls twice at the same time: the attempts take turns, and one membership is
      // created.
      try await places.found("h", by: "ann")
      let other = redeem.replacing(
        "$", with: try await places.call("current_invite('ann', 'h')", "code"))
      #expect(try await places.race(other, other) == ",h")
      #expect(try await places.sql("select user_id from redemption") == ["bob"])
      #expect(try await places.sql("select distinct attempts from invite_attempt") == ["0"])
      // If the same group is created twice at the same time, both calls return the same group.
      let make = "(select id, role from create_group('cid', 'k', 'K', \(Places.park), 'UTC')) c"
      #expect(try await places.race(make, make) == "k,admin")
      #expect(try await places.broken() == [])
    }
  }
}

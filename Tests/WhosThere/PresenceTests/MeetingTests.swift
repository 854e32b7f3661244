import TestSupport
import Testing

/// Tests groups and their members, with one call at a time.
@Suite(.timeLimit(.minutes(5))) struct MeetingTests {
  private let short =
    "concat_ws(' ', id, name, is_public, time_zone, member_count, max_members, role)"

  @Test func `a group is made once, changed by its admins, and seen by who may see it`()
    async throws
  {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann", "bob", "zoe")
      let make = "create_group('ann', 'g', 'Chess', \(Places.park), 'Europe/Berlin')"
      let made = try await places.call(make)
      #expect(try await places.call(make, short) == "g Chess f Europe/Berlin 1 50 admin")
      // The same call is repeated, as a phone does after a lost response.
      #expect(try await places.call(make) == made)
      #expect(
        try await places.call(make, "shape, created_by, version, joined_at = created_at")
          == "{type: circle, center: {latitude: 52.5, longitude: 13.4}, radius: 100},ann,1,t")
      for (text, other) in [
        ("'Chess'", "'Go'"), ("52.5", "52.6"), ("Berlin", "Oslo"), ("'ann'", "'bob'"),
        (", 'Europe/Berlin'", ", 'Europe/Berlin', true"),
      ] {
        let call = make.replacing(text, with: other)
        #expect(try await places.call(call) == "conflictingRepeat", "\(call)")
      }

      for call in [
        "get_group('bob', 'g')", "get_members('bob', 'g')", "join_public_group('bob', 'g')",
      ] {
        #expect(try await places.call(call) == "groupNotFound", "\(call)")
      }
      let change = """
        update_group('ann', 'g', 'Go', \(Places.circle(-33.9, 151.2)), 'Australia/Sydney', true, 2)
        """
      for _ in 0..<2 {
        #expect(
          try await places.call(change, "version, \(short)")
            == "2,g Go t Australia/Sydney 1 2 admin")
      }
      #expect(try await places.sql("select area ~= box '(1,1),(0,0)' from group_area") == ["f"])
      #expect(
        try await places.call("get_group('bob', 'g')", short) == "g Go t Australia/Sydney 1 2")
      #expect(try await places.call("joined_groups('bob')") == "")
      #expect(
        try await places.call("join_public_group('bob', 'g')", short)
          == "g Go t Australia/Sydney 2 2 member")
      #expect(try await places.call(change.replacing("'ann'", with: "'bob'")) == "notGroupAdmin")
      #expect(try await places.call("join_public_group('zoe', 'g')") == "groupFull")
      #expect(
        try await places.call("joined_groups('bob')", short) == "g Go t Australia/Sydney 2 2 member"
      )
      #expect(
        try await places.call(
          "get_members('bob', 'g')", "concat_ws(' ', user_id, display_name, role)")
          == "ann Ann admin; bob Bob member")
      #expect(
        try await places.call("get_users('bob', '{ann,bob,zoe,none,ann}')", "user_id, display_name")
          == "ann,Ann; bob,Bob")
      #expect(
        try await places.call(change.replacing("true, 2)", with: "true, 1)")) == "invalidInput")
      #expect(try await places.broken() == [])
    }
  }

  @Test func `public groups come page by page, and each once`() async throws {
    try await Places.with { places in
      try await places.accounts("ann")
      let names = ["Zug", "apfel", "Ärger", "Berg", "Berg", "Bach", "zu"]
      for (number, name) in names.enumerated() {
        try await places.call(
          "create_group('ann', '\(number)', '\(name)', \(Places.park), 'UTC', \(number != 6))")
      }
      var seen: [String] = []
      var last = "null, null"
      for _ in 0..<10 {
        let page = try await places.sql(
          "select name || '|' || id from public_groups('ann', \(last), 2)")
        seen += page
        guard let end = page.last else { break }
        let parts = end.split(separator: "|")
        last = "'\(parts[0])', '\(parts[1])'"
      }
      #expect(seen == ["Bach|5", "Berg|3", "Berg|4", "Zug|0", "apfel|1", "Ärger|2"])
      for page in ["0", "101", "null"] {
        #expect(try await places.call("public_groups('ann', page => \(page))") == "invalidInput")
      }
    }
  }

  @Test func `who leaves, is removed or comes back, and what an admin may do`() async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann", "bob", "cid", "dan", "zoe")
      try await places.found("g", by: "ann", "bob", "cid", "dan")
      for call in [
        "remove_member('bob', 'g', 'cid')", "promote('bob', 'g', 'bob')",
        "delete_group('bob', 'g')",
        "rotate_invite('bob', 'g', null)",
      ] { #expect(try await places.call(call) == "notGroupAdmin", "\(call)") }
      for call in ["remove_member('ann', 'g', 'zoe')", "promote('ann', 'g', 'zoe')"] {
        #expect(try await places.call(call) == "notAMember", "\(call)")
      }
      #expect(try await places.call("remove_member('ann', 'g', 'ann')") == "invalidInput")
      let code = try await places.call("current_invite('ann', 'g')", "code")
      #expect(try await places.call("leave_group('dan', 'g')") == "")
      #expect(try await places.call("redeem_invite('dan', '\(code)')", "refusal, group_id") == ",g")
      for _ in 0..<2 { #expect(try await places.call("remove_member('ann', 'g', 'dan')") == "") }
      // A removed member cannot join the public group, nor use the earlier code again, but can use
      // another code.
      #expect(try await places.call("join_public_group('dan', 'g')") == "notAMember")
      #expect(
        try await places.call("redeem_invite('dan', '\(code)')", "refusal") == "inviteInvalid")
      let next = try await places.call("rotate_invite('ann', 'g', '\(code)')", "code")
      #expect(try await places.call("redeem_invite('dan', '\(next)')", "group_id") == "g")
      // A member who left can join the public group again, as a member since the first day.
      try await places.stand(at: "2024-06-06 12:00")
      for _ in 0..<2 { #expect(try await places.call("leave_group('cid', 'g')") == "") }
      #expect(try await places.call("remove_member('ann', 'g', 'cid')") == "notAMember")
      #expect(
        try await places.call("join_public_group('cid', 'g')", "role, to_char(joined_at, 'DD')")
          == "member,05")
      // When the last admin leaves, the oldest member becomes admin. If two joined at the same
      // time, the id decides.
      for _ in 0..<2 { #expect(try await places.call("promote('ann', 'g', 'dan')") == "") }
      try await places.call("leave_group('ann', 'g')")
      #expect(try await places.members() == ["bob member", "cid member", "dan admin"])
      try await places.call("leave_group('dan', 'g')")
      #expect(try await places.members() == ["bob admin", "cid member"])
      for user in ["bob", "cid"] { try await places.call("leave_group('\(user)', 'g')") }
      #expect(try await places.sql("select is_active, member_count from groups") == ["f,0"])
      #expect(try await places.call("join_public_group('ann', 'g')") == "groupNotFound")
      #expect(try await places.call("delete_group('ann', 'g')") == "groupNotFound")
      #expect(try await places.broken() == [])

      try await places.found("h", by: "ann", "bob")
      for _ in 0..<2 { #expect(try await places.call("delete_group('ann', 'h')") == "") }
      for call in ["delete_group('bob', 'h')", "get_group('bob', 'h')", "get_members('ann', 'h')"] {
        #expect(try await places.call(call) == "groupNotFound", "\(call)")
      }
      #expect(try await places.members(of: "h") == [])
      #expect(try await places.broken() == [])
    }
  }

  @Test func `a number of members that is not theirs is refused, whoever writes it`() async throws {
    try await Places.with { places in
      try await places.accounts("ann", "bob", "cid")
      try await places.found("g", by: "ann", "bob", most: 2)
      for statement in [
        "update groups set member_count = 1", "update groups set max_members = 1",
        "insert into member (group_id, user_id, joined_at) values ('g', 'cid', now())",
        "update groups set is_active = false",
        """
        insert into groups (id, name, latitude, longitude, radius, time_zone, member_count)
        values ('h', 'H', 0, 0, 100, 'UTC', 1)
        """,
      ] {
        let state = await #expect(throws: (any Error).self, "\(statement)") {
          try await places.sql(statement)
        }
        #expect("\(state.map { "\($0)" } ?? "")".contains("23514"), "\(statement)")
      }
      try await places.sql("delete from member where user_id = 'bob'")
      #expect(try await places.sql("select member_count, version from groups") == ["1,3"])
      #expect(try await places.broken() == [])
    }
  }
}

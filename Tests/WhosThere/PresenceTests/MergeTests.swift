import TestSupport
import Testing

/// Tests that the data of a device's user is merged into an existing account.
@Suite(.timeLimit(.minutes(5))) struct MergeTests {
  private let link = "link_account('dev', 'google', 'acc')"

  /// Creates Dev, a user with one device, Acc, an account, and Boss, who is a member of every group
  /// from the start.
  private func with(_ body: (Places) async throws -> Void) async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.devices("dev")
      try await places.accounts("acc", "boss", "other")
      try await body(places)
    }
  }

  private func member(_ user: String, _ group: String, in places: Places) async throws -> [String] {
    try await places.sql(
      """
      select concat_ws(' ', role, to_char(joined_at, 'DD'), 'left ' || to_char(left_at, 'DD'),
        'by ' || removed_by)
      from member where user_id = '\(user)' and group_id = '\(group)'
      """)
  }

  @Test func `push settings move to an account without settings, and no others`() async throws {
    try await with { places in
      try await places.devices("dev2")
      for user in ["dev", "dev2"] {
        try await places.call("set_push_settings('\(user)', '{message}', '22:00', '07:00')")
      }
      #expect(try await places.call(link, "id") == "acc")
      try await places.call("set_push_settings('other', '{first_arrival}')")
      #expect(try await places.call("link_account('dev2', 'google', 'other')", "id") == "other")
      #expect(
        try await places.sql("select user_id, muted::text, quiet_from from push_setting order by 1")
          == ["acc,{message},22:00:00", "other,{first_arrival},"])
    }
  }

  @Test func `memberships are united, also in full groups, and counted rightly`() async throws {
    try await with { places in
      // The device's user is a member of some groups since the 5th, and the account since the 6th.
      try await places.found("both", by: "boss", "dev", most: 3)
      try await places.found("device", by: "boss", "dev", most: 3)
      try await places.found("back", by: "boss", "dev", "acc", most: 3)
      try await places.found("out", by: "boss", "dev", most: 3)
      try await places.found("sacked", by: "boss", "dev", most: 3)
      try await places.found("own", by: "dev", most: 1)
      try await places.sql("update groups set max_members = 2 where id = 'own'")
      try await places.call("promote('boss', 'both', 'dev')")
      try await places.stand(at: "2024-06-06 12:00")
      for group in ["both", "out", "own", "sacked"] {
        #expect(try await places.call("join_public_group('acc', '\(group)')", "id") == group)
      }
      try await places.found("account", by: "boss", "acc", most: 3)
      try await places.call("leave_group('acc', 'back')")
      try await places.call("join_public_group('other', 'back')")
      for user in ["dev", "acc"] { try await places.call("leave_group('\(user)', 'out')") }
      try await places.stand(at: "2024-06-07 12:00")
      try await places.call("remove_member('boss', 'sacked', 'dev')")
      try await places.call("leave_group('acc', 'sacked')")

      #expect(try await places.call(link, "id, is_anonymous") == "acc,f")
      for (group, expected) in [
        ("both", "admin 05"), ("device", "member 05"), ("account", "member 06"),
        ("back", "member 05"), ("out", "member 05 left 06"), ("own", "admin 05"),
        ("sacked", "member 05 left 07 by boss"),
      ] {
        #expect(try await member("acc", group, in: places) == [expected], "\(group)")
        #expect(try await member("dev", group, in: places) == [], "\(group)")
      }
      #expect(
        try await places.sql("select id, member_count from groups order by id")
          == ["account,2", "back,3", "both,2", "device,2", "out,1", "own,1", "sacked,1"])
      #expect(
        try await places.call("join_public_group('acc', 'sacked')") == "notAMember")
      #expect(try await places.broken() == [])
    }
  }

  @Test func `a removal stays in a merge after the account of the admin is gone`() async throws {
    try await with { places in
      for (group, removed, leaving) in [("first", "dev", "acc"), ("second", "acc", "dev")] {
        try await places.found(group, by: "other", "boss", "dev", "acc")
        try await places.call("remove_member('other', '\(group)', '\(removed)')")
        try await places.call("leave_group('\(leaving)', '\(group)')")
      }
      try await places.call("delete_account('other')")
      #expect(try await places.call(link, "id") == "acc")
      for group in ["first", "second"] {
        #expect(
          try await places.call("join_public_group('acc', '\(group)')") == "notAMember", "\(group)")
      }
      #expect(try await places.broken() == [])
    }
  }

  @Test func `what they made goes over, and who is merged speaks for nobody`() async throws {
    try await with { places in
      try await places.found("g", by: "dev", "other")
      try await places.found("ended", by: "dev")
      try await places.call("delete_group('dev', 'ended')")
      try await places.call("remove_member('dev', 'g', 'other')")
      let code = try await places.call("current_invite('dev', 'g')", "code")
      try await places.found("h", by: "boss", "other")
      let used = try await places.call("current_invite('boss', 'h')", "code")
      for user in ["dev", "acc"] { try await places.call("redeem_invite('\(user)', '\(used)')") }
      try await places.call("redeem_invite('dev', 'no code')")
      let token = try await places.call("begin_session('dev', 'phone')", "token")
      let kept = try await places.call("begin_session('acc', 'tablet')", "token")

      // The same call is repeated, as a phone does after a lost response.
      let answer = try await places.call(link)
      #expect(answer.hasPrefix("acc,Acc,,f,f,,1,"))
      for _ in 0..<2 { #expect(try await places.call(link) == answer) }
      #expect(
        try await places.sql(
          "select id, created_by, deleted_by from groups where id <> 'h' order by id")
          == ["ended,acc,acc", "g,acc,"])
      #expect(
        try await places.sql("select created_by from invite where code = '\(code)'") == ["acc"])
      #expect(try await places.sql("select user_id from redemption") == ["acc"])
      #expect(
        try await places.sql("select user_id || removed_by from member where removed_by <> ''")
          == ["otheracc"])
      #expect(
        try await places.sql("select count(*) from invite_attempt where user_id = 'dev'") == ["0"])
      #expect(try await places.call("user_of_session('\(token)') u", "u") == "")
      #expect(try await places.call("user_of_session('\(kept)') u", "u") == "acc")
      #expect(
        try await places.call("sign_in('anonymous', encode(sha256('dev'), 'hex'))", "id") == "acc")
      for call in [
        "get_user('dev')", "joined_groups('dev')", "leave_group('dev', 'g')",
        "join_public_group('dev', 'h')", "redeem_invite('dev', '\(used)')",
        "begin_session('dev', 'phone')", "delete_account('dev')",
        "link_account('dev', 'google', 'else')", "link_account('dev', 'google', 'boss')",
      ] { #expect(try await places.call(call) == "notAuthenticated", "\(call)") }
      #expect(try await places.broken() == [])
      // When an account is deleted, the users merged into it are deleted as well.
      try await places.call("delete_account('acc')")
      #expect(
        try await places.sql("select id from users order by id") == ["boss", "other"])
      #expect(try await places.members(of: "h") == ["boss admin", "other member"])
      #expect(try await places.sql("select is_active from groups where id = 'g'") == ["f"])
      #expect(try await places.broken() == [])
    }
  }

  @Test(.sampled())
  func `two devices that are merged into one account at once leave nothing behind`()
    async throws
  {
    try await with { places in
      try await places.devices("two")
      try await places.found("g", by: "boss", "dev", "two")
      try await places.found("mine", by: "two")
      try await places.found("first", by: "dev")
      let second = "link_account('two', 'google', 'acc')"
      // The second merge had no locks on the rows that the first merge added.
      #expect(try await places.race(link, second) == "40001")
      #expect(try await places.call(second, "id") == "acc")
      #expect(try await places.members() == ["acc member", "boss admin"])
      for group in ["mine", "first"] {
        #expect(try await places.members(of: group) == ["acc admin"])
      }
      #expect(try await places.broken() == [])
      // The same merge twice, and merges into two accounts.
      try await places.devices("three")
      try await places.call("join_public_group('three', 'g')")
      let third = "link_account('three', 'google', 'acc')"
      #expect(try await places.race(third, third) == "40001")
      #expect(try await places.call(third, "id") == "acc")
      try await places.devices("four")
      let fourth = "link_account('four', 'google', 'acc')"
      #expect(
        try await places.race(fourth, fourth.replacing("'acc'", with: "'boss'")) == "40001")
      #expect(
        try await places.call(fourth.replacing("'acc'", with: "'boss'")) == "notAuthenticated")
      #expect(try await places.broken() == [])
    }
  }

  @Test(.sampled())
  func `who joins while they are merged is in the group as the account, or tries again`()
    async throws
  {
    try await with { places in
      try await places.found("g", by: "boss", "acc")
      try await places.found("far", by: "boss")
      let code = try await places.call("current_invite('boss', 'g')", "code")
      let join = "join_public_group('dev', '$')"
      // A group that no transaction has locked, and a group that the merge has locked.
      for call in [
        join.replacing("$", with: "far"), join.replacing("$", with: "g"),
        "redeem_invite('dev', '\(code)')",
        "create_group('dev', 'new', 'New', \(Places.park), 'UTC')",
      ] {
        #expect(try await places.race(link, call) == "40001", "\(call)")
        #expect(try await places.call(call) == "notAuthenticated", "\(call)")
        #expect(try await places.broken() == [], "\(call)")
        try await places.sql(
          "delete from identity where user_id = 'acc' and provider = 'anonymous'")
        try await places.sql("delete from users where id = 'dev'")
        try await places.devices("dev")
      }
      #expect(try await places.members(of: "far") == ["boss admin"])
      // The opposite order.
      let joined = try await places.race(join.replacing("$", with: "far"), link)
      #expect(joined == "40001")
      #expect(try await places.call(link, "id") == "acc")
      #expect(try await places.members(of: "far") == ["acc member", "boss admin"])
      #expect(try await places.broken() == [])

      // The redemption of a code and a merge take turns, and no deadlock occurs.
      try await places.devices("late")
      // Both calls wait for the group, one after the other.
      let calls = [
        "redeem_invite('late', '\(code)')", link.replacing("'dev'", with: "'late'"),
      ]
      let answers = try await places.withOpen("select from groups where id = 'g' for update") {
        open in
        async let first = places.state(calls[0])
        try await open.waitUntilItBlocks()
        async let second = places.state(calls[1])
        try await open.end("commit")
        return try await [first, second]
      }
      #expect(
        answers[0].hasPrefix(",g,") && ["40001", "acc"].contains { answers[1].hasPrefix($0) })
      #expect(try await places.call(calls[1], "id") == "acc")
      #expect(try await places.broken() == [])
    }
  }
}

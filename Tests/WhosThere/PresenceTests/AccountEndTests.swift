import TestSupport
import Testing

/// Tests the remaining data of a deleted account.
@Suite(.timeLimit(.minutes(5))) struct AccountEndTests {
  @Test(.sampled())
  func `a last admin hands over, a last member ends the group, and the rest has no author`()
    async throws
  {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann", "zoe")
      try await places.found("g", by: "ann", "zoe")
      try await places.stand(at: "2024-06-05 13:00")
      try await places.accounts("bob", "cid")
      for user in ["bob", "cid"] { try await places.call("join_public_group('\(user)', 'g')") }
      try await places.found("alone", by: "ann")
      try await places.found("left", by: "ann", "bob")
      try await places.call("leave_group('ann', 'left')")
      try await places.found("ended", by: "ann")
      try await places.call("delete_group('ann', 'ended')")
      for group in ["g", "alone"] { try await places.call("current_invite('ann', '\(group)')") }
      try await places.call("remove_member('ann', 'g', 'cid')")
      try await places.call("begin_session('ann', 'phone')")
      try await places.call("redeem_invite('ann', '00000000')")

      #expect(try await places.call("delete_account('ann')") == "")
      #expect(try await places.members() == ["zoe admin", "bob member"])
      #expect(
        try await places.sql(
          """
          select id, is_active, member_count, created_by is null, deleted_by is null
          from groups order by id
          """)
          == ["alone,f,0,t,t", "ended,f,0,t,t", "g,t,2,t,t", "left,t,1,t,t"])
      // A code remains valid, unless its group has ended.
      #expect(
        try await places.sql(
          "select group_id, created_by is null, replaced_at is null from invite order by 1")
          == ["alone,t,f", "g,t,t"])
      #expect(
        try await places.sql("select removed_by is null from member where user_id = 'cid'") == ["t"]
      )
      // Cid's removal stays, although the account of the admin who removed Cid is gone.
      #expect(try await places.call("join_public_group('cid', 'g')") == "notAMember")
      #expect(try await places.call("remove_member('zoe', 'g', 'cid')") == "")
      for table in ["session", "identity", "invite_attempt", "redemption", "member"] {
        #expect(
          try await places.sql("select count(*) from \(table) where user_id = 'ann'") == ["0"],
          "\(table)")
      }
      #expect(try await places.call("delete_account('ann')") == "notAuthenticated")
      #expect(
        try await places.call("sign_in('google', 'ann', 'Ann')", "id <> 'ann'") == "t")
      #expect(try await places.broken() == [])
    }
  }

  @Test(.sampled()) func `who joins or makes a group while the account goes leaves nothing behind`()
    async throws
  {
    try await Places.with { places in
      try await places.accounts("boss")
      try await places.found("g", by: "boss")
      let end = "delete_account('ann')"
      for call in [
        "join_public_group('ann', 'g')",
        "create_group('ann', 'new', 'New', \(Places.park), 'UTC')",
      ] {
        // After the deletion, the user no longer exists. A foreign key causes the same error for
        // new rows of the user.
        try await places.accounts("ann")
        let answer = try await places.race(end, call)
        #expect(["40001", "23503"].contains(answer), "\(call): \(answer)")
        #expect(try await places.call(call) == "notAuthenticated", "\(call)")
        // Before the deletion, the call waits for the user's lock and then succeeds.
        try await places.accounts("ann")
        #expect(try await places.race(call, end) == "40001", "\(call)")
        #expect(try await places.call(end) == "")
        #expect(try await places.broken() == [], "\(call)")
      }
      #expect(try await places.sql("select id from users") == ["boss"])
      #expect(try await places.members() == ["boss admin"])
      // Two deletions at once, for one account and for two members of two groups: no deadlock
      // occurs.
      try await places.accounts("ann", "bob")
      for group in ["h", "i"] { try await places.found(group, by: "ann", "bob") }
      #expect(try await places.race(end, "delete_account('bob')") == "")
      try await places.accounts("ann")
      #expect(try await places.race(end, end) == "23503")
      #expect(try await places.sql("select count(*) from groups where is_active") == ["1"])
      #expect(try await places.broken() == [])
    }
  }
}

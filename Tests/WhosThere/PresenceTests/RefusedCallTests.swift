import BatonPostgres
import JobTesting
import PresenceSQL
import TestSupport
import Testing

/// Tests calls with invalid values, or by users without permission: each gets a named error, and
/// writes nothing.
@Suite(.timeLimit(.minutes(5))) struct RefusedCallTests {
  /// Invalid shapes, as JSON.
  static let shapes = [
    "null", "3", "[]", "{}", #"{"type":"square"}"#, #"{"type":"circle"}"#,
    #"{"type":"circle","center":{"latitude":90.1,"longitude":0},"radius":100}"#,
    #"{"type":"circle","center":{"latitude":0,"longitude":-180.5},"radius":100}"#,
    #"{"type":"circle","center":{"latitude":"0","longitude":0},"radius":100}"#,
    #"{"type":"circle","center":{"latitude":0,"longitude":null},"radius":100}"#,
    #"{"type":"circle","center":{"latitude":0,"longitude":0},"radius":24.9}"#,
    #"{"type":"circle","center":{"latitude":0,"longitude":0},"radius":50000.1}"#,
    #"{"type":"circle","center":{"latitude":0,"longitude":0},"radius":-100}"#,
    #"{"type":"circle","center":{"latitude":1e400,"longitude":0},"radius":100}"#,
    #"{"type":"polygon"}"#, #"{"type":"polygon","corners":{}}"#,
    #"{"type":"polygon","corners":[]}"#,
    #"{"type":"polygon","corners":[1,2,3]}"#, #"{"type":"polygon","corners":[null,{},{}]}"#,
  ]

  @Test func `what cannot be a group is refused by name, one by one`() async throws {
    try await Places.with { places in
      try await places.accounts("ann")
      try await places.found("g", by: "ann")
      let before = try await places.sql("select g::text from groups g")
      var calls = Self.shapes.map { "create_group('ann', 'h', 'H', '\($0)', 'UTC')" }
      calls += [
        "create_group('ann', 'h', 'H', null, 'UTC')",
        "create_group('ann', '', 'H', \(Places.park), 'UTC')",
        "create_group('ann', null, 'H', \(Places.park), 'UTC')",
        "create_group('ann', repeat('x', 257), 'H', \(Places.park), 'UTC')",
        "create_group('ann', e'a\\nb', 'H', \(Places.park), 'UTC')",
        "create_group('ann', 'h', null, \(Places.park), 'UTC')",
        "create_group('ann', 'h', '  ', \(Places.park), 'UTC')",
        "create_group('ann', 'h', repeat('x', 101), \(Places.park), 'UTC')",
        "create_group('ann', 'h', e'a\\tb', \(Places.park), 'UTC')",
        "create_group('ann', 'h', 'H', \(Places.park), null)",
        "create_group('ann', 'h', 'H', \(Places.park), 'Mars/Olympus')",
        "create_group('ann', 'h', 'H', \(Places.park), repeat('x', 65000))",
        "update_group('ann', 'g', '', \(Places.park), 'UTC', true, 50)",
        "update_group('ann', 'g', 'G', '{}', 'UTC', true, 50)",
        "update_group('ann', 'g', 'G', \(Places.park), '', true, 50)",
        "update_group('ann', 'g', 'G', \(Places.park), 'UTC', true, 0)",
        "update_group('ann', 'g', 'G', \(Places.park), 'UTC', true, 1001)",
        "update_group('ann', 'g', 'G', \(Places.park), 'UTC', true, null)",
        "rotate_invite('ann', 'g', null, '59 seconds')",
        "rotate_invite('ann', 'g', null, '367 days')",
        "rotate_invite('ann', 'g', null, '-1 day')", "nearby_groups('ann', 90.1, 0)",
        "nearby_groups('ann', 0, 180.1)", "nearby_groups('ann', 'NaN', 0)",
        "nearby_groups('ann', 0, null)", "nearby_groups('ann', 0, 'infinity')",
        "nearby_groups('ann', 0, 0, 50000.1)", "nearby_groups('ann', 0, 0, -1)",
        "nearby_groups('ann', 0, 0, 'NaN')", "nearby_groups('ann', 0, 0, 100, 101)",
        "send_message('ann', 'g', null, 'Hello')", "messages('ann', 'g', page => 0)",
        "messages('ann', 'g', page => 101)", "messages('ann', 'g', page => null)",
        "messages('ann', 'g', now())", "messages('ann', 'g', null, gen_random_uuid())",
      ]
      for call in calls {
        let error = await #expect(throws: PostgresError.self, "\(call.prefix(200))") {
          try await places.sql("select * from \(call)")
        }
        #expect(error?.constraint == "invalidInput", "\(call.prefix(200))")
        #expect(error?.sqlState == "ZW014" && error?.hint?.isEmpty == false)
        #expect((error?.message.utf8.count ?? 0) < 500)
      }
      #expect(try await places.sql("select g::text from groups g") == before)
      // A number that is practically 0 is stored as 0, and is never too small for a product.
      let tiny = #"{"type":"circle","center":{"latitude":1e-400,"longitude":-1e-200},"radius":25}"#
      #expect(
        try await places.call(
          "create_group('ann', 'tiny', 'T', '\(tiny)', 'UTC')",
          "shape->'center'->'latitude', shape->'center'->'longitude'")
          == "0,0")
      for place in ["0, 0, 0", "'5e-324', '-1e-200', '5e-324'", "'1e-310', 0, 100"] {
        #expect(
          try await places.call("nearby_groups('ann', \(place))", "(found).id") == "tiny",
          "\(place)")
      }
      let tinyCheckIn =
        "check_in('ann', gen_random_uuid(), 'tiny', 'automatic', 'phone', domain_now(), 60"
      for place in ["'5e-324', '-1e-200'", "'-1e-310', 0"] {
        let outcome = try await places.call(
          "\(tinyCheckIn), \(place), 5, domain_now())", "outcome")
        #expect(["accepted", "unchanged"].contains(outcome), "\(place): \(outcome)")
      }
    }
  }

  /// Every function with an actor.
  ///
  /// Only the actor is invalid in these calls.
  static let calls = [
    "create_group($, 'h', 'H', \(Places.park), 'UTC')",
    "update_group($, 'g', 'G', \(Places.park), 'UTC', true, 50)", "get_group($, 'g')",
    "get_members($, 'g')", "joined_groups($)", "public_groups($)", "nearby_groups($, 0, 0)",
    "join_public_group($, 'g')", "leave_group($, 'g')", "remove_member($, 'g', 'ann')",
    "promote($, 'g', 'ann')", "delete_group($, 'g')", "current_invite($, 'g')",
    "rotate_invite($, 'g', null)", "redeem_invite($, '00000000')", "get_user($)",
    "get_users($, '{ann}')", "update_profile($, 'X', null, null)", "end_sessions($)",
    "send_message($, 'g', gen_random_uuid(), 'Hello')", "messages($, 'g')",
    "delete_message($, 'g', gen_random_uuid())",
    "delete_account($)", "begin_session($, 'phone')", "link_account($, 'google', 'new')",
    "get_stats($)", "earned_achievements($)", "achievement_progress($)", "acknowledge($, '{}')",
    "watch_groups($)", "check_in($, gen_random_uuid(), 'g', 'manual', 'phone', now())",
    "check_out($, gen_random_uuid(), 'g', 'manual', 'phone', now())", "presence_snapshot($, 'g')",
    "block_user($, 'ann')", "unblock_user($, 'ann')", "blocked_users($)", "export_my_data($)",
    "report_user($, gen_random_uuid(), 'g', 'ann', 'spam')",
    "hold_session($, null)", "register_push_device($, 'fcm', 'token')", "push_devices($)",
    "remove_push_device($, 1)", "push_settings($)", "set_push_settings($, '{}')",
  ]

  @Test func `nobody calls nothing, a stranger no group of others, and all of it has a number`()
    async throws
  {
    try await Places.with { places in
      try await places.accounts("ann", "zoe")
      try await places.found("g", by: "ann")
      try await places.found("private", by: "ann")
      try await places.sql("update groups set is_public = false where id = 'private'")
      for call in Self.calls {
        for actor in ["null", "'nobody'", "repeat('x', 65000)"] {
          let error = await #expect(throws: PostgresError.self, "\(call)") {
            try await places.sql("select * from \(call.replacing("$", with: actor))")
          }
          #expect(error?.sqlState == "ZW001" && error?.constraint == "notAuthenticated", "\(call)")
        }
        guard call.contains("'g'") else { continue }
        let stranger = call.replacing("$", with: "'zoe'")
        if !["get_group", "join_public"].contains(where: call.hasPrefix) {
          #expect(try await places.call(stranger) == "notAMember", "\(call)")
        }
        // A group that is not public is treated like a group that does not exist.
        for other in ["'none'", "'private'"] {
          #expect(
            try await places.call(stranger.replacing("'g'", with: other)) == "groupNotFound",
            "\(call)")
        }
      }
      // The functions without an actor, for signing in and for tokens.
      let named = Set(Self.calls.map { String($0.prefix { $0 != "(" }) })
      // The functions that read for all observers. The function refused_viewers decides which
      // observers may read.
      #expect(
        Set(SQL.presence.api)
          == named.union([
            "sign_in", "user_of_session", "end_session", "changed_places",
            "observed_presences", "changed_chats", "observed_chats", "refused_viewers", "observe",
            "stop_observing", "ended_sessions", "hidden_members", "create_stream_ticket",
            "redeem_stream_ticket",
          ]))
    }
  }

  @Test func `a text of 1 MB is refused before it is read, in every call`() async throws {
    try await Places.with { places in
      let calls = OversizedTexts.calls(try await places.test.sql(OversizedTexts.query))
      #expect(calls.count > 60)
      for call in calls {
        let error = await #expect(throws: PostgresError.self, "\(call)") {
          try await places.test.sql(call)
        }
        // The text of a message has its own error, after the check of the actor.
        let own = call.hasPrefix("select send_message(null::text, null::text, null::uuid")
        #expect(error?.message == OversizedTexts.refusal || own, "\(call)")
      }
    }
  }
}

import BatonPostgres
import TestSupport
import Testing

/// Tests that a call reads nothing before it has checked its actor.
@Suite(.timeLimit(.minutes(5))) struct IdentityFirstTests {
  @Test func `each call of an API checks the identity in its first statement`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      let unchecked = try await gym.lines(Call<[String]>.unchecked)
      #expect(unchecked == [])
    }
  }

  @Test func `a workout of another user is nobody's business`() async throws {
    let gym = try await RoleGym.made(signed: true)
    try await gym.with { login in
      for key in ["w1", "no-such-workout"] {
        let error = await #expect(throws: PostgresError.self) {
          try await login.transaction(in: gym.schema, as: gym.user("ann")) {
            try await $0.run(.test("select increment_check_in('ben', gen_random_uuid(), '\(key)')"))
          }
        }
        #expect(error?.constraint == "notAuthenticated")
        #expect(error?.sqlState.code == "ZG001")
      }
    }
  }

  @Test func `a creator who was removed learns nothing of the group by creating it again`()
    async throws
  {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.found("bob")
      try await gym.users("cid")
      let again = "create_group('ann', 'g', 'Early birds')"
      #expect(try await gym.call(again).hasPrefix("(g,"))
      try await gym.call("promote('ann', 'g', 'bob')")
      try await gym.call("remove_member('bob', 'g', 'ann')")
      #expect(try await gym.call(again) == "conflictingRepeat")
      #expect(
        try await gym.call("create_group('cid', 'g', 'Early birds')") == "conflictingRepeat")
    }
  }

  @Test func `a user who cannot create a group does not learn which ids exist`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.found()
      try await gym.users("cid")
      #expect(try await gym.call("create_group('cid', 'h', 'H')").hasPrefix("(h,"))
      for id in ["g", "no-such-group"] {
        #expect(try await gym.call("create_group('cid', '\(id)', 'X')") == "alreadyInGroup h")
      }
      #expect(try await gym.call("create_group('cid', 'h', 'X')") == "conflictingRepeat")
      try await gym.call("leave_group('cid', 'h')")
      try await gym.run("update setting set groups_a_day = 1")
      for id in ["g", "h", "no-such-group"] {
        let answer = try await gym.call("create_group('cid', '\(id)', 'X')")
        #expect(answer == "limitReached groups_a_day")
      }
    }
  }
}

extension Call where Output == [String] {
  /// The functions with an actor that execute another statement before they check the identity.
  static var unchecked: String {
    """
    select p.proname::text from pg_proc p
    where p.pronamespace = current_schema::regnamespace and p.prolang = (
        select l.oid from pg_language l where l.lanname = 'plpgsql')
      and (p.prosecdef or p.proname in ('require_actor', 'require_member', 'obey', 'hold_membership'))
      and (p.proargnames[1] = 'actor' or p.proname = 'record_workout')
      and p.prosrc !~ '\\nbegin\\n  ((return )?(perform )?|[a-z_]+ := )(require_claim|require_actor|require_member|hold_membership|check_workout_call|obey)[(]'
    order by 1
    """
  }
}

import BatonPostgres
import PresenceSQL
import TestSupport
import Testing

/// Tests that a call reads nothing before it has checked its actor, and reveals nothing that is
/// hidden from the actor.
@Suite(.timeLimit(.minutes(5))) struct IdentityFirstTests {
  @Test func `each call of an API checks the identity in its first statement`() async throws {
    try await Places.with { places in
      let unchecked = try await places.sql(
        """
        select p.proname::text from pg_proc p
        where p.pronamespace = current_schema::regnamespace and p.prolang = (
            select l.oid from pg_language l where l.lanname = 'plpgsql')
          and (p.prosecdef or p.proname in ('require_actor', 'require_member', 'obey', 'hold_membership'))
          and p.proargnames[1] = 'actor' and p.prosrc !~ (e'\\\\nbegin\\\\n  ((return )?(perform )?|[a-z_]+ := )'
            || '(require_claim|require_actor|require_member|hold_membership|obey)[(]')
        order by 1
        """)
      #expect(unchecked == [])
    }
  }

  /// Returns the error of a call, with the place where it was raised.
  private static let report =
    """
    create function report(call text) returns text language plpgsql as $$
    declare
      place text;
    begin
      execute 'select from ' || call;
      return 'nothing';
    exception when others then
      get stacked diagnostics place = pg_exception_context;
      return concat_ws(' ', sqlstate, sqlerrm, place);
    end $$
    """

  @Test func `a private group and none are refused at the same place`() async throws {
    try await Places.with { places in
      try await places.accounts("ann", "ben")
      try await places.call("create_group('ben', 'hidden', 'H', \(Places.park), 'UTC', false)")
      try await places.sql(Self.report)
      for call in RefusedCallTests.calls where call.contains("'g'") {
        var reports: [String] = []
        for group in ["hidden", "nobody"] {
          let text = call.replacing("$", with: "'ann'").replacing("'g'", with: "'\(group)'")
          let report = try await places.sql(
            "select report('\(text.replacing("'", with: "''"))')")
          reports.append(report.joined().replacing(group, with: "G"))
        }
        #expect(reports[0] == reports[1], "\(call)")
        #expect(!reports[0].contains("nothing"), "\(call)")
      }
    }
  }

  @Test func `a creator who was removed learns nothing of the group by creating it again`()
    async throws
  {
    try await Places.with { places in
      try await places.accounts("ann", "ben", "cid")
      try await places.found("g", by: "ann", "ben")
      let group = "'g', 'Group', \(Places.park), 'UTC', true)"
      #expect(try await places.call("create_group('ann', \(group)").hasPrefix("g,"))
      try await places.call("promote('ann', 'g', 'ben')")
      try await places.call("remove_member('ben', 'g', 'ann')")
      for user in ["ann", "cid"] {
        #expect(try await places.call("create_group('\(user)', \(group)") == "conflictingRepeat")
      }
    }
  }

  @Test func `a user who cannot create a group does not learn which ids exist`() async throws {
    try await Places.with { places in
      try await places.accounts("ann", "ben")
      let group = "'X', \(Places.park), 'UTC')"
      try await places.call("create_group('ben', 'hidden', \(group)")
      try await places.call("create_group('ann', 'own', \(group)")
      for limit in ["groups_a_day = 1", "groups_a_day = 20, groups_of_user = 1"] {
        try await places.sql("update setting set \(limit)")
        for id in ["hidden", "no-such-group"] {
          #expect(
            try await places.call("create_group('ann', '\(id)', \(group)") == "limitReached",
            "\(limit): \(id)")
        }
        #expect(try await places.call("create_group('ann', 'own', \(group)").hasPrefix("own,"))
      }
    }
  }
}

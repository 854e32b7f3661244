import BatonPostgres
import JobTesting
import PresenceSQL
import TestSupport
import Testing

/// Tests that the pages of Who's There read only the displayed groups, regardless of the number of
/// other groups.
@Suite struct PresencePagePlanTests {
  /// Returns a statement with its two parameters inserted as texts.
  private func text(_ statement: Statement, _ beginning: String, _ last: String) -> String {
    statement.text.replacing("$1", with: "'\(beginning)'").replacing("$2", with: "'\(last)'")
  }

  @Test(.sampled()) func `pages read no group but those that they show`() async throws {
    try await Places.with { places in
      for statement in [
        "insert into users (id, display_name, is_anonymous) values ('u', 'U', false)",
        """
        insert into groups (id, name, latitude, longitude, radius, time_zone)
        select 'g' || lpad(n::text, 5, '0'), 'G', 52.5, 13.4, 100, 'UTC'
        from generate_series(1, 20000) n
        """,
        """
        insert into group_summary (group_id, present_count, latest, version, changed_at)
        select id, 0, '{}', 1, now() from groups
        on conflict do nothing
        """,
        // Two of the groups have present users. One of these has no summary yet.
        """
        insert into presence (group_id, user_id, is_present, source, since, version, changed_at, heard_at)
        select id, 'u', id in ('g00007', 'g15000'), 'manual', now(), 1, now(), now() from groups
        """,
        "update group_summary set present_count = 1 where group_id = 'g00007'",
        "delete from group_summary where group_id = 'g15000'", "analyze groups",
        "analyze presence", "analyze group_summary",
      ] { try await places.sql(statement) }
      let session = try await places.test.connect()
      for (statement, beginning, last, ids) in [
        (SQL.Dashboard.listPresence, "", "", ["g00007,G,1", "g15000,G,0"]),
        (SQL.Dashboard.listPresence, "", "g00007", ["g15000,G,0"]),
        (SQL.Dashboard.listPresence, "g0", "", ["g00007,G,1"]),
        (SQL.Dashboard.listGroups, "g0001", "g00018", ["g00019,G,0"]),
        (SQL.Dashboard.listGroups, "h", "", []),
      ] {
        let text = text(statement, beginning, last)
        let rows = try await places.sql("select * from (\n\(text)\n) listed")
        #expect(rows.map { $0.split(separator: ",").prefix(3).joined(separator: ",") } == ids)
        let pages = try await session.pages(
          ofCall: "(\n\(text)\n) listed", in: places.test.schema, atMost: 60)
        print("pages of \(statement.name) from '\(beginning)' behind '\(last)': \(pages)")
        #expect(pages <= 60, "\(statement.name) \(beginning): \(pages)")
      }
      await session.close()
    }
  }
}

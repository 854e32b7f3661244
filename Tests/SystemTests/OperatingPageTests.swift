import Foundation
import Postgres
import TestSupport
import Testing

/// What docs/operating.md tells people to install, as it stands there.
@Suite(.timeLimit(.minutes(5)))
struct OperatingPageTests {
  private let page: String

  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    page = try String(contentsOf: root.appending(path: "docs/operating.md"), encoding: .utf8)
  }

  /// The lines of the block that begins with a comment about this file.
  private func block(_ file: String) throws -> [String] {
    let blocks = page.components(separatedBy: "```").filter {
      $0.split(separator: "\n").dropFirst($0.hasPrefix("ini") ? 1 : 0).first?.hasPrefix("# \(file)")
        == true
    }
    return try #require(blocks.first).split(separator: "\n").map(String.init)
  }

  @Test func `the unit is tried again for ever, in the section where systemd reads that`() throws {
    let unit = try block("/etc/systemd/system/baton-worker@.service")
    let section = unit.drop { $0 != "[Unit]" }.dropFirst().prefix { !$0.hasPrefix("[") }
    #expect(section.contains("StartLimitIntervalSec=0"))
    #expect(unit.contains("Restart=always"))
  }

  @Test func `the rights of an API are enough for it, and no more than what is granted`()
    async throws
  {
    let start = try #require(page.firstRange(of: "```sql\ncreate role api login;"))
    let grants = page[start.lowerBound...].dropFirst("```sql\n".count)
      .prefix(upTo: try #require(page[start.upperBound...].firstRange(of: "```")).lowerBound)
    try await TestSchema.with { test in
      let role = "api_\(UInt64.random(in: .min ... .max))"
      let connection = try await test.connect()
      let call = """
        insert into job (name, quiet, at_most) values ('tidy', '0', '0');
        \(grants.replacing("baton.", with: "\(test.schema).")
          .replacing("schema baton", with: "schema \(test.schema)")
          .replacing(" api", with: " \(role)"))
        set local role \(role);
        insert into users (id, display_name) values ('u', 'Ann');
        insert into groups (id, name) values ('g', 'G');
        insert into member (group_id, user_id, joined_at) values ('g', 'u', now() - interval '8 d');
        update member set is_muted = true;
        select leave_group('u', 'g');
        select create_group('u', 'h', 'H');
        update member set joined_at = now() - interval '8 d' where group_id = 'h';
        select set_time_zone('u', 'Europe/Oslo');
        select record_workout('u', 'w1');
        select record_workout('u', 'w1', now() - interval '1 d', revision => 1);
        select record_workout('u', 'w1', now() - interval '6 d', revision => 2);
        select record_workout('u', 'w2', now() - interval '9 d');
        select enqueue('tidy', 'k');
        select observe('boards'), stop_observing(), count(*) from board_version;
        select from leaderboard;
        update visible_notification set is_read = true, changed_at = domain_now();
        """
      func run(_ more: String) async throws(PostgresError) {
        try await connection.script(
          Statement(
            "test/rights",
            """
            begin; set local search_path = \(test.schema), pg_temp;
            \(call) \(more);
            reset role; drop owned by \(role); drop role \(role); commit;
            """))
      }
      try await run("select 1")
      let written = try await test.sql(
        "select user_id, workout_id, outcome from workout order by workout_id")
      #expect(written.count == 2)
      // A day ago can be in a week that is over, whose boards then say so.
      let recorded = try await test.sql(
        "select distinct topic from event where topic <> 'week.overdue' order by 1")
      #expect(recorded == ["enqueue/tidy", "entry.changed"])
      for refused in [
        "select from run", "delete from users", "update challenge set week_start = week_start",
        "select from notification", "truncate event_0", "insert into dead_run select",
      ] {
        try await test.sql("truncate users, groups, member, active_group, workout, job cascade")
        let error = await #expect(throws: PostgresError.self) { try await run(refused) }
        #expect(error?.sqlState == "42501", "\(refused): \(String(describing: error))")
        try await connection.script(Statement("test/rollback", "rollback"))
      }
      await connection.close()
    }
  }

  @Test func `the crontab holds no secret, and its commands work with the service file`()
    async throws
  {
    let crontab = try block("/etc/cron.d/baton")
    #expect(
      !crontab.contains { $0.contains("://") || $0.localizedCaseInsensitiveContains("password") })
    let variables = crontab.filter { !$0.hasPrefix("#") && !$0.contains(" ") }
      .map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    #expect(variables.map(\.first) == ["PGSERVICEFILE", "PGSERVICE"])
    #expect(page.contains("install -m 600") && page.contains(variables[0][1]))

    try await LoopbackLogin.make()
    let own = try [
      "host": "127.0.0.1\nport=\(TestServer.loopbackPort)", "dbname": "postgres",
      "user": LoopbackLogin.user, "password": LoopbackLogin.password,
    ]
    let service = try block(variables[0][1]).map { line in
      let name = String(line.prefix { $0 != "=" })
      return own[name].map { "\(name)=\($0)" } ?? line
    }
    let folder = try TemporaryFolder()
    let file = try folder.write("pg_service.conf", lines: service.filter { $0 != "ini" })
    #expect(chmod(file, 0o600) == 0)
    try await TestSchema.with { schema in
      let baton = BatonProgram(environment: [
        "BATON_SCHEMA": schema.schema.name, "PGSERVICEFILE": file, "PGSERVICE": variables[1][1],
      ])
      try await baton.succeed("migrate")
      let lines = crontab.filter { $0.contains("/usr/local/bin/baton") }
      #expect(lines.count >= 5)
      for line in lines {
        let words = line.split(separator: " ").map(String.init)
        #expect(words[5...6] == ["baton", "/usr/local/bin/baton"])
        let ended = try await baton.start(Array(words[7...])).wait()
        // Nothing on stderr: cron would send it as mail.
        #expect(ended.status == 0 && ended.errors == "", "\(line): \(ended.errors)")
      }
    }
  }
}

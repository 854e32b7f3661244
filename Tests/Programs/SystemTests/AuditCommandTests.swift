import Foundation
import TestSupport
import Testing

/// Tests `gymrats audit`, as an operator uses it.
@Suite(.timeLimit(.minutes(5))) struct AuditCommandTests {
  private func withRows(_ body: (TestSchema, BatonProgram) async throws -> Void) async throws {
    try await TestSchema.with { schema in
      for (action, user) in [("runs retry", "ann"), ("jobs pause", "bob"), ("runs retry", "bob")] {
        try await schema.sql(
          """
          select set_config('baton.os_user', '\(user)', true), set_config('baton.host', 'desk', true),
            record_audit('\(action)', '{"job": "send"}', '{"paused": false}', '{"paused": true}')
          """)
      }
      try await body(schema, schema.gymrats)
    }
  }

  /// Disables the triggers for one statement, as the owner may.
  private func tamper(_ statement: String, in schema: TestSchema) async throws {
    try await schema.sql("alter table audit disable trigger user")
    try await schema.sql(statement)
    try await schema.sql("alter table audit enable trigger user")
  }

  @Test(.sampled())
  func `the list is of the newest, of whom and what was asked for, page by page`()
    async throws
  {
    try await withRows { schema, gymrats in
      let day = try await schema.sql("select max(day) from audit").joined()
      func ids(_ arguments: String...) async throws -> [String] {
        try await gymrats.succeed(["audit", "list"] + arguments).split(separator: "\n").map {
          String($0.prefix { $0 != " " })
        }
      }
      #expect(try await ids() == ["\(day)/3", "\(day)/2", "\(day)/1"])
      #expect(try await ids("--limit", "2") == ["\(day)/3", "\(day)/2"])
      #expect(try await ids("--limit", "2", "--before", "\(day)/2") == ["\(day)/1"])
      #expect(try await ids("--action", "runs retry") == ["\(day)/3", "\(day)/1"])
      #expect(try await ids("--who", "bob", "--action", "runs retry") == ["\(day)/3"])
      #expect(try await ids("--who", "postgres").count == 3)
      #expect(try await ids("--since", "2024-01-01", "--until", "2024-01-02") == ["no"])
      #expect(try await ids("--since", "2024-01-01").count == 3)
      let line = try await gymrats.succeed("audit", "--limit", "1")
      #expect(
        line.contains(#"runs retry  {"job": "send"}  {"paused": false} -> {"paused": true}"#)
          && line.hasSuffix("by postgres, bob@desk\n"), "\(line)")
      for bad in [["--before", "x"], ["--limit", "0"], ["--since", "yesterday"]] {
        let ended = try await gymrats.start(["audit", "list"] + bad).wait()
        #expect(ended.status == 64, "\(bad)")
      }
    }
  }

  @Test func `a line of JSON has all that a row says`() async throws {
    try await withRows { schema, gymrats in
      let lines = try await gymrats.succeed("audit", "--json").split(separator: "\n")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
      #expect(
        object.keys.sorted() == [
          "action", "after", "application", "at", "before", "client", "count", "filter", "hash",
          "host", "id", "login", "os_user", "program", "role", "subject",
        ])
      #expect(lines.count == 3 && object["os_user"] as? String == "bob")
    }
  }

  @Test(.sampled())
  func `an unbroken chain is 0 and says the hash to keep, by which a new end is known`()
    async throws
  {
    try await withRows { schema, gymrats in
      let lines = try await gymrats.succeed("audit", "verify").split(separator: "\n").map(
        String.init)
      #expect(lines.count == 2 && lines[0].hasPrefix("3 rows of 1 day up to "))
      let last = try await schema.sql("select encode(last_hash, 'hex') from audit_chain")
      #expect(last == [lines[1]])
      try await schema.sql("select record_audit('more')")
      let json = try await gymrats.succeed("audit", "verify", "--last", lines[1], "--json")
      #expect(json.contains(#""faults":0"#) && json.contains(#""result":"unbroken","rows":4"#))
      let absent = try await gymrats.run(
        "audit", "verify", "--last", String(repeating: "1", count: 64))
      #expect(absent.status == 1 && absent.output == "no row has the given hash\n")
      #expect(absent.errors.contains("broken: no row has the given hash."))
      #expect(absent.errors.contains("next:  Compare with a backup"))
      expectComplaint(
        try await gymrats.run("audit", "verify", "--last", "abc"), status: 64, what: "64 digits",
        place: "arguments", next: "audit verify --help")
    }
  }

  @Test func `a broken chain is 1, and each place is named`() async throws {
    try await withRows { schema, gymrats in
      let day = try await schema.sql("select max(day) from audit").joined()
      try await tamper("update audit set os_user = 'eve' where number = 1", in: schema)
      try await tamper("delete from audit where number = 2", in: schema)
      let ended = try await gymrats.run("audit", "verify")
      #expect(ended.status == 1, "\(ended.errors)")
      #expect(ended.output.split(separator: "\n").count == 3)
      #expect(ended.output.contains("row \(day)/1 was changed\n"))
      #expect(ended.output.contains("row \(day)/3 does not follow the previous row"))
      #expect(
        ended.errors.contains(
          "error: The audit log is broken in 3 places. The first is: row \(day)/1 was"))
      #expect(ended.errors.contains("table audit\nnext:  Keep a dump of the table"))
      let json = try await gymrats.run("audit", "verify", "--json").output.split(separator: "\n")
      #expect(json.count == 4 && json[0] == #"{"fault":"changed","row":"\#(day)/1"}"#)
      #expect(json[3].contains(#""faults":3"#) && json[3].contains(#""result":"broken""#))
    }
  }

  @Test func `an audit without rows is unbroken`() async throws {
    try await TestSchema.with { schema in
      let verified = try await schema.gymrats.succeed("audit", "verify")
      let zeros = String(repeating: "0", count: 64)
      #expect(verified == "the audit log has no rows\n\(zeros)\n")
      #expect(try await schema.gymrats.succeed("audit") == "no manual actions\n")
    }
  }

  @Test(.sampled())
  func `the nightly verification works without rows, and after all rows were purged`()
    async throws
  {
    try await TestSchema.with { schema in
      let page = try Checkout.text("docs/guides/operating.md")
      let line = try #require(
        page.split(separator: "\n").first { $0.hasPrefix("baton audit verify --last ") })
      let nightly = String(line).replacing("baton ", with: "\"$0\" ")
      let first = nightly.replacing("--last \"$(cat last-hash)\" ", with: "")
      #expect(first != nightly)
      let folder = try TemporaryFolder()
      var gymrats = schema.gymrats
      gymrats.folder = folder.path
      func verify(_ line: String) async throws -> String {
        let ended = try await gymrats.run(bash: line, [])
        #expect(ended.status == 0 && ended.errors == "", "\(ended)")
        return try String(contentsOfFile: folder.path + "/last-hash", encoding: .utf8)
      }
      let zeros = String(repeating: "0", count: 64) + "\n"
      for line in [first, nightly, nightly] { #expect(try await verify(line) == zeros) }
      try await schema.sql("select record_audit('old')")
      #expect(try await verify(nightly) != zeros)
      // The row is moved to a day that the purge deletes, together with its hash.
      try await schema.sql(
        """
        do $$ begin
          alter table audit disable trigger user;
          alter table audit_chain disable trigger user;
          update audit set day = day - 401, at = at - interval '401 days';
          update audit a set hash = audit_hash(a);
          update audit_chain set last_day = a.day, last_hash = a.hash from audit a;
          alter table audit enable trigger user;
          alter table audit_chain enable trigger user;
        end $$
        """)
      let last = try await verify(first)
      #expect(try await schema.sql("select purge_audit()") == ["1"])
      for _ in 0..<2 { #expect(try await verify(nightly) == last) }
      // A schema owner could also have deleted all rows before a new row, so the hash must be absent.
      try await schema.sql("select record_audit('new')")
      let ended = try await gymrats.run(bash: nightly, [])
      #expect(ended.status == 1, "\(ended)")
      #expect(try await verify(first) != last)
    }
  }

  @Test(.sampled()) func `a check says that what guards the audit is off`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.sql("alter table audit disable trigger audit_changed")
      expectComplaint(
        try await schema.gymrats.run("check"), status: 78,
        what: "the trigger audit_changed on audit is disabled", place: "triggers", next: "migrate")
    }
  }
}

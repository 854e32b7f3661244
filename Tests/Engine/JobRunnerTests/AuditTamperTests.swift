import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// Tests manipulations of the audit log by the schema's owner with all triggers disabled, and the
/// faults that a check finds.
///
/// The log has nine rows: three each for today, yesterday and the day before yesterday. Days are
/// named by their age.
@Suite(.timeLimit(.minutes(5))) struct AuditTamperTests {
  /// Runs `body` repeatedly on the same rows.
  private func withRows(
    _ body: (AuditChain, _ restore: () async throws -> Void) async throws -> Void
  ) async throws {
    try await TestSchema.withAudit { audit in
      try await audit.append(ages: [2, 2, 2, 1, 1, 1, 0, 0, 0])
      try await audit.schema.sql("create table kept as select * from audit")
      try await audit.schema.sql("create table kept_chain as select * from audit_chain")
      #expect(try await audit.faults() == [])
      try await body(audit) {
        try await audit.tamper(
          """
          delete from audit; insert into audit select * from kept;
          delete from audit_chain; insert into audit_chain select * from kept_chain;
          """)
      }
    }
  }

  private static let today = "(now() at time zone 'UTC')::date"

  /// Statements, with the faults that a check finds after each of them.
  private static let cases: KeyValuePairs = [
    "update audit set action = 'x' where day = \(today) - 1 and number = 2;": ["changed 1/2"],
    "delete from audit where day = \(today) - 1 and number = 2;": ["torn 1/3", "misnumbered 1/3"],
    "delete from audit where day = \(today) - 1 and number = 3;": ["torn 0/1"],
    "delete from audit where day = \(today) - 1;": ["torn 0/1"],
    "delete from audit where day = \(today) - 2;": ["torn 1/1"],
    "delete from audit where day = \(today) - 2 and number = 1;": ["torn 2/2", "misnumbered 2/2"],
    "delete from audit where day = \(today) and number = 3;": ["end 0/3"],
    "delete from audit where day = \(today);": ["end 0/3"],
    "delete from audit;": ["end 0/3"],
    "delete from audit_chain;": ["torn 2/1", "end -"],
    "delete from audit; delete from audit_chain;": ["end -"],
    "update audit set number = 4 where day = \(today) - 1 and number = 3;": [
      "changed 1/4", "misnumbered 1/4",
    ],
    // Two rows are exchanged.
    """
    update audit set number = 9 where day = \(today) - 1 and number = 1;
    update audit set number = 1 where day = \(today) - 1 and number = 2;
    update audit set number = 2 where day = \(today) - 1 and number = 9;
    """: ["changed 1/1", "torn 1/1", "changed 1/2", "torn 1/2", "torn 1/3"],
    // An additional row that matches the row before it. In the second case, the row is inserted at
    // the last place.
    inserted(behind: 1): ["torn 0/1"],
    inserted(behind: 0): ["end 0/3"],
  ]

  private static func inserted(behind age: Int) -> String {
    """
    declare it audit;
    begin
      select * into it from audit where day = \(today) - \(age) and number = 3;
      it.number := 4;
      it.previous := it.hash;
      it.hash := audit_hash(it);
      insert into audit select it.*;
    end;
    """
  }

  @Test(.sampled())
  func `rows that were changed, removed, put in, moved or cut off are found where they are`()
    async throws
  {
    try await withRows { audit, restore in
      for (statements, faults) in Self.cases {
        try await audit.tamper(statements)
        for pageSize in [1, 2, 5000] {
          #expect(try await audit.faults(pageSize: pageSize) == faults, "\(statements)")
        }
        try await restore()
      }
      #expect(try await audit.faults() == [])
    }
  }

  @Test(.sampled()) func `each column of a row is under its hash`() async throws {
    let columns = try await TestSchema.with { schema in
      try await schema.sql(
        "select attname from pg_attribute where attrelid = 'audit'::regclass and attnum > 0")
    }
    let values = [
      "day": "day - 10", "number": "number + 10", "at": "at + interval '1 microsecond'",
      "login": "'x'", "role": "'x'", "os_user": "''", "host": "''", "program": "''",
      "application": "application || 'x'", "client": "'10.0.0.1'", "action": "'x'",
      "subject": "'{\"n\": 2.0}'", "before": "'null'", "after": "'{}'", "filter": "'{}'",
      "count": "0", "previous": "sha256(previous)", "hash": "sha256(hash)",
    ]
    #expect(Set(columns) == Set(values.keys))
    try await withRows { audit, restore in
      for column in columns {
        let value = try #require(values[column])
        // A count without a filter is not allowed.
        let more = column == "count" ? ", filter = '{}'" : ""
        try await audit.tamper(
          """
          update audit set \(column) = \(value)\(more) where day = \(Self.today) - 1 and number = 3;
          """)
        let faults = try await audit.faults()
        #expect(faults.contains { $0.hasPrefix("changed") }, "\(column): \(faults)")
        try await restore()
      }
    }
  }

  @Test
  func `a row that was changed with its own hash is found by the next, a day by the next day`()
    async throws
  {
    try await withRows { audit, restore in
      try await audit.tamper(
        "update audit set action = 'x' where day = \(Self.today) - 1 and number = 2;")
      try await audit.rewrite("day = \(Self.today) - 1 and number = 2", end: false)
      #expect(try await audit.faults() == ["torn 1/3"])
      try await audit.rewrite("day = \(Self.today) - 1", end: false)
      #expect(try await audit.faults() == ["torn 0/1"])
      try await restore()
      // A row of today is changed, but the end of the chain still contains the earlier hash of the
      // last row.
      try await audit.tamper(
        "update audit set action = 'x' where day = \(Self.today) and number = 2;")
      try await audit.rewrite("day = \(Self.today)", end: false)
      #expect(try await audit.faults() == ["end 0/3"])
    }
  }

  @Test func `what was written anew to the end is found by a hash that was kept elsewhere`()
    async throws
  {
    try await withRows { audit, restore in
      let kept = try await audit.schema.sql("select encode(last_hash, 'hex') from audit_chain")[0]
      #expect(try await audit.faults(last: kept) == [])
      // A row after it does not change the result.
      try await audit.append()
      #expect(try await audit.faults(last: kept, pageSize: 4) == [])
      try await restore()
      for statement in [
        "update audit set action = 'x' where day = \(Self.today) and number = 1;",
        "delete from audit where day = \(Self.today) and number = 3;",
        "update audit set action = 'x' where day = \(Self.today) - 2 and number = 1;",
      ] {
        try await audit.tamper(statement)
        try await audit.rewrite()
        #expect(try await audit.faults() == [], "nothing in the database shows it: \(statement)")
        #expect(try await audit.faults(last: kept) == ["absent -"], "\(statement)")
        try await restore()
      }
      // All rows are deleted, as if they had been purged.
      try await audit.tamper(
        "delete from audit; update audit_chain set purged_hash = last_hash;")
      #expect(try await audit.faults(last: kept) == ["absent -"])
    }
  }

  @Test func `a function of the schema that lies about hashes convinces nobody`() async throws {
    try await withRows { audit, _ in
      try await audit.tamper("update audit set action = 'x' where number = 2;")
      try await audit.schema.sql(
        """
        create or replace function audit_hash(entry audit) returns bytea language sql stable
        return entry.hash
        """)
      #expect(try await audit.faults() == ["changed 2/2", "changed 1/2", "changed 0/2"])
    }
  }
}

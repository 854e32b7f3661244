import BatonPostgres
import JobRunner
import TestSupport

/// The audit log of a test's schema, and the possible manipulations by its owner.
struct AuditChain {
  let schema: TestSchema

  /// Appends rows, each in a separate transaction.
  func append(_ count: Int = 1) async throws {
    for number in 0..<count {
      try await schema.sql("select record_audit('try', '{\"n\": \(number)}')")
    }
  }

  /// Appends rows with the given ages in days, the oldest row first.
  ///
  /// Each day has its own numbering.
  func append(ages: [Int]) async throws {
    try await append(ages.count)
    let list = ages.map { "\($0)" }.joined(separator: ",")
    try await tamper(
      """
      update audit set number = number + 1000;
      update audit a set day = a.day - v.age, at = a.at - v.age * interval '1 day', number = v.nth
      from (
        select age, place, row_number() over (partition by age order by place) as nth
        from unnest(array[\(list)]) with ordinality as u (age, place)) v
      where a.number = 1000 + v.place;
      """)
    try await rewrite()
  }

  /// Runs statements with the rights of the owner, who can disable triggers.
  func tamper(_ statements: String) async throws {
    try await schema.sql(
      """
      do $tamper$ begin
        alter table audit disable trigger user;
        alter table audit_chain disable trigger user;
        \(statements)
        alter table audit enable trigger user;
        alter table audit_chain enable trigger user;
      end $tamper$
      """)
  }

  /// Gives rows the hashes of their current contents.
  ///
  /// If the last row is among them, the end of the chain also gets this hash.
  func rewrite(_ rows: String = "true", end: Bool = true) async throws {
    try await tamper(
      """
      declare
        it audit;
        before bytea := (
          select previous from audit where \(rows) order by day, number limit 1);
      begin
        for it in select * from audit where \(rows) order by day, number loop
          it.previous := before;
          it.hash := audit_hash(it);
          update audit set previous = it.previous, hash = it.hash
          where (day, number) = (it.day, it.number);
          before := it.hash;
        end loop;
        if \(end) then
          update audit_chain set last_day = it.day, last_number = it.number, last_hash = it.hash;
        end if;
      end;
      """)
  }

  /// Returns the faults that a check finds, such as `changed AGE/NUMBER`, with the age in place of
  /// the day.
  func faults(last: String? = nil, pageSize: Int = 5000) async throws -> [String] {
    let connection = try await schema.connect()
    var found: [String] = []
    _ = try await AuditVerification(Session(connection, in: schema.schema), pageSize: pageSize)
      .verify(lastHash: last, tell: { found.append("\($0.kind) \($0.row ?? "-")") })
    await connection.close()
    var faults: [String] = []
    for fault in found {
      guard let slash = fault.firstIndex(of: "/"), let blank = fault.firstIndex(of: " ") else {
        faults.append(fault)
        continue
      }
      let day = fault[fault.index(after: blank)..<slash]
      let age = try await schema.sql("select (now() at time zone 'UTC')::date - date '\(day)'")
      faults.append("\(fault[..<blank]) \(age.joined())\(fault[slash...])")
    }
    return faults
  }

  /// Returns the counts of a check.
  func verified(pageSize: Int = 5000) async throws -> VerifiedAudit {
    let connection = try await schema.connect()
    let result = try await AuditVerification(
      Session(connection, in: schema.schema), pageSize: pageSize
    ).verify(tell: { _ in })
    await connection.close()
    return result
  }

  /// Returns rows in the format of `sql`, without the server's quotes around texts with spaces or
  /// quotes.
  func read(_ query: String) async throws -> [String] {
    try await schema.sql(query).map { row in
      row.replacing("\"\"", with: "\u{1}").replacing("\"", with: "").replacing("\u{1}", with: "\"")
    }
  }

  /// Returns the ages and numbers of the rows, oldest first.
  func rows() async throws -> [String] {
    try await schema.sql(
      """
      select (now() at time zone 'UTC')::date - day || '/' || number from audit order by day, number
      """)
  }
}

extension TestSchema {
  /// Runs `body` with the audit log of a new schema.
  static func withAudit(_ body: (AuditChain) async throws -> Void) async throws {
    try await with { try await body(AuditChain(schema: $0)) }
  }
}

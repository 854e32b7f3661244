import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

/// The `baton audit` command, which lists and verifies the audit log.
struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "List manual actions, and verify that the audit log was not tampered with.",
    subcommands: [List.self, Verify.self], defaultSubcommand: List.self)

  /// The `baton audit list` command.
  struct List: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "List manual actions, newest first.",
      discussion: """
        Actions of schedules, workers and users are not listed. PostgreSQL provides login and role; the program \
        provides the operating system's user and the machine.
        """)

    @Option(help: "The start of the time range: YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.")
    var since: String?

    @Option(help: "The end of the time range, which is not included.")
    var until: String?

    @Option(help: "List only this action, for example \"runs retry\".")
    var action: String?

    @Option(help: "List only actions of this login, role or operating system user.")
    var who: String?

    @Option(help: "List only rows older than the row DAY/NUMBER, such as the last row of a page.")
    var before: String?

    @Option(help: "The maximum number of rows.")
    var limit = 50

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func checkArguments() throws {
      guard (1...1_000_000).contains(limit) else {
        throw ValidationError("--limit takes a number from 1 to 1000000.")
      }
    }

    func run() async throws {
      let database = try await Database.orExit()
      try await database.reportingErrors() {
        let filter = try filter()
        let connection = try await database.connect()
        let rows = try await Queue(Session(connection, in: database.schema))
          .audit(filter, limit: limit)
        await connection.close()
        for row in rows { Console.write(json ? row.object : row.line) }
        if rows.isEmpty, !json { Console.write("no manual actions") }
      }
    }

    private static func instant(_ text: String, _ option: String) throws -> Timestamp {
      let date = try Date(instant: text, place: option)
      return Timestamp(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
    }

    private func filter() throws -> AuditFilter {
      var filter = AuditFilter()
      filter.since = try since.map { try Self.instant($0, "--since") }
      filter.until = try until.map { try Self.instant($0, "--until") }
      filter.action = action
      filter.who = who
      filter.before = try before.map { text in
        guard let row = AuditRowID(text) else {
          throw Complaint(
            .usage, what: "'\(text)' is not a row of the audit log.", place: "--before",
            next: "Give the first column of a listed row, such as 2026-11-23/17.")
        }
        return row
      }
      return filter
    }
  }

  /// The `baton audit verify` command.
  struct Verify: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract:
        "Find rows that were changed, removed, inserted or cut off; exits with 1 if a row is found.",
      discussion: """
        Each row contains a hash of itself and of the previous row. The schema's owner could rewrite all rows, and \
        the database would not show it. Therefore, store the printed hash on another machine, and pass it with \
        --last the next time.
        """)

    @Option(help: "A hash that an earlier verification printed; one row must have this hash.")
    var last: String?

    @Flag(help: "Print one JSON object per line: each fault, then the result.")
    var json = false

    func checkArguments() throws {
      if let last, last.wholeMatch(of: /[0-9a-f]{64}/) == nil {
        throw ValidationError("--last takes the 64 digits that `audit verify` has printed.")
      }
    }

    func run() async throws {
      let database = try await Database.orExit()
      try await database.reportingErrors() {
        let connection = try await database.connect()
        let verification = AuditVerification(Session(connection, in: database.schema))
        let all = try await verification.count()
        let bar = ProgressBar(of: "rows")
        var first: AuditFault?
        let outcome = try await verification.verify(
          lastHash: last,
          tell: { fault in
            first = first ?? fault
            Console.write(json ? try jsonLine(FaultLine(fault)) : fault.line)
          },
          // A short audit log is verified without a progress bar.
          show: { if all > 50_000 { bar.show(min($0, all), of: all) } })
        bar.end()
        await connection.close()
        if json { Console.write(try jsonLine(OutcomeLine(outcome))) }
        if let first { throw Self.complaint(about: first, of: outcome.faults, database) }
        if !json { Console.write(outcome.text) }
      }
    }

    private static func complaint(
      about first: AuditFault, of count: Int, _ database: Database
    ) -> Complaint {
      Complaint(
        .dead,
        what: count == 1
          ? "The audit log is broken: \(first.line)."
          : "The audit log is broken in \(count) places. The first is: \(first.line).",
        place: "\(database), table audit",
        next: first.kind == .absent
          ? "Compare with a backup from the time of the hash. Rows are deleted after 400 days. "
            + "Keep a dump of the table as it is."
          : "Keep a dump of the table as it is, and compare with a backup. Only the owner of the "
            + "schema and superusers can do this: the server's log may have the statement.")
    }
  }
}

// MARK: Lines

extension ListedAudit {
  /// A row of the audit log as one line of readable text.
  fileprivate var line: String {
    let who = role == login ? login : "\(login) as \(role)"
    var parts = ["\(id)  \(at)  \(action)"]
    if subject != "{}" { parts.append(subject) }
    switch (before, after) {
    case (let before?, let after?): parts.append("\(before) -> \(after)")
    case (let before?, nil): parts.append("was \(before)")
    case (nil, let after?): parts.append(after)
    case (nil, nil): break
    }
    if let filter { parts.append("of \(filter)\(count.map { ": \($0)" } ?? "")") }
    parts.append("by \(who)\(from.map { ", \($0)" } ?? "")")
    return parts.joined(separator: "  ").printable()
  }
}

extension AuditFault {
  /// A fault in the audit log as one line of readable text.
  fileprivate var line: String {
    switch kind {
    case .changed: "row \(row ?? "?") was changed"
    case .torn:
      "row \(row ?? "?") does not follow the previous row: rows were removed, inserted or changed"
    case .misnumbered: "row \(row ?? "?") does not have the next number"
    case .end:
      row.map { "the last row should be \($0)" } ?? "it is unknown which row should be the last"
    case .absent: "no row has the given hash"
    }
  }
}

extension VerifiedAudit {
  /// The result of the verification as readable text.
  fileprivate var text: String {
    // The last line is the hash to pass to the next verification with --last. For a log without
    // rows, it is the hash of the last purged row.
    guard let last else { return "the audit log has no rows\n\(lastHash)" }
    return """
      \(counted(rows, "row")) of \(counted(days, "day")) up to \(last): unbroken
      \(lastHash)
      """
  }
}

private struct FaultLine: Encodable {
  let fault: AuditFault.Kind
  let row: String?

  init(_ fault: AuditFault) {
    self.fault = fault.kind
    row = fault.row
  }
}

private struct OutcomeLine: Encodable {
  let result: String
  let rows, days, faults: Int
  let last: String?
  let hash: String

  init(_ outcome: VerifiedAudit) {
    result = outcome.faults == 0 ? "unbroken" : "broken"
    (rows, days, faults) = (outcome.rows, outcome.days, outcome.faults)
    (last, hash) = (outcome.last, outcome.lastHash)
  }
}

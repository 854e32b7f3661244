import ArgumentParser
import BatonJobs
import BatonPostgres
import JobRunner

/// The `baton doctor` command, which reports problems and how to fix them.
struct DoctorCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract:
      "Check server settings, replication, bloat, long transactions, time zones, batches and drift, and print how to fix each finding.",
    discussion: """
      The command changes nothing. Exit codes: 0 no finding, 1 a warning, 2 a critical finding, any other: the check itself \
      failed. If the schema has roles, log in as the operator; the output lists what a login may not see. The command examines \
      the server as the dashboard's role, like `status`.
      """)

  @Option(help: "Report transactions that are open for more than this many seconds.")
  var transaction = 600

  @Option(help: "Report a table as bloated from this many dead rows.")
  var deadRows = 10_000

  @Flag(help: "Print one JSON object: state, findings, checkup.")
  var json = false

  func checkArguments() throws {
    guard transaction >= 0, deadRows >= 0 else {
      throw ValidationError("--transaction and --dead-rows take a number of 0 or more.")
    }
  }

  func run() async throws {
    let database = try await Database.orExit()
    try await database.reportingErrors() {
      var (findings, checkup) = try await examine(
        database.acting(as: "dashboard", isRequired: false))
      findings += try await drift(database.acting(as: "operator", isRequired: false))
      try show(findings.sorted, checkup)
    }
  }

  /// Examines the server with the same role as the `status` command.
  private func examine(_ database: Database) async throws -> ([Finding], ServerCheckup) {
    let connection = try await database.connect()
    let queue = Queue(Session(connection, in: database.schema))
    let observation = try await queue.observe()
    let checkup = try await queue.checkUp(
      settings: ServerCheckup.names, deadRows: Int64(deadRows), seconds: Int64(transaction))
    let timeouts = try await queue.jobs().compactMap(\.code.timeoutSeconds)
    let zones = try await queue.unknownZones()
    await connection.close()
    let longest = Duration.seconds(timeouts.max() ?? 0)
    var findings = checkup.findings(longest: longest, beside: observation)
    if !observation.isOldestTransactionSeen { findings.append(.hiddenTransactions) }
    return (findings + observation.withoutCode + zones.map { Finding.unknownZone($0) }, checkup)
  }

  /// Returns findings for stuck batches, and for the differences that the `check` command reports.
  private func drift(_ database: Database) async throws -> [Finding] {
    let connection = try await database.connect()
    let findings = try await drift(database, connection)
    await connection.close()
    return findings
  }

  private func drift(
    _ database: Database, _ connection: Connection
  ) async throws -> [Finding] {
    do {
      let session = Session(connection, in: database.schema)
      let queue = Queue(session)
      let rights = try await database.rightsWithoutRoles(connection)
      let complaints = [
        try await session.complaintAboutBuilds(), rights?.complaint(in: database.schema),
      ].compactMap { $0 }
      let drift = try await queue.drift(
        tables: database.tableTriggers(of: Program.jobs), ofOthers: true)
      let faults = try await database.migrator.accessFaults(connection)
      let batches = try await queue.stuckBatches()
      return complaints.map { Finding(of: $0) } + drift.findings(hidden: .note)
        + faults.map { Finding(of: $0) }
        + batches.map { Finding.stuckBatch($0, in: database.schema) }
    } catch let error as PostgresError where error.sqlState == "42501" {
      return [
        Finding(
          .note,
          "Not seen: whether jobs, triggers, schema and rights agree, and whether batches end.",
          at: "the rights of this login",
          next: "Log in as the operator, or run `\(Program.name) check`.")
      ]
    }
  }

  private func show(_ findings: [Finding], _ checkup: ServerCheckup) throws {
    struct Report: Encodable {
      let state: String
      let findings: [Finding]
      let checkup: ServerCheckup
    }
    if json {
      Console.write(
        try jsonLine(
          Report(state: findings.word.lowercased(), findings: findings, checkup: checkup)))
    } else {
      let bad = findings.count { $0.severity > .note }
      Console.write(
        "\(Program.name) \(findings.word): \(counted(bad, "finding")), "
          + "\(counted(findings.count - bad, "note"))")
      for line in checkup.replicationLines { Console.write(line.printable()) }
      for finding in findings { Console.write(finding.text) }
    }
    try findings.end()
  }
}

extension Finding {
  static let hiddenTransactions = Finding(
    .note, "Not seen: transactions of other roles, which may be older.", at: "pg_stat_activity",
    next: hiddenStatisticsStep)

  /// The advice for an operator: how to let Baton see the statistics of other roles.
  static let hiddenStatisticsStep =
    "A superuser can run: grant pg_read_all_stats to the dashboard's role, or to this login if the schema has no roles."
}

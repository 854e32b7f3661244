import ArgumentParser
import BatonJobs
import BatonPostgres
import JobRunner

/// The `baton check` command, which checks the schema, the triggers and the privileges.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract:
      "Check that jobs, triggers, rights and schema match; a worker starts only if they match.",
    discussion: """
      The command compares functions, views, triggers and other definitions, and the rights, options and memberships \
      of roles. It changes nothing. Exit codes: 0 no difference, 78 a difference, 1 or 2 runs without code, or a schedule \
      whose time zone the server does not know.
      """)

  @Flag(help: "Print one JSON object: state, findings.")
  var json = false

  func run() async throws {
    let database = try await Database.orExit().acting(as: "owner", isRequired: false)
    try await database.reportingErrors() {
      do {
        try await check(database)
      } catch let problem as SchemaProblem where json {
        let complaint = Complaint(problem, database: database)
        try write([Finding(of: complaint)])
        throw ReportedError(status: complaint.status)
      }
    }
  }

  private func check(_ database: Database) async throws {
    let (connection, unknownParts) = try await database.connectAndCheck()
    let session = Session(connection, in: database.schema)
    let queue = Queue(session)
    var findings = try finding(try await session.complaintAboutBuilds())
    let drift = try await queue.drift(
      tables: database.tableTriggers(of: Program.jobs), ofOthers: true)
    if !json, let complaint = drift.complaint { throw complaint }
    findings += drift.findings(hidden: .critical)
    let rights = try await database.rightsWithoutRoles(connection)
    findings += try finding(rights?.complaint(in: database.schema))
    let faults = try await database.migrator.accessFaults(connection)
    findings += faults.map { Finding(of: $0) }
    let warnings =
      try await queue.observe().withoutCode
      + queue.unknownZones().map { Finding.unknownZone($0) }
    if json {
      try write(findings + warnings)
    } else {
      try requireNone(faults.filter(\.isFault))
      for part in unknownParts {
        Console.write("part \(part) is not known to this binary and left alone")
      }
      for line in try await lines(of: rights, in: database, connection) { Console.write(line) }
      try await write(faults, queue)
      for finding in warnings { Console.write(finding.text) }
    }
    await connection.close()
    if findings.worst == .critical { throw ReportedError(status: .configuration) }
    try warnings.end()
  }

  /// Returns the finding for a complaint, or throws the complaint if the output is text.
  private func finding(_ complaint: Complaint?) throws -> [Finding] {
    guard let complaint else { return [] }
    guard json else { throw complaint }
    return [Finding(of: complaint)]
  }

  private func write(_ findings: [Finding]) throws {
    struct Report: Encodable {
      let state: String
      let findings: [Finding]
    }
    let report = Report(state: findings.word.lowercased(), findings: findings.sorted)
    Console.write(try jsonLine(report))
  }

  /// Prints recommendations about privileges, and a list of the objects that match this binary.
  private func write(_ advice: [Migrator.AccessFault], _ queue: Queue) async throws {
    Console.write("functions, views, triggers, columns and constraints are as `migrate` left them")
    for finding in advice {
      Console.write("advice: \(finding.what) (\(finding.place)): \(finding.fix)")
    }
    let stored = Program.isEngine ? try await queue.jobs() : []
    let jobs = Program.isEngine ? stored.count : Program.jobs.count
    Console.write(
      "\(counted(jobs, "job")), \(jobs == 1 ? "its" : "their") triggers and the schema agree")
    for job in try await queue.retired(of: Program.jobs.map(\.definition.name)) {
      Console.write("advice: the job \(job) is retired: remove it from this program")
    }
    for program in stored.programs {
      Console.write("`\(program) check` compares its jobs with their code")
    }
  }

  /// Returns the privileges of roles and logins, as lines of text.
  private func lines(
    of rights: Migrator.Rights?, in database: Database, _ connection: Connection
  ) async throws -> [String] {
    if let rights {
      return rights.lines(in: database.schema) + [
        "the schema has no roles: its owner may do everything; `\(Program.name) roles create` creates them"
      ]
    }
    let prefix = try await Migrator.roles(of: database.schema, connection)?.prefix ?? ""
    return [
      "the roles \(prefix)_... have their declared rights, options and memberships",
      "no other role was granted rights to objects of the schema",
    ]
      + (try await database.migrator.outsiders(connection)).map {
        "\($0.member) can act as \($0.role)"
      }
  }

  /// Prints each access fault in three lines, and ends the command.
  private func requireNone(_ faults: [Migrator.AccessFault]) throws {
    guard !faults.isEmpty else { return }
    for fault in faults {
      Console.complain(
        Complaint(
          .configuration, what: "\(fault.what).", place: fault.place, next: fault.next
        ).text)
    }
    throw ReportedError(status: .configuration)
  }
}

extension Migrator.AccessFault {
  /// The step that the user should take to fix the access fault.
  fileprivate var next: String {
    fix == "migrate"
      ? "Run \(Program.migrate)." : "As the owner or an administrator, run: \(fix)."
  }
}

extension Finding {
  init(of fault: Migrator.AccessFault) {
    self.init(
      fault.isFault ? .critical : .note, "\(fault.what).", at: fault.place, next: fault.next)
  }

  /// Describes a difference that prevents a worker from starting.
  init(of complaint: Complaint) {
    self.init(.critical, complaint.what, at: complaint.place, next: complaint.next)
  }
}

extension Session {
  /// Returns the message for processes of this release that have different job definitions, or nil
  /// if all processes of this release have the same definitions.
  func complaintAboutBuilds() async throws -> Complaint? {
    guard let own = Program.release, let fingerprint = own.fingerprint else { return nil }
    let others = try await fingerprints(of: own).filter { $0.fingerprint != fingerprint }
    guard !others.isEmpty else { return nil }
    let workers = others.reduce(0) { $0 + $1.workers }
    return Complaint(
      .configuration,
      what: "Builds of \(own) have different definitions: the "
        + (workers > 0 ? "\(counted(workers, "worker"))" : "last one that wrote its definitions")
        + " and this program.",
      place: "table \(workers > 0 ? "worker" : "program_release")",
      next: "Give each build its own number in `static let release`, and deploy one of them.")
  }
}

extension Database {
  /// Returns the rights in a schema without roles, or nil if the schema has roles.
  func rightsWithoutRoles(_ connection: Connection) async throws -> Migrator.Rights? {
    guard try await Migrator.roles(of: schema, connection) == nil else { return nil }
    return try await migrator.rights(connection)
  }
}

extension Migrator.Rights {
  /// Returns the message for roles that may call a function that they should not call, or that
  /// lack a required privilege.
  func complaint(in schema: Schema) -> Complaint? {
    guard !differences.isEmpty else { return nil }
    return Complaint(
      .configuration, what: differences.joined(separator: "; ") + ".",
      place: "the rights in schema \(schema)",
      next: "Run \(Program.migrate). Manually revoke rights that a role "
        + "has as a member of other roles.")
  }

  /// Returns the roles that may call the schema's functions, as lines of text.
  fileprivate func lines(in schema: Schema) -> [String] {
    let more = others.map { line($0.role, $0.functions, $0.granted) }
    guard let functionsOfRole else {
      return more.isEmpty ? ["only the owner may call the functions of the schema"] : more
    }
    let none = more.isEmpty ? "; no other role was granted any" : ""
    return [line(schema.apiRole, functionsOfRole, granted, none)] + more
  }

  private func line(
    _ role: String, _ functions: Int, _ granted: String, _ none: String = ""
  ) -> String {
    "the role \(role) may call \(counted(functions, "function"))\(none)"
      + (granted.isEmpty ? "" : "; it was also granted rights to \(granted)")
  }
}

extension Queue {
  /// Returns the differences between this binary's jobs, the triggers and the schema.
  ///
  /// - Parameters:
  ///   - tables: the triggers that the jobs declare.
  ///   - ofOthers: whether incorrect triggers of jobs that this binary does not define also count
  ///     as differences.
  func drift(tables: TableTriggers, ofOthers: Bool) async throws -> Drift {
    try await drift(Program.jobs, tables: tables, ofOthers: ofOthers, of: Program.release)
  }

  /// Throws an error that lists every difference between this binary's jobs, the triggers and the
  /// schema.
  ///
  /// - Parameter tables: the triggers that the jobs declare.
  func requireNoDrift(tables: TableTriggers) async throws {
    if let complaint = try await drift(tables: tables, ofOthers: false).complaint {
      throw complaint
    }
  }
}

extension Drift {
  /// The message for differences, or for triggers that cannot be seen, or nil if there are none.
  var complaint: Complaint? {
    guard differences.isEmpty else {
      return Complaint(
        .configuration, what: differences.joined(separator: "; ") + ".",
        place: "table job and the triggers",
        next:
          "Run \(Program.migrate); enable or create the triggers that are named."
      )
    }
    guard !nodes.isEmpty else { return nil }
    return Complaint(
      .configuration,
      what: "The tables are on another node of this database, "
        + "\(nodes.joined(separator: ", ")): their triggers cannot be seen from here.",
      place: "table pg_dist_placement",
      next: "Nothing is known to be wrong. Point DATABASE_URL at that node.")
  }

  /// Returns one finding per difference, and one finding for triggers that cannot be seen.
  ///
  /// - Parameter hidden: the severity of the finding for triggers that cannot be seen.
  func findings(hidden: Finding.Severity) -> [Finding] {
    let found = differences.map {
      Finding(
        .critical, "\($0).", at: "table job and the triggers", next: "Run \(Program.migrate).")
    }
    guard !nodes.isEmpty else { return found }
    return found + [
      Finding(
        hidden, "Not seen: the triggers, which are on \(nodes.joined(separator: ", ")).",
        at: "table pg_dist_placement", next: "Point DATABASE_URL at that node.")
    ]
  }
}

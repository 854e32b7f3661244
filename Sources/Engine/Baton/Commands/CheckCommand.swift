import ArgumentParser
import BatonJobs
import BatonPostgres
import JobRunner

/// The command `baton check`, which checks the schema, the triggers and the privileges.
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
      let (connection, unknownParts) = try await database.connectAndCheck()
      let session = Session(connection, in: database.schema)
      try await requireOneBuild(session)
      try await Queue(session).requireNoDrift(
        tables: database.tableTriggers(of: Program.jobs), ofOthers: true)
      let rights = try await rights(in: database, connection)
      let faults = try await database.migrator.accessFaults(connection)
      let queue = Queue(session)
      let warnings =
        try await queue.observe().withoutCode
        + queue.unknownZones().map { Finding.unknownZone($0) }
      if json {
        try write(faults.map { Finding(of: $0) } + warnings)
      } else {
        try requireNone(faults.filter(\.isFault))
        for part in unknownParts {
          Console.write("part \(part) is not known to this binary and left alone")
        }
        for line in rights { Console.write(line) }
        try await write(faults, queue)
        for finding in warnings { Console.write(finding.text) }
      }
      await connection.close()
      if faults.contains(where: \.isFault) { throw ReportedError(status: .configuration) }
      try warnings.end()
    }
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

  /// Checks that all processes of this release have the same job definitions.
  private func requireOneBuild(_ session: Session) async throws {
    guard let own = Program.release, let fingerprint = own.fingerprint else { return }
    let others = try await session.fingerprints(of: own).filter { $0.fingerprint != fingerprint }
    guard !others.isEmpty else { return }
    let workers = others.reduce(0) { $0 + $1.workers }
    throw Complaint(
      .configuration,
      what: "Builds of \(own) have different definitions: the "
        + (workers > 0 ? "\(counted(workers, "worker"))" : "last one that wrote its definitions")
        + " and this program.",
      place: "table \(workers > 0 ? "worker" : "program_release")",
      next: "Give each build its own number in `static let release`, and deploy one of them.")
  }

  /// Returns the privileges of roles and logins, as lines of text.
  private func rights(in database: Database, _ connection: Connection) async throws -> [String] {
    let migrator = database.migrator
    guard let roles = try await Migrator.roles(of: database.schema, connection) else {
      return try await migrator.rights(connection).required(in: database.schema) + [
        "the schema has no roles: its owner may do everything; `\(Program.name) roles create` creates them"
      ]
    }
    return [
      "the roles \(roles.prefix)_... have their declared rights, options and memberships",
      "no other role was granted rights to objects of the schema",
    ]
      + (try await migrator.outsiders(connection)).map {
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
}

extension Migrator.Rights {
  /// Returns the roles that may call the schema's functions, as lines of text.
  ///
  /// - Throws: ``Complaint`` if a role may call a function that it should not call, or lacks a
  ///   required privilege.
  fileprivate func required(in schema: Schema) throws -> [String] {
    guard differences.isEmpty else {
      throw Complaint(
        .configuration, what: differences.joined(separator: "; ") + ".",
        place: "the rights in schema \(schema)",
        next: "Run \(Program.migrate). Manually revoke rights that a role "
          + "has as a member of other roles.")
    }
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
  /// Throws an error that lists every difference between this binary's jobs, the triggers and the
  /// schema.
  ///
  /// - Parameters:
  ///   - tables: the triggers that the jobs declare.
  ///   - ofOthers: whether the error also lists incorrect triggers of jobs that this binary does
  ///     not define.
  func requireNoDrift(tables: TableTriggers, ofOthers: Bool = false) async throws {
    let drift = try await drift(
      Program.jobs, tables: tables, ofOthers: ofOthers, of: Program.release)
    guard drift.differences.isEmpty else {
      throw Complaint(
        .configuration, what: drift.differences.joined(separator: "; ") + ".",
        place: "table job and the triggers",
        next:
          "Run \(Program.migrate); enable or create the triggers that are named."
      )
    }
    guard drift.nodes.isEmpty else {
      let nodes = drift.nodes.joined(separator: ", ")
      throw Complaint(
        .configuration,
        what: "The tables are on another node of this database, \(nodes): "
          + "their triggers cannot be seen from here.",
        place: "table pg_dist_placement",
        next: "Nothing is known to be wrong. Point DATABASE_URL at that node.")
    }
  }
}

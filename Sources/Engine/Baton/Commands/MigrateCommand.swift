import ArgumentParser
import BatonJobs
import BatonPostgres
import JobRunner

/// The `baton migrate` command, which migrates the schema to this binary's version.
struct MigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Migrate the schema to the version of this program.",
    discussion:
      """
      The command is safe to repeat, to interrupt and to run from several machines at the same time. If a newer \
      release of the program is current and this one can work on the schema, the command changes nothing and exits \
      with 0.
      """)

  @Flag(help: "Print the SQL, and run nothing.")
  var plan = false

  @Flag(
    name: .customLong("api-role"),
    help: ArgumentHelp(
      "Create the role SCHEMA_api, which may execute the functions of the API and nothing else.",
      discussion:
        "If the schema has roles, it already has a role for the API, and no role is created."))
  var makesAPIRole = false

  @Flag(
    help: ArgumentHelp(
      "Make this release current even if a newer release is current.",
      discussion:
        "Definitions, limits, schedules, triggers and functions of this release take effect. "
        + "The audit log records the change."))
  var takeOver = false

  func run() async throws {
    let database = try await Database.orExit().needing("migrator")
    try await database.reportingErrors() {
      let connection = try await database.open()
      var migrator = database.migrator
      migrator.note = { Console.complain("\($0)\n") }
      if plan {
        try await show(planOf: migrator, database, connection)
      } else {
        try await migrate(migrator, database, connection)
      }
      await connection.close()
    }
  }

  private func migrate(
    _ migrator: Migrator, _ database: Database, _ connection: Connection
  ) async throws {
    let outcome = try await migrator.migrate(
      connection, makesAPIRole: makesAPIRole, takesOver: takeOver)
    if let own = Program.release, let other = outcome.otherRelease, outcome.migrations.isEmpty,
      outcome.objects.isEmpty
    {
      return Console.write("schema \(database.schema): \(own.refusal(because: other))")
    }
    // The jobs must be defined before the triggers exist. The dispatcher discards an event if no
    // defined job subscribes to it.
    let isCurrent = try await Queue(Session(connection, in: database.schema))
      .define(Program.jobs, of: Program.release)
    for name in outcome.migrations { Console.write("applied \(name)") }
    if let own = Program.release, let old = outcome.replacedRelease {
      Console.write("\(own) has replaced release \(old)")
    }
    for part in outcome.newerVersions {
      Console.write("the functions of \(part) belong to a newer binary and are not changed")
    }
    // A binary of an older release does not change triggers, because its trigger declarations may
    // be outdated.
    let tables =
      outcome.newerVersions.isEmpty && isCurrent
      ? try await database.tableTriggers(of: Program.jobs).migrate(connection) : []
    if !tables.isEmpty { try await migrator.settleAccess(connection) }
    try await record(outcome, tables: tables.count, Session(connection, in: database.schema))
    if makesAPIRole {
      let rights = try await migrator.rights(connection)
      Console.write(
        rights.functionsOfRole.map {
          "the role \(rights.role) may call \(counted($0, "function"))"
        } ?? "none of the roles of schema \(database.schema) is for an API")
    }
    Console.write("schema \(database.schema): \(summary(outcome, tables: tables.count))")
  }

  /// Appends the changes to the audit log after the migration, because a new schema has no audit
  /// log before its migration.
  private func record(
    _ outcome: Migrator.Outcome, tables: Int, _ session: Session
  ) async throws {
    let changes: [String: AuditValue] = [
      "migrations": .list(outcome.migrations.map { .text("\($0)") }),
      "objects": .number(Int64(outcome.objects.count)),
      "rights": .number(Int64(outcome.rights.count)), "tables": .number(Int64(tables)),
    ]
    let isNothing =
      outcome.migrations.isEmpty && outcome.objects.isEmpty && outcome.rights.isEmpty && tables == 0
    guard !isNothing || makesAPIRole else { return }
    try await session.record(
      AuditEntry("migrate", makesAPIRole ? ["api_role": true] : [:], after: changes))
  }

  private func show(
    planOf migrator: Migrator, _ database: Database, _ connection: Connection
  ) async throws {
    let plan = try await migrator.plan(
      connection, makesAPIRole: makesAPIRole, takesOver: takeOver)
    if let own = Program.release, let other = plan.otherRelease {
      return Console.write("-- \(own.refusal(because: other))")
    }
    let compatibility = plan.migrations.map { ($0.name, Migrator.isCompatible($0)) }
    var statements = plan.migrations + plan.objects + plan.rights
    do {
      statements += try await database.tableTriggers(of: Program.jobs).plan(connection)
    } catch  where !plan.migrations.isEmpty && isOfMissingTable(error) {
      statements.append(
        Statement("later", "-- then the triggers on tables that these migrations create"))
    }
    Console.write(
      statements.isEmpty ? "-- nothing to do" : "set search_path to \(database.schema), pg_temp;\n")
    for statement in statements {
      let note = compatibility.first { $0.0 == statement.name }.map {
        "-- releases without this migration \($0.1 ? "continue to work" : "stop")\n"
      }
      Console.write("-- \(statement.name)\n\(note ?? "")\(statement.text);\n")
    }
  }

  private func isOfMissingTable(_ error: any Error) -> Bool {
    error is UnfitTable || error is UnfitCondition
      || (error as? PostgresError)?.sqlState == .undefinedTable
  }

  private func summary(_ outcome: Migrator.Outcome, tables: Int) -> String {
    guard outcome.migrations.isEmpty, outcome.objects.isEmpty, tables == 0 else {
      return "\(counted(outcome.migrations.count, "migration")) applied, "
        + "\(counted(outcome.objects.count, "function, view or trigger", "functions, views and triggers")) made"
        + (tables == 0 ? "" : ", \(counted(tables, "declared table")) dealt with")
    }
    return outcome.rights.isEmpty ? "nothing to do" : "rights set"
  }
}

extension ProgramRelease {
  /// The message that `migrate` prints if another release is current and the command changes
  /// nothing.
  fileprivate func refusal(because current: Int) -> String {
    current > number
      ? "nothing to do for \(self), because release \(current) is current"
      : "nothing to do for \(self), because it was rolled back to release \(current)"
  }
}

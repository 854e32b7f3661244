import ArgumentParser
import BatonPostgres
import JobRunner

/// `baton roles`.
struct RolesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roles", abstract: "Make the roles of the schema, each with the rights it needs.",
    discussion: """
      Without roles whoever owns the schema does everything. With them a worker cannot do what an operator may, \
      users see what is theirs, and `migrate` and `check` keep it so. Roles have no password from us.
      """,
    subcommands: [Create.self, Drop.self])

  /// `baton roles create`.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make the roles, and hand them what is there; safe to repeat.",
      discussion: "Needs a role that owns the schema and may create roles; it need be no superuser."
    )

    @Option(
      help: "What the names begin with, at most 40 bytes; the schema's name unless it is said.")
    var prefix: String?

    @Flag(help: "Print the SQL that would be run, and run nothing.")
    var plan = false

    func run() async throws {
      let database = try await Database.orExit().needing("migrator")
      try await database.reportingErrors() {
        let roles = try prefix.map { text in
          guard let roles = AccessRoles(prefix: text) else { throw AccessProblem.badPrefix(text) }
          return roles
        }
        let migrator = Migrator(database.schema, parts: Program.parts)
        let connection = try await database.connect()
        let there = try await Migrator.roles(of: database.schema, connection)
        let names = (there ?? roles)?.prefix ?? database.schema.name
        let statements =
          plan
          ? try await migrator.planRoles(connection, prefix: roles)
          : try await migrator.createRoles(connection, prefix: roles)
        await connection.close()
        if plan { return show(statements, in: database.schema) }
        Console.write(
          "schema \(database.schema): "
            + (statements.isEmpty
              ? "nothing to do" : "the roles \(names)_... are set"))
      }
    }
  }

  /// `baton roles drop`.
  struct Drop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Drop the roles, and own everything again.",
      discussion: """
        Refused while somebody is logged in as one of them, is a member of one, or something outside of the \
        schema depends on one: these are named.
        """)

    @Flag(help: "Print the roles that would be dropped, and drop nothing.")
    var dryRun = false

    func run() async throws {
      let database = try await Database.orExit().needing("migrator")
      try await database.reportingErrors() {
        let migrator = Migrator(database.schema, parts: Program.parts)
        let connection = try await database.connect()
        guard let roles = try await Migrator.roles(of: database.schema, connection) else {
          throw AccessProblem.none(database.schema)
        }
        let statements = try await migrator.dropRoles(connection, isDryRun: dryRun)
        await connection.close()
        if dryRun { return show(statements, in: database.schema) }
        Console.write("schema \(database.schema): the roles \(roles.prefix)_... are dropped")
      }
    }
  }
}

private func show(_ statements: [String], in schema: Schema) {
  Console.write(
    statements.isEmpty ? "-- nothing to do" : "set search_path to \(schema), pg_temp;\n")
  for statement in statements { Console.write("\(statement);\n") }
}

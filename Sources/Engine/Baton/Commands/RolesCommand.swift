import ArgumentParser
import BatonPostgres
import JobRunner

/// The `baton roles` command, which creates and drops the database roles of a schema.
struct RolesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roles", abstract: "Create or drop the roles of the schema.",
    discussion: """
      Without roles, the schema's owner does everything. With roles, a worker may do less than an operator, and users \
      see their own rows only. `migrate` maintains the rights and `check` verifies them. The roles get no password.
      """,
    subcommands: [Create.self, Drop.self])

  /// The `baton roles create` command.
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create the roles and transfer the existing objects to them; safe to repeat.",
      discussion:
        "The login must own the schema and have CREATEROLE, but does not have to be a superuser."
    )

    @Option(
      help: "The prefix of the role names, at most 40 bytes; default: the schema's name.")
    var prefix: String?

    @Flag(help: "Print the SQL, and run nothing.")
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
              ? "nothing to do" : "the roles \(names)_... are ready"))
      }
    }
  }

  /// The `baton roles drop` command.
  struct Drop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Drop the roles and transfer all objects to the login.",
      discussion: """
        The command fails while a role has a session or a member, or while objects outside the schema depend on a \
        role. The error names the sessions, members and objects.
        """)

    @Flag(help: "Print the statements without running them.")
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

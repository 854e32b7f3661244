public import BatonPostgres
import Foundation
import JobRunner
package import PrivateServer
import RunnerSQL
import Synchronization

/// The database and the schema that a command uses.
public struct Database: CustomStringConvertible, Sendable {
  /// The address for libpq, which may contain a password.
  package let address: String
  /// The schema of this program.
  public let schema: Schema
  /// A description of the database for messages.
  ///
  /// The description never contains the address, because the address may contain a password.
  public let description: String
  /// The kind of role that transactions run as, such as `worker`, if the schema has roles.
  ///
  /// If the value is nil, transactions use the login's own privileges.
  private(set) var actingRole: String?
  private var requiresRole = true
  /// The kind of role that the command needs.
  private(set) var neededRole = "operator"
  /// The password file, or nil if no password file is configured.
  package let password: PasswordFile?
  /// The names of the settings that contain the address and the path of the password file.
  let settings: (address: String, password: String)

  /// Creates a `Database` from the given values instead of the settings.
  ///
  /// - Parameter settings: the names of the settings that error messages mention.
  package init(
    address: String, schema: Schema, description: String, password: PasswordFile? = nil,
    settings: (address: String, password: String) = ("DATABASE_URL", "BATON_PASSWORD_FILE")
  ) {
    self.address = address
    self.schema = schema
    self.description = description
    self.password = password
    self.settings = settings
  }

  /// Returns the configured database, or the private server of `baton db up` if no database is
  /// configured.
  ///
  /// - Throws: ``Complaint`` if the schema's name is invalid, or if no server is configured or
  ///   running.
  package static func fromEnvironment() throws -> Database {
    let environment = ProcessInfo.processInfo.environment
    let schema = try namedSchema()
    let settings = Settings.current
    if let address = settings.text(.database) {
      return named(address, schema, settings.place(of: .database))
    }
    let own = otherNames.first {
      environment[$0].map { !$0.isEmpty } ?? false
    }
    if let own { return named("", schema, own) }
    guard case .running(let running) = try PrivateServer.ofThisFolder.status() else {
      throw Complaint(
        .unavailable, what: "No database is named and the private server is not running.",
        place: "DATABASE_URL, PGHOST, PGHOSTADDR, PGSERVICE, PGDATABASE and .baton/",
        next: "Run `\(Program.name) db up`, or set DATABASE_URL=postgresql://user@host/database.")
    }
    return Database(
      address: running.connectionString, schema: schema,
      description: "the private server in .baton/")
  }

  /// Creates a `Database` that uses the configured password file.
  ///
  /// For the private server, the `Database` has no password file, because the server needs no
  /// password.
  private static func named(
    _ address: String, _ schema: Schema, _ description: String
  ) -> Database {
    let database = Database(
      address: address, schema: schema, description: description, password: .ofEnvironment)
    if database.configuration().mayUsePassword { Dumps.forbid() }
    return database
  }

  /// The environment variables other than `DATABASE_URL` that specify a database for libpq.
  static let otherNames = ["PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE"]

  /// Returns the configured schema, or the program's default schema if no schema is configured.
  ///
  /// - Throws: ``Complaint`` if the schema's name is invalid.
  static func namedSchema() throws -> Schema {
    let settings = Settings.current
    let name = settings.text(.schema) ?? Program.defaultSchema.name
    guard let schema = Schema(name) else {
      throw Complaint(
        .usage, what: "'\(name)' cannot be the name of a schema.",
        place: settings.place(of: .schema),
        next: "Use lower-case letters, digits and _, not beginning with pg_. The name cannot be "
          + "`public` or a word that PostgreSQL reserves, such as `order`.")
    }
    return schema
  }

  /// Returns a command's database and schema, or prints an error and ends the command.
  ///
  /// `baton` has no default schema. If no schema is configured, `baton` uses the only schema in the
  /// database that a Baton program created.
  ///
  /// - Throws: an error that ends the command. The command's exit code depends on the printed
  ///   error.
  public static func orExit() async throws -> Database {
    try await orExit(in: .text) {}
  }

  /// Returns the database from the environment, and logs errors in the format of the command's log.
  ///
  /// - Throws: an error that ends the command. The command's exit code depends on the logged error.
  package static func orExit(for log: LogOptions) async throws -> Database {
    try await orExit(in: log.format) { try log.check() }
  }

  private static func orExit(
    in format: LogFormat, after check: () throws -> Void
  ) async throws -> Database {
    var place: Database?
    do {
      try check()
      let database = try fromEnvironment()
      place = database
      return try await database.withItsSchema()
    } catch {
      throw Complaint(error, database: place).reported(in: format)
    }
  }

  /// Returns the configuration for a connection to the server.
  ///
  /// - Parameters:
  ///   - applicationName: the name in PostgreSQL's list of connections, or nil for the program's
  ///     name.
  ///   - isDurable: whether commits wait until the transaction is on disk.
  public func configuration(
    applicationName: String? = nil, isDurable: Bool = true
  ) -> ConnectionConfiguration {
    var configuration = ConnectionConfiguration(
      address: address, applicationName: applicationName ?? Program.name, isDurable: isDurable,
      password: password)
    if let actingRole {
      configuration.act(as: actingRole, of: schema, ifMember: !requiresRole)
    }
    return configuration
  }

  /// Returns a copy whose transactions run as the given kind of role.
  ///
  /// - Parameter isRequired: whether the login must be this role or a member of it. If `isRequired`
  ///   is false, a login that is not a member of the role uses its own privileges.
  package func acting(as kind: String, isRequired: Bool = true) -> Database {
    var database = self
    (database.actingRole, database.requiresRole) = (kind, isRequired)
    if isRequired { database.neededRole = kind }
    return database
  }

  /// Returns a copy for a command that needs the privileges of the given kind of role.
  package func needing(_ kind: String) -> Database {
    var database = self
    database.neededRole = kind
    return database
  }

  /// Returns the table triggers that the given jobs of the program declare.
  func tableTriggers(of jobs: [RegisteredJob]) -> TableTriggers {
    guard let release = Program.release else {
      return TableTriggers(schema, of: Program.name, jobs: jobs)
    }
    return TableTriggers(schema, of: release, jobs: jobs)
  }

  /// The migrator for the program's schema modules.
  package var migrator: Migrator {
    Migrator(schema, parts: Program.parts, release: Program.release)
  }

  /// Connects to the database, and checks that the schema is compatible with this binary.
  ///
  /// - Throws: `PostgresError`, `SchemaProblem`.
  public func connect() async throws -> Connection { try await connectAndCheck().connection }

  /// Connects to the database without checking the schema.
  ///
  /// If an explicit setting weakens the security of the connection, the method prints a warning.
  ///
  /// - Throws: `PostgresError`.
  func open() async throws -> Connection {
    let configuration = configuration()
    if let warning = configuration.warning, Self.warned.withLock({ $0.insert(warning).inserted }) {
      Console.complain("warning: \(warning)\n")
    }
    return try await Connection.open(configuration)
  }

  /// The warnings that were printed and are not printed again after a reconnection.
  private static let warned = Mutex<Set<String>>([])

  /// Connects, checks the schema, and returns the schema modules that this binary does not know.
  func connectAndCheck() async throws -> (connection: Connection, unknownParts: [String]) {
    let connection = try await open()
    let unknown = try await migrator.check(connection)
    return (connection, unknown)
  }
}

extension Database {
  /// Returns the database together with the schema that the command uses.
  ///
  /// If no schema is configured, `baton` selects the only schema in the database that a Baton
  /// program created.
  ///
  /// - Throws: ``Complaint`` if no schema or more than one schema is found, or `PostgresError`.
  func withItsSchema() async throws -> Database {
    guard Program.isEngine, Settings.current.text(.schema) == nil else { return self }
    let list = Call.rows(SQL.Migrator.listSchemas, as: String.self)
    let connection = try await open()
    let schemas = try await connection.run(list).compactMap { Schema($0) }
    await connection.close()
    guard let only = schemas.first else {
      throw Complaint(
        .noInput, what: "The database has no schema of Baton that this login may use.",
        place: "\(self)",
        next: "Run \(Program.migrate), or name another database.")
    }
    guard schemas.count == 1 else {
      let names = schemas.map(\.name).joined(separator: ", ")
      throw Complaint(
        .usage, what: "There are several schemas of Baton: \(names).", place: "\(self)",
        next: "Nothing was done. Name one: BATON_SCHEMA=\(only) \(Program.name) ...")
    }
    return Database(
      address: address, schema: only, description: description, password: password)
  }
}

extension PrivateServer {
  /// The server of `baton db up`, stored in `.baton/` in the current folder.
  package static var ofThisFolder: PrivateServer {
    PrivateServer(directory: FileManager.default.currentDirectoryPath + "/.baton/postgres")
  }
}

public import BatonPostgres
import Foundation
import JobRunner
package import PrivateServer
import RunnerSQL
import Synchronization

/// The database and schema of a command, and the setting that named them.
public struct Database: CustomStringConvertible, Sendable {
  /// The address as libpq accepts it; it may contain a password.
  package let address: String
  /// The schema of this program.
  public let schema: Schema
  /// A text for messages; it never contains the address, which may contain a password.
  public let description: String
  /// The kind of role that transactions act as, if the schema has roles; nil: the login's own rights.
  private(set) var actingRole: String?
  private var requiresRole = true
  /// The kind of role that the command needs.
  private(set) var neededRole = "operator"
  /// The password file, if one is configured.
  package let password: PasswordFile?

  /// Creates a database that was not found in the settings.
  package init(
    address: String, schema: Schema, description: String, password: PasswordFile? = nil
  ) {
    self.address = address
    self.schema = schema
    self.description = description
    self.password = password
  }

  /// Finds the database that the settings name, otherwise the private server of `baton db up`.
  ///
  /// - Throws: ``Complaint`` if the schema's name is invalid, or no server is named or running.
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

  /// Creates a database with the configured password file; the private server needs no password.
  private static func named(
    _ address: String, _ schema: Schema, _ description: String
  ) -> Database {
    let database = Database(
      address: address, schema: schema, description: description, password: .ofEnvironment)
    if database.configuration().mayUsePassword { Dumps.forbid() }
    return database
  }

  /// Variables other than `DATABASE_URL` with which libpq finds a database.
  static let otherNames = ["PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE"]

  /// The schema that the settings name, otherwise the program's default schema.
  ///
  /// - Throws: ``Complaint`` if its name is invalid.
  static func namedSchema() throws -> Schema {
    let settings = Settings.current
    let name = settings.text(.schema) ?? Program.defaultSchema.name
    guard let schema = Schema(name) else {
      throw Complaint(
        .usage, what: "'\(name)' cannot be the name of a schema.",
        place: settings.place(of: .schema),
        next: "Use lower-case letters, digits and _, not `public` and not beginning with pg_.")
    }
    return schema
  }

  /// Finds the database and schema of a command; an error is printed and ends the command.
  ///
  /// `baton` has no default schema: if none is named, it uses the only one in the database.
  ///
  /// - Throws: an error that ends the process with the exit code of the printed one.
  public static func orExit() async throws -> Database {
    var place: Database?
    do {
      let database = try fromEnvironment()
      place = database
      return try await database.withItsSchema()
    } catch {
      let complaint = Complaint(error, database: place)
      Console.complain(complaint.text)
      throw ReportedError(status: complaint.status)
    }
  }

  /// How to connect to the server.
  ///
  /// - Parameters:
  ///   - applicationName: the name in PostgreSQL's list of connections; nil: the program's name.
  ///   - isDurable: false lets commits return before they are on disk.
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

  /// The same database, with transactions that act as a kind of role.
  ///
  /// The login must be that role or a member of it.
  ///
  /// - Parameter isRequired: true refuses any other login; false lets it act with its own rights.
  package func acting(as kind: String, isRequired: Bool = true) -> Database {
    var database = self
    (database.actingRole, database.requiresRole) = (kind, isRequired)
    if isRequired { database.neededRole = kind }
    return database
  }

  /// The same database, for a command that needs the rights of a kind of role.
  package func needing(_ kind: String) -> Database {
    var database = self
    database.neededRole = kind
    return database
  }

  /// The triggers of tables that these jobs of the program declare.
  func tableTriggers(of jobs: [RegisteredJob]) -> TableTriggers {
    TableTriggers(schema, of: Program.name, jobs: jobs)
  }

  /// Connects to a schema that fits this binary.
  ///
  /// - Throws: `PostgresError`, `SchemaProblem`.
  public func connect() async throws -> Connection { try await connectAndCheck().connection }

  /// Connects without a check of the schema, and prints a warning if the configured connection is less safe than
  /// possible.
  ///
  /// - Throws: `PostgresError`.
  func open() async throws -> Connection {
    let configuration = configuration()
    if let warning = configuration.warning, Self.warned.withLock({ $0.insert(warning).inserted }) {
      Console.complain("warning: \(warning)\n")
    }
    return try await Connection.open(configuration)
  }

  /// Warnings that were printed: a worker that waits for its server connects again and again.
  private static let warned = Mutex<Set<String>>([])

  /// Connects to a schema that fits, and returns the schema modules that this binary does not know.
  func connectAndCheck() async throws -> (connection: Connection, unknownParts: [String]) {
    let connection = try await open()
    let unknown = try await Migrator(schema, parts: Program.parts).check(connection)
    return (connection, unknown)
  }
}

extension Database {
  /// The same database; `baton` without a named schema selects the only schema that a program on Baton has made.
  ///
  /// - Throws: ``Complaint`` if there is none or more than one; `PostgresError`.
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
  /// The server of `baton db up`, in `.baton/` of the current folder.
  package static var ofThisFolder: PrivateServer {
    PrivateServer(directory: FileManager.default.currentDirectoryPath + "/.baton/postgres")
  }
}

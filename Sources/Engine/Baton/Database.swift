public import BatonPostgres
import Foundation
import JobRunner
package import PrivateServer
import RunnerSQL
import Synchronization

/// Which database and schema a command works on, and where that was said.
public struct Database: CustomStringConvertible, Sendable {
  /// As libpq takes it; may hold a password.
  package let address: String
  /// The schema of this application.
  public let schema: Schema
  /// For messages: never holds the address itself, which may hold a password.
  public let description: String
  /// The kind of the role that transactions act as, where the schema has roles; nil: who logs in.
  private(set) var actingRole: String?
  private var requiresRole = true
  /// The kind of the role that what is done here needs.
  private(set) var neededRole = "operator"
  /// The password's file, where one was named.
  package let password: PasswordFile?

  /// A database that was found otherwise.
  package init(
    address: String, schema: Schema, description: String, password: PasswordFile? = nil
  ) {
    self.address = address
    self.schema = schema
    self.description = description
    self.password = password
  }

  /// The database that the settings name, else the private server of `baton db up`.
  ///
  /// - Throws: ``Complaint`` where the schema's name is not one, or no server is named or running.
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

  /// One that may ask for a password; the private server asks for none.
  private static func named(
    _ address: String, _ schema: Schema, _ description: String
  ) -> Database {
    let database = Database(
      address: address, schema: schema, description: description, password: .ofEnvironment)
    if database.configuration().mayUsePassword { Dumps.forbid() }
    return database
  }

  /// What names a database for libpq, where `DATABASE_URL` does not.
  static let otherNames = ["PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE"]

  /// The schema that the settings name, else that of the program.
  ///
  /// - Throws: ``Complaint`` where its name is not one.
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

  /// The database and schema of a command; a complaint is printed and ends the command.
  ///
  /// `baton` has no schema of its own: if none is named it takes the only one of the database.
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

  /// How to reach the server; PostgreSQL lists connections by the application's name, which is the program's if nil.
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

  /// The same, where transactions act as the role of a kind: who logs in has to be it, or a member.
  ///
  /// - Parameter isRequired: whether who is not is refused; else they act as themselves.
  package func acting(as kind: String, isRequired: Bool = true) -> Database {
    var database = self
    (database.actingRole, database.requiresRole) = (kind, isRequired)
    if isRequired { database.neededRole = kind }
    return database
  }

  /// The same, for a command that asks for the rights of a kind of role.
  package func needing(_ kind: String) -> Database {
    var database = self
    database.neededRole = kind
    return database
  }

  /// The triggers that these jobs of the program declare.
  func tableTriggers(of jobs: [RegisteredJob]) -> TableTriggers {
    TableTriggers(schema, of: Program.name, jobs: jobs)
  }

  /// A connection to a schema that fits this binary.
  ///
  /// - Throws: `PostgresError`, `SchemaProblem`.
  public func connect() async throws -> Connection { try await connectAndCheck().connection }

  /// A connection, whatever is in the database; says so where somebody chose less safety than there is.
  ///
  /// - Throws: `PostgresError`.
  func open() async throws -> Connection {
    let configuration = configuration()
    if let warning = configuration.warning, Self.warned.withLock({ $0.insert(warning).inserted }) {
      Console.complain("warning: \(warning)\n")
    }
    return try await Connection.open(configuration)
  }

  /// What was said already: a worker that waits for its server tries again and again.
  private static let warned = Mutex<Set<String>>([])

  /// A connection to a schema that fits, with the schema's parts that this binary does not know.
  func connectAndCheck() async throws -> (connection: Connection, unknownParts: [String]) {
    let connection = try await open()
    let unknown = try await Migrator(schema, parts: Program.parts).check(connection)
    return (connection, unknown)
  }
}

extension Database {
  /// The same database; for `baton`, if no schema is named, with the only one that a program on Baton has made.
  ///
  /// - Throws: ``Complaint`` if there is none or more than one; `PostgresError`.
  func withItsSchema() async throws -> Database {
    guard Program.isEngine, Settings.current.text(.schema) == nil else { return self }
    let list = Call.rows(SQL.Migrator.listSchemas) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    let connection = try await open()
    let schemas = try await connection.run(list).compactMap { Schema($0) }
    await connection.close()
    guard let only = schemas.first else {
      throw Complaint(
        .noInput, what: "There is no schema of Baton that this login may use.", place: "\(self)",
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

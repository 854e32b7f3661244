public import ArgumentParser
import Foundation
import JobRunner
public import Logging
public import Postgres
public import PrivateServer

/// Which database and schema a command works on, and where that was said.
public struct Database: CustomStringConvertible, Sendable {
  /// As libpq takes it; may hold a password.
  public let address: String
  /// The schema of this application.
  public let schema: Schema
  /// For messages: never holds the address itself, which may hold a password.
  public let description: String

  /// A database that was found otherwise.
  public init(address: String, schema: Schema, description: String) {
    self.address = address
    self.schema = schema
    self.description = description
  }

  /// The database that the environment names, else the private server of `baton db up`.
  ///
  /// - Throws: ``Complaint`` where the schema's name is not one, or no server is named or running.
  public static func fromEnvironment() throws -> Database {
    let environment = ProcessInfo.processInfo.environment
    let schema = try namedSchema()
    if let address = environment["DATABASE_URL"], !address.isEmpty {
      return Database(address: address, schema: schema, description: "DATABASE_URL")
    }
    let own = otherNames.first {
      environment[$0].map { !$0.isEmpty } ?? false
    }
    if let own { return Database(address: "", schema: schema, description: own) }
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

  /// What names a database for libpq, where `DATABASE_URL` does not.
  static let otherNames = ["PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE"]

  /// The schema that the environment names, else that of the program.
  ///
  /// - Throws: ``Complaint`` where its name is not one.
  static func namedSchema() throws -> Schema {
    let name =
      ProcessInfo.processInfo.environment["BATON_SCHEMA"] ?? Program.defaultSchema.name
    guard let schema = Schema(name) else {
      throw Complaint(
        .usage, what: "'\(name)' cannot be the name of a schema.", place: "BATON_SCHEMA",
        next: "Use lower-case letters, digits and _, not `public` and not beginning with pg_.")
    }
    return schema
  }

  /// The same, for commands: a complaint is printed and ends the command.
  public static func orExit() throws -> Database {
    do {
      return try fromEnvironment()
    } catch {
      let complaint = Complaint(error, database: nil)
      Output.complain(complaint.text)
      throw complaint.status.code
    }
  }

  /// How it is reached; what is said here shows in the server's list of connections.
  public func configuration(
    applicationName: String = Program.name, isDurable: Bool = true
  ) -> ConnectionConfiguration {
    ConnectionConfiguration(
      address: address, applicationName: applicationName, isDurable: isDurable)
  }

  /// The triggers that these jobs of the program declare.
  func tableTriggers(of jobs: [RegisteredJob]) -> TableTriggers {
    TableTriggers(schema, of: Program.name, jobs: jobs)
  }

  /// A connection to a schema that fits this binary.
  ///
  /// - Throws: `PostgresError`, `SchemaProblem`.
  public func connect() async throws -> Connection { try await connectAndCheck().connection }

  /// The same, with the schema's parts that this binary does not know.
  func connectAndCheck() async throws -> (connection: Connection, unknownParts: [String]) {
    let configuration = configuration()
    if let warning = configuration.warning {
      Output.complain("warning: \(warning)\n")
    }
    let connection = try await Connection.open(configuration)
    let unknown = try await Migrator(schema, parts: Program.parts).check(connection)
    return (connection, unknown)
  }
}

extension PrivateServer {
  /// The server of `baton db up`, in `.baton/` of the current folder.
  public static var ofThisFolder: PrivateServer {
    PrivateServer(directory: FileManager.default.currentDirectoryPath + "/.baton/postgres")
  }
}

/// How much a command says of what it does.
public struct LogOptions: ParsableArguments, Sendable {
  /// Whether each step is said.
  @Flag(name: .shortAndLong, help: "Say more of what is done.")
  public var verbose = false

  /// What the argument parser asks for.
  public init() {}

  /// A logger that writes to stderr, so that stdout stays for results.
  public var logger: Logger {
    var logger = Logger(label: Program.name) { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = verbose ? .debug : .notice
    return logger
  }
}

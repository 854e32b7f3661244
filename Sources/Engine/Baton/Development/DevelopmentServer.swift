import BatonPostgres
import Foundation
import JobRunner
import PrivateServer

/// The private server of the current folder.
///
/// The `dev` command uses only this server. The environment could contain a production server's
/// address.
struct DevelopmentServer {
  let database: Database
  let running: PrivateServer.Running
  /// Whether this command started the server.
  let wasStarted: Bool

  /// Starts the server if it is not running.
  ///
  /// - Throws: ``Complaint`` if the environment specifies another database, or
  ///   `PrivateServerError`.
  static func up() throws -> DevelopmentServer {
    try refuseOtherNames()
    let server = PrivateServer.ofThisFolder
    switch try server.status() {
    case .running(let running):
      return DevelopmentServer(
        database: try database(of: running), running: running, wasStarted: false)
    case .absent where isNamed: throw refusal(of: "DATABASE_URL")
    case .absent, .stopped: break
    }
    let running = try server.up()
    do {
      return DevelopmentServer(
        database: try database(of: running), running: running, wasStarted: true)
    } catch {
      try? server.down()
      throw error
    }
  }

  /// Returns the running server's database.
  ///
  /// - Throws: ``Complaint`` if the server is not running or the environment specifies another
  ///   database, or `PrivateServerError`.
  static func database() throws -> Database {
    try refuseOtherNames()
    guard case .running(let running) = try PrivateServer.ofThisFolder.status() else {
      throw Complaint(
        .unavailable, what: "The private server is not running.", place: ".baton/",
        next: "`\(Program.name) dev` starts it.")
    }
    return try database(of: running)
  }

  /// Stops the server if this command started the server and no other connection is open.
  ///
  /// - Returns: a message for the user.
  func end() async throws -> String {
    guard wasStarted else { return "the private server keeps running" }
    let others = try await otherConnections()
    guard others == 0 else {
      return "the private server keeps running: \(counted(others, "other connection")); "
        + "`\(Program.name) db down` stops it"
    }
    try PrivateServer.ofThisFolder.down()
    return "the private server is stopped; its data stays in .baton/"
  }

  /// Returns the number of connections to the server other than this method's own connection.
  ///
  /// The server may still list connections that this process has just closed, so the method waits
  /// up to one second.
  private func otherConnections() async throws -> Int {
    let connection = try await Connection.open(database.configuration())
    let clock = DevelopmentClock(Session(connection, in: database.schema))
    var others = try await clock.otherConnections()
    for _ in 0..<10 where others > 0 {
      try await Task.sleep(for: .milliseconds(100))
      others = try await clock.otherConnections()
    }
    await connection.close()
    return others
  }

  /// Whether `DATABASE_URL` is set.
  ///
  /// `DATABASE_URL` is allowed if it contains the private server's address.
  private static var isNamed: Bool {
    !(ProcessInfo.processInfo.environment["DATABASE_URL"] ?? "").isEmpty
  }

  /// Throws an error if `DATABASE_URL` is not set, but a variable such as `PGHOST` specifies a
  /// database.
  private static func refuseOtherNames() throws {
    let environment = ProcessInfo.processInfo.environment
    for name in Database.otherNames where !isNamed && !(environment[name] ?? "").isEmpty {
      throw refusal(of: name)
    }
  }

  private static func database(of running: PrivateServer.Running) throws -> Database {
    let address = ProcessInfo.processInfo.environment["DATABASE_URL"] ?? ""
    guard address.isEmpty || address == running.connectionString else {
      throw refusal(of: "DATABASE_URL")
    }
    return Database(
      address: running.connectionString, schema: try Database.namedSchema(),
      description: "the private server in .baton/")
  }

  private static func refusal(of name: String) -> Complaint {
    Complaint(
      .usage, what: "A variable selects a database other than the private server in .baton/.",
      place: name,
      next: "Unset \(name): `\(Program.name) dev` uses only the private server. "
        + "\(Program.worker) accepts any database.")
  }
}

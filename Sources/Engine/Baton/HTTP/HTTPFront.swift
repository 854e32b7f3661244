public import BatonPostgres
package import JobRunner
package import Logging

/// The HTTP server of a program: `OperationsServer` of the module `BatonOperations`.
public protocol HTTPFront: Sendable {}

/// The calls with which a command runs an HTTP server.
package protocol HTTPServing: HTTPFront {
  /// Called once, before a worker is created; metrics are collected from then on.
  func prepare()

  /// Starts the server, which answers until it is stopped.
  ///
  /// - Throws: ``Complaint`` if the address is not available.
  func start(
    _ settings: HTTPSettings, about subject: HTTPSubject, logger: Logger
  ) async throws -> any RunningHTTPServer
}

/// A running HTTP server.
package protocol RunningHTTPServer: Sendable {
  /// The address, with the port that the system chose.
  var address: HTTPAddress { get }
  /// Accepts no new requests, and returns after the responses to earlier ones.
  func stop() async
}

/// The address of the HTTP server, and who may use it.
package struct HTTPSettings: Sendable {
  /// The address.
  package let address: HTTPAddress
  /// The host names that requests may have, in lower case and without a port; others are refused, because a hostile
  /// web page could otherwise send requests (DNS rebinding).
  package let hosts: Set<String>
  /// The bearer token of programs; nil: no token.
  ///
  /// Without token and password, requests need neither, and the server accepts only programs of this machine.
  package let token: HTTPToken?
  /// The passwords with which people log in to the pages; nil if the pages have no login.
  package let password: HTTPPassword?
  /// Whether HTTP may change nothing, for every login.
  package let isReadOnly: Bool

  package init(
    address: HTTPAddress, hosts: Set<String>, token: HTTPToken?, password: HTTPPassword?,
    isReadOnly: Bool
  ) {
    (self.address, self.hosts, self.token) = (address, hosts, token)
    (self.password, self.isReadOnly) = (password, isReadOnly)
  }
}

/// The database, schema and jobs that the HTTP server shows.
public struct HTTPSubject: Sendable {
  /// How the server reads what it shows: as the dashboard's role, if the schema has roles and the login is a member
  /// of it.
  ///
  /// Each connection is read-only, and each statement is ended after ``longestRead``, for pages and feeds too.
  public let configuration: ConnectionConfiguration
  /// The same for actions: as the operator's role; a login that is not a member of it is refused.
  package let actions: ConnectionConfiguration
  /// The same for dry runs, which are rolled back: as the worker's role.
  package let dryRuns: ConnectionConfiguration
  /// The schema.
  public let schema: Schema
  /// The schema modules that the schema must have.
  package let parts: [SchemaPart]
  /// The program's jobs.
  package let jobs: [RegisteredJob]
  /// The triggers of tables that must exist.
  package let tables: TableTriggers
  /// The worker of this process; nil: the process only serves HTTP.
  package let worker: Worker?

  /// The longest that a statement of a page, a feed or a GET of the API may take.
  package static let longestRead = Duration.seconds(2)

  package init(
    configuration: ConnectionConfiguration, actions: ConnectionConfiguration,
    dryRuns: ConnectionConfiguration, schema: Schema, parts: [SchemaPart], jobs: [RegisteredJob],
    tables: TableTriggers, worker: Worker?
  ) {
    var reads = configuration
    reads.readsWithin = Self.longestRead
    self.configuration = reads
    (self.actions, self.dryRuns) = (actions, dryRuns)
    (self.schema, self.parts, self.jobs, self.tables) = (schema, parts, jobs, tables)
    self.worker = worker
  }
}

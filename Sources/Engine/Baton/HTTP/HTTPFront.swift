public import BatonPostgres
package import JobRunner
package import Logging

/// The HTTP server of a program, which is `OperationsServer` from the `BatonOperations` module.
public protocol HTTPFront: Sendable {}

/// The methods that a command calls to run an HTTP server.
package protocol HTTPServing: HTTPFront {
  /// Starts the collection of metrics.
  ///
  /// The command calls this method once, before it creates a worker.
  func prepare()

  /// Returns the hash of a password for the users file.
  func hash(_ password: String) throws -> PasswordHash

  /// Starts the HTTP server, which answers requests until it is stopped.
  ///
  /// - Throws: ``Complaint`` if the address is not available.
  func start(
    _ settings: HTTPSettings, about subject: HTTPSubject, logger: Logger
  ) async throws -> any RunningHTTPServer
}

/// A running HTTP server.
package protocol RunningHTTPServer: Sendable {
  /// The address on which the server listens, with the actual port.
  ///
  /// The system may have chosen the port.
  var address: HTTPAddress { get }
  /// Stops accepting requests, and returns after all previous requests have been answered.
  func stop() async
}

/// The HTTP server's address, and the authentication of its clients.
package struct HTTPSettings: Sendable {
  package let address: HTTPAddress
  /// The host names that requests may contain, in lower case and without a port.
  ///
  /// Requests with other host names are rejected, because a hostile web page could send them (DNS
  /// rebinding).
  package let hosts: Set<String>
  /// The bearer token that programs must send, or nil if no token is set.
  ///
  /// Without a token and a password, requests need no authentication, and the server accepts only
  /// clients on this machine.
  package let token: HTTPToken?
  /// The users who may log in to the pages, or nil if the pages have no login.
  package let users: HTTPUsers?
  /// The proxies whose `X-Forwarded-For` headers are trusted.
  package let proxies: TrustedProxies
  /// Whether changes over HTTP are disabled for every login.
  package let isReadOnly: Bool

  package init(
    address: HTTPAddress, hosts: Set<String>, token: HTTPToken?, users: HTTPUsers?,
    proxies: TrustedProxies, isReadOnly: Bool
  ) {
    (self.address, self.hosts, self.token) = (address, hosts, token)
    (self.users, self.proxies, self.isReadOnly) = (users, proxies, isReadOnly)
  }
}

/// The database, schema and jobs that the HTTP server shows.
public struct HTTPSubject: Sendable {
  /// The connection configuration for reads, with the dashboard's role.
  ///
  /// If the schema has roles and the login is a member of the dashboard's role, reads use this
  /// role. Each connection is read-only. Statements of pages and feeds are cancelled after
  /// ``longestRead``.
  public let configuration: ConnectionConfiguration
  /// The connection configuration for actions, with the operator's role.
  ///
  /// A login that is not a member of the operator's role is rejected.
  package let actions: ConnectionConfiguration
  /// The connection configuration for dry runs, with the worker's role.
  ///
  /// The changes of dry runs are rolled back.
  package let dryRuns: ConnectionConfiguration
  /// The schema that the server shows.
  public let schema: Schema
  /// The schema modules that the schema must contain.
  package let parts: [SchemaPart]
  /// The program's jobs.
  package let jobs: [RegisteredJob]
  /// The program's release, or nil to ignore releases.
  package let release: ProgramRelease?
  /// The table triggers that must exist.
  package let tables: TableTriggers
  /// The worker of this process, or nil if the process only serves HTTP.
  package let worker: Worker?

  /// The maximum duration of a statement for a page, a feed or a GET request to the API.
  package static let longestRead = Duration.seconds(2)
  /// The maximum wait for a result of an action or a dry run.
  ///
  /// The statements of actions are cancelled after 8 s, so a later result means that the server or
  /// a proxy no longer responds.
  private static let longestAnswer = Duration.seconds(10)

  package init(
    configuration: ConnectionConfiguration, actions: ConnectionConfiguration,
    dryRuns: ConnectionConfiguration, schema: Schema, parts: [SchemaPart], jobs: [RegisteredJob],
    tables: TableTriggers, release: ProgramRelease? = nil, worker: Worker?
  ) {
    var reads = configuration
    (reads.isReadOnly, reads.statementTimeout) = (true, Self.longestRead)
    self.configuration = reads
    // An action that waits forever would occupy one of the few slots for actions.
    var (limitedActions, limitedDryRuns) = (actions, dryRuns)
    limitedActions.longestAnswer = Self.longestAnswer
    limitedDryRuns.longestAnswer = Self.longestAnswer
    (self.actions, self.dryRuns) = (limitedActions, limitedDryRuns)
    (self.schema, self.parts, self.jobs, self.tables) = (schema, parts, jobs, tables)
    (self.release, self.worker) = (release, worker)
  }
}

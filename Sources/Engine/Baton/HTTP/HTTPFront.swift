public import BatonPostgres
package import JobRunner
package import Logging

/// The HTTP server of a program: `OperationsServer` of the module `BatonOperations`.
public protocol HTTPFront: Sendable {}

/// The calls by which a command runs an HTTP server.
package protocol HTTPServing: HTTPFront {
  /// Called once, before a worker is made: what is measured from then on is told.
  func prepare()

  /// Answers from when it returns until it is stopped.
  ///
  /// - Throws: ``Complaint`` where the address cannot be had.
  func start(
    _ settings: HTTPSettings, about subject: HTTPSubject, logger: Logger
  ) async throws -> any RunningHTTPServer
}

/// HTTP that is answered.
package protocol RunningHTTPServer: Sendable {
  /// Where; with the port that the system gave.
  var address: HTTPAddress { get }
  /// Takes no more questions, and returns when those that came have their answers.
  func stop() async
}

/// Where HTTP is answered, and for whom.
package struct HTTPSettings: Sendable {
  /// Where.
  package let address: HTTPAddress
  /// By which names clients may ask, in lower case and without a port: a page that somebody opened could ask for any.
  package let hosts: Set<String>
  /// What programs have to show; nil, and no password: nothing, which only programs of this machine may be asked.
  package let token: HTTPToken?
  /// What people have to show who open the pages; nil: they have no session.
  package let password: HTTPPassword?
  /// Whether nothing may be changed by HTTP, whoever asks.
  package let isReadOnly: Bool

  package init(
    address: HTTPAddress, hosts: Set<String>, token: HTTPToken?, password: HTTPPassword?,
    isReadOnly: Bool
  ) {
    (self.address, self.hosts, self.token) = (address, hosts, token)
    (self.password, self.isReadOnly) = (password, isReadOnly)
  }
}

/// What is told about.
public struct HTTPSubject: Sendable {
  /// How the server is reached for what is shown: as the dashboard's role, if the schema has roles and the login is a
  /// member.
  ///
  /// Each connection only reads, and each statement is ended after ``longestRead``, whatever a page or a feed runs.
  public let configuration: ConnectionConfiguration
  /// The same for what somebody lets be done: as an operator; who may not be one is refused.
  package let actions: ConnectionConfiguration
  /// The same for work that is shown and rolled back: as a worker.
  package let dryRuns: ConnectionConfiguration
  /// The schema.
  public let schema: Schema
  /// What the schema should have.
  package let parts: [SchemaPart]
  /// Its jobs, as this program knows them.
  package let jobs: [RegisteredJob]
  /// The triggers of tables that it should have.
  package let tables: TableTriggers
  /// The worker of this process; nil: it only tells.
  package let worker: Worker?

  /// A statement of a page, a feed or a GET of the API takes no longer.
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

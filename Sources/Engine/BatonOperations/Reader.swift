import Baton
import BatonPostgres
import JobRunner
import Logging

/// Reads the state of the server on a separate connection, and reconnects if the connection is
/// lost.
///
/// Only one read runs at a time. If the server does not respond, callers stop waiting, but the read
/// itself is not stopped. The next read starts only after the current read has ended. The number of
/// connections to an unresponsive server therefore does not grow.
actor Reader {
  private let subject: HTTPSubject
  private let logger: Logger
  private let patience: Duration
  private var connection: Connection?
  private var current: Task<Reading, Never>?
  private var books: (schema: Reading.Check, drift: Reading.Check, at: ContinuousClock.Instant)?
  /// The log for repeated read failures, which are logged once per minute.
  private let failures = FailureLog()

  /// How long the results of the schema checks are reused.
  ///
  /// Only a migration can change the results of the schema checks.
  private static let ageOfBooks = Duration.seconds(5)

  init(_ subject: HTTPSubject, patience: Duration = .seconds(2), logger: Logger) {
    self.subject = subject
    self.patience = patience
    self.logger = logger
  }

  /// Reads the state, and returns after the time limit at the latest.
  func read() async -> Reading {
    let task = current ?? begin()
    if let reading = await task.value(within: patience) { return reading }
    // Cancelling the task also cancels its running statement.
    task.cancel()
    tell("the server does not answer")
    return Reading(server: .late)
  }

  /// Closes the connection without waiting for a running read.
  func close() async {
    current?.cancel()
    let connection = connection
    self.connection = nil
    if current == nil { await connection?.close() }
  }

  private func begin() -> Task<Reading, Never> {
    let task = Task {
      let began = ContinuousClock.now
      var reading = await self.observe()
      reading.took = began.duration(to: .now)
      self.current = nil
      return reading
    }
    current = task
    return task
  }

  private func observe() async -> Reading {
    var reading = Reading()
    do {
      do {
        try await observe(&reading)
      } catch let error as PostgresError
        where error.statement != nil && error.sqlState.isConnectionLoss
      {
        // The server may have closed the connection since the last read, so the read is repeated
        // once on a new connection.
        reading = Reading()
        try await observe(&reading)
      }
    } catch {
      reading.server = Self.check(of: error)
      tell("\(error)")
    }
    return reading
  }

  private func observe(_ reading: inout Reading) async throws {
    let session = Session(try await opened(), in: subject.schema)
    (reading.schema, reading.drift) = try await readBooks(session)
    guard reading.schema == .good else { return }
    let queue = Queue(session)
    let observation = try await queue.observe()
    reading.observation = observation
    if observation.hasOnlyFailingWorkers { reading.server = .failing }
    if observation.isReadOnly { reading.server = .readOnly }
    reading.gauges = try await queue.gauges()
  }

  private func tell(_ what: String) { failures.note("HTTP: \(what)", with: logger) }

  private func opened() async throws -> Connection {
    if let connection, !connection.isBroken { return connection }
    await connection?.close()
    connection = nil
    books = nil
    let new = try await Connection.open(subject.configuration)
    connection = new
    return new
  }

  // MARK: Schema checks

  private func readBooks(_ session: Session) async throws -> (Reading.Check, Reading.Check) {
    if let books, books.at.duration(to: .now) < Self.ageOfBooks {
      return (books.schema, books.drift)
    }
    let schema = try await schema(session.connection)
    var drift = Reading.Check.unknown
    if schema == .good {
      let differences = try await Queue(session).drift(
        subject.jobs, tables: subject.tables, of: subject.release
      ).differences
      drift = differences.isEmpty ? .good : .differs
      if let first = differences.first { tell("definitions and schema differ: \(first)") }
    }
    books = (schema, drift, .now)
    return (schema, drift)
  }

  private func schema(_ connection: Connection) async throws -> Reading.Check {
    do {
      _ = try await Migrator(
        subject.schema, parts: subject.parts, release: subject.release
      ).check(connection)
      return .good
    } catch let problem as SchemaProblem {
      tell("\(problem)")
      switch problem {
      case .missing: return .missing
      case .older, .notCurrent, .beforeParts: return .older
      case .newer: return .newer
      case .edited: return .edited
      default: return .otherwise
      }
    }
  }

  static func check(of error: any Error) -> Reading.Check {
    guard let state = (error as? PostgresError)?.sqlState else { return .refused }
    return switch state.failure {
    case .unreachable, .unproven: .unreachable
    case .readOnly: .readOnly
    // Either the read took too long and was cancelled, or another session held a lock.
    case .busy where [.queryCanceled, .lockNotAvailable].contains(state): .late
    default: .refused
    }
  }
}

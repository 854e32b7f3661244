package import BatonJobs
package import BatonPostgres
import RunnerSQL

/// The clock of a development database.
///
/// The clock's time is the server's time or later.
///
/// docs/internals/development-clock.md describes the clock's states, and the possible interleavings
/// with other transactions.
package struct DevelopmentClock: Sendable {
  /// A clock reading.
  package struct Reading: Sendable, Equatable {
    /// The domain time at the moment of the reading.
    package let time: Timestamp
    /// The difference between this clock and the server's clock, in microseconds.
    package let ahead: Int64

    fileprivate var fields: [String: AuditValue] { ["ahead_us": .number(ahead)] }
  }

  /// The target to which the clock is moved.
  package enum Target: Sendable, Equatable {
    /// A number of seconds after the current domain time.
    case further(Int64)
    /// A time, in seconds since 1970-01-01 00:00 UTC.
    case instant(Int64)
  }

  /// The result of moving the clock.
  package struct Moved: Sendable {
    /// The clock reading after the move.
    package let reading: Reading
    /// For each schedule, the first occurrence that the clock has passed.
    package let passed: [Passed]
    /// The number of runs that became due when the clock was moved.
    ///
    /// Only runs that were enqueued for a requested time are counted.
    package let runs: Int
  }

  /// A schedule's occurrence that was passed when the clock was moved.
  package struct Passed: Sendable, Equatable {
    /// The schedule of the occurrence.
    package let schedule: ScheduleID
    /// The time when the occurrence fires, in seconds since 1970-01-01 00:00 UTC.
    package let at: Int64
  }

  /// The clock's maximum time, 9999-12-31 00:00 UTC.
  ///
  /// ISO 8601 has no five-digit years.
  private static let end: Int64 = 253_402_214_400

  private let session: Session

  /// Creates the clock for the session's schema.
  ///
  /// No other task may use the session concurrently.
  package init(_ session: Session) { self.session = session }

  // MARK: Beginning

  /// Checks that the schema is, or can become, a development schema with a running clock.
  ///
  /// The check does not change anything.
  ///
  /// - Parameter dataCheck: a statement that returns whether the product's tables in the schema
  ///   contain data.
  /// - Returns: the clock reading, or nil if the schema is not a development schema yet.
  /// - Throws: ``ClockProblem`` or `PostgresError`.
  @discardableResult
  package func check(dataCheck: Statement?) async throws -> Reading? {
    try await session.freely.transaction { try await check(dataCheck, in: $0) }
  }

  /// Converts an unused schema to a development schema whose clock starts at the server's time.
  ///
  /// A development schema with a running clock is not changed. Define the jobs after this call. A
  /// schedule does not fire before its job is defined.
  ///
  /// - Parameter dataCheck: a statement that returns whether the product's tables in the schema
  ///   contain data.
  /// - Throws: ``ClockProblem`` or `PostgresError`. If the method throws, nothing is changed.
  package func begin(dataCheck: Statement?) async throws {
    try await session.freely.transaction { transaction in
      guard try await check(dataCheck, in: transaction) == nil else { return }
      try await transaction.run(
        .run(SQL.Clock.beginRunning), .run(SQL.Clock.replaceDomainNow))
    }
  }

  private func check(
    _ dataCheck: Statement?, in transaction: Transaction
  ) async throws -> Reading? {
    if let reading = try await read(in: transaction) { return reading }
    let isUnused = Call.row(SQL.Clock.isUnused) { (row) throws(PostgresError) in
      try row.decode(Bool.self)
    }
    var mayBegin = try await transaction.run(isUnused)
    if let dataCheck {
      let isInUse = Call.row(dataCheck) { (row) throws(PostgresError) in try row.decode(Bool.self) }
      mayBegin = try await !transaction.run(isInUse) && mayBegin
    }
    guard mayBegin else { throw ClockProblem.inUse(session.schema) }
    return nil
  }

  /// Reads the clock, or returns nil in a production schema.
  private func read(in transaction: Transaction) async throws -> Reading? {
    let read = Call.rows(SQL.Clock.read) { (row) throws(PostgresError) in
      let (time, ahead) = try row.decode(Timestamp.self, Int64?.self)
      // The offset from the server's clock is nil if the clock is frozen.
      return ahead.map { Reading(time: time, ahead: $0) }
    }
    let readings = try await transaction.run(read)
    guard let found = readings.first else { return nil }
    guard let reading = found else { throw ClockProblem.stands(session.schema) }
    return reading
  }

  /// Returns the number of connections to the server other than the session's own.
  ///
  /// - Throws: `PostgresError`.
  package func otherConnections() async throws -> Int {
    let count = Call.row(SQL.Clock.countConnections) { (row) throws(PostgresError) in
      try row.decode(Int64.self)
    }
    let others: Int64 = try await session.freely.atomically(count)
    return Int(others)
  }

  // MARK: Reading and moving

  /// Reads the clock.
  ///
  /// - Throws: ``ClockProblem`` or `PostgresError`.
  package func read() async throws -> Reading {
    try await session.freely.transaction { try await requireRunning(in: $0) }
  }

  /// Moves the clock to a later time.
  ///
  /// Runs and occurrences up to the new time become due for the schema's workers. The method adds a
  /// row with the server's time to the audit log.
  ///
  /// - Parameter jobs: the jobs whose schedules are checked for passed occurrences.
  /// - Throws: ``ClockProblem`` or `PostgresError`. If the method throws, the clock has not moved.
  @discardableResult
  package func move(_ target: Target, jobs: [RegisteredJob]) async throws -> Moved {
    let waiting = try await Scheduler(session, jobs: jobs).nextFireTimes()
    let (before, after, runs) = try await session.transaction { transaction in
      // `waitForCursor` waits until no other process dispatches events into runs. Until this
      // transaction ends, no other process can begin to dispatch events.
      _ = try await transaction.run(.run(SQL.Queue.limitCursor), QueueCalls.waitForCursor)
      let before = try await requireRunning(in: transaction)
      let further = try microseconds(to: target, from: before.time)
      let moved: Int = try await transaction.run(
        .count(SQL.Clock.setAhead, before.ahead + further))
      guard moved == 1 else { throw ClockProblem.stands(session.schema) }
      let hurry = Call.row(SQL.Clock.hurryRuns) { (row) throws(PostgresError) in
        try row.decode(Int64.self)
      }
      let runs: Int64 = try await transaction.run(hurry)
      let after = try await requireRunning(in: transaction)
      try await transaction.record(
        AuditEntry("dev clock", before: before.fields, after: after.fields))
      return (before, after, runs)
    }
    let passed = waiting.filter { before.time < $0.at && $0.at <= after.time }
    return Moved(
      reading: after, passed: passed.map { Passed(schedule: $0.id, at: $0.at.floorSeconds) },
      runs: Int(runs))
  }

  private func requireRunning(in transaction: Transaction) async throws -> Reading {
    guard let reading = try await read(in: transaction) else {
      throw ClockProblem.isProduction(session.schema)
    }
    return reading
  }

  private func microseconds(to target: Target, from now: Timestamp) throws -> Int64 {
    let seconds =
      switch target {
      case .further(let seconds): seconds
      case .instant(let instant): instant - now.floorSeconds
      }
    guard seconds > 0 else { throw ClockProblem.back(now) }
    guard seconds <= Self.end - now.floorSeconds else { throw ClockProblem.tooFar(now) }
    switch target {
    case .further: return seconds * 1_000_000
    case .instant(let instant): return instant * 1_000_000 - now.microseconds
    }
  }
}

/// The reason why a development clock is not available or cannot be moved.
package enum ClockProblem: Error, Sendable, Equatable {
  /// The schema is not a development schema.
  case isProduction(Schema)
  /// The schema's clock is frozen.
  ///
  /// Only the program that froze the clock may move it.
  case stands(Schema)
  /// The schema is already in use with the server's clock.
  case inUse(Schema)
  /// The target is not later than the clock's time.
  ///
  /// The associated value is the clock's time.
  case back(Timestamp)
  /// The target is after the year 9999.
  ///
  /// The associated value is the clock's time.
  case tooFar(Timestamp)
}

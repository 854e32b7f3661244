package import BatonJobs
package import BatonPostgres
import RunnerSQL

/// The clock of a development database: it runs at the server's time, or later than that.
///
/// docs/guides/development.md describes its states and the interleavings.
package struct DevelopmentClock: Sendable {
  /// A reading of the clock.
  package struct Reading: Sendable, Equatable {
    /// Domain time.
    package let time: Timestamp
    /// By how many microseconds it is later than the server's clock.
    package let ahead: Int64

    fileprivate var fields: [String: AuditValue] { ["ahead_us": .number(ahead)] }
  }

  /// The target of a move.
  package enum Target: Sendable, Equatable {
    /// A number of seconds later.
    case further(Int64)
    /// An instant, in seconds since 1970-01-01 00:00 UTC.
    case instant(Int64)
  }

  /// The result of a move.
  package struct Moved: Sendable {
    /// The reading after the move.
    package let reading: Reading
    /// For each schedule, the first occurrence that the clock has passed.
    package let passed: [Passed]
    /// The number of runs with a requested time that are due now.
    package let runs: Int
  }

  /// An occurrence that a move has passed.
  package struct Passed: Sendable, Equatable {
    /// The schedule of the occurrence.
    package let schedule: ScheduleID
    /// When it fires, in seconds since 1970-01-01 00:00 UTC.
    package let at: Int64
  }

  /// 9999-12-31 00:00 UTC: ISO 8601 has no years of five digits.
  private static let end: Int64 = 253_402_214_400

  private let session: Session

  /// Makes the clock of a schema; nothing else may use the session meanwhile.
  package init(_ session: Session) { self.session = session }

  // MARK: To be a development database

  /// Checks that the schema is a development schema with a running clock, or may become one; changes nothing.
  ///
  /// - Parameter dataCheck: returns whether the product's parts of the schema are in use.
  /// - Returns: the reading of the clock; nil if the schema is not a development schema yet.
  /// - Throws: ``ClockProblem``, `PostgresError`.
  @discardableResult
  package func check(dataCheck: Statement?) async throws -> Reading? {
    try await session.freely.transaction { try await check(dataCheck, in: $0) }
  }

  /// Turns an unused schema into a development schema; its clock runs and still has the server's time.
  ///
  /// If the schema is one already, nothing is changed. Define the jobs afterwards: until then no schedule fires.
  ///
  /// - Parameter dataCheck: returns whether the product's parts of the schema are in use.
  /// - Throws: ``ClockProblem``, `PostgresError`; then nothing was changed.
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

  /// Nil in a production schema.
  private func read(in transaction: Transaction) async throws -> Reading? {
    let read = Call.rows(SQL.Clock.read) { (row) throws(PostgresError) in
      let (time, ahead) = try row.decode(Timestamp.self, Int64?.self)
      // Nil if the clock is frozen.
      return ahead.map { Reading(time: time, ahead: $0) }
    }
    let readings = try await transaction.run(read)
    guard let found = readings.first else { return nil }
    guard let reading = found else { throw ClockProblem.stands(session.schema) }
    return reading
  }

  /// Returns the number of other connections to its server.
  ///
  /// - Throws: `PostgresError`.
  package func otherConnections() async throws -> Int {
    let count = Call.row(SQL.Clock.countConnections) { (row) throws(PostgresError) in
      try row.decode(Int64.self)
    }
    let others: Int64 = try await session.freely.atomically(count)
    return Int(others)
  }

  // MARK: Looking at it and moving it

  /// Reads the clock.
  ///
  /// - Throws: ``ClockProblem``, `PostgresError`.
  package func read() async throws -> Reading {
    try await session.freely.transaction { try await requireRunning(in: $0) }
  }

  /// Moves the clock to a later time; what it passes is due from then on, and the workers of this schema fire and
  /// work it.
  ///
  /// The audit log, whose clock is the server's, gets a row.
  ///
  /// - Parameter jobs: the jobs whose schedules are checked for passed occurrences.
  /// - Throws: ``ClockProblem``, `PostgresError`; then the clock has not moved.
  @discardableResult
  package func move(_ target: Target, jobs: [RegisteredJob]) async throws -> Moved {
    let waiting = try await Scheduler(session, jobs: jobs).nextFireTimes()
    let (before, after, runs) = try await session.transaction { transaction in
      // Now no fold that has computed with the old time is running, and none can begin.
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

/// Why a development clock is not available, or cannot be moved.
package enum ClockProblem: Error, Sendable, Equatable {
  /// The schema is not a development schema.
  case isProduction(Schema)
  /// The schema's clock is frozen; only the program that has set it may move it.
  case stands(Schema)
  /// The schema is in use with the server's clock.
  case inUse(Schema)
  /// The clock would go back, or not move; with its reading.
  case back(Timestamp)
  /// The clock would leave the years of four digits; with its reading.
  case tooFar(Timestamp)
}

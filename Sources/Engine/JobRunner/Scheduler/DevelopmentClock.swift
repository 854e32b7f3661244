package import BatonJobs
package import BatonPostgres
import RunnerSQL

/// The clock of a development database that runs: with the server's, or ahead of it.
///
/// docs/guides/development.md has its states and the interleavings.
package struct DevelopmentClock: Sendable {
  /// What it says.
  package struct Reading: Sendable, Equatable {
    /// Domain time.
    package let time: Timestamp
    /// By how many microseconds it is ahead of the server's clock.
    package let ahead: Int64

    fileprivate var fields: [String: AuditValue] { ["ahead_us": .number(ahead)] }
  }

  /// Where it is put.
  package enum Target: Sendable, Equatable {
    /// So many seconds further.
    case further(Int64)
    /// An instant, in seconds since 1970-01-01 00:00 UTC.
    case instant(Int64)
  }

  /// What a move has come to.
  package struct Moved: Sendable {
    /// What the clock says then.
    package let reading: Reading
    /// The first occurrence of each schedule that it has passed.
    package let passed: [Passed]
    /// How many runs are due now that were asked for later.
    package let runs: Int
  }

  /// An occurrence that a move has passed.
  package struct Passed: Sendable, Equatable {
    /// The schedule that it is of.
    package let schedule: ScheduleID
    /// When it fires, in seconds since 1970-01-01 00:00 UTC.
    package let at: Int64
  }

  /// 9999-12-31 00:00 UTC: years of five digits are no ISO 8601.
  private static let end: Int64 = 253_402_214_400

  private let session: Session

  /// The clock of a schema, through a session that nobody else uses meanwhile.
  package init(_ session: Session) { self.session = session }

  // MARK: To be a development database

  /// Checks that the schema is a development one whose clock runs, or may become one; changes nothing.
  ///
  /// - Parameter dataCheck: answers whether the product's parts of the schema are in use.
  /// - Returns: what it says; nil where the schema is to become one.
  /// - Throws: ``ClockProblem``, `PostgresError`.
  @discardableResult
  package func check(dataCheck: Statement?) async throws -> Reading? {
    try await session.freely.transaction { try await check(dataCheck, in: $0) }
  }

  /// Makes an unused schema a development one whose clock runs, as yet with the server's; does nothing where
  /// it is one.
  ///
  /// The jobs are to be defined afterwards: until then no schedule fires.
  ///
  /// - Parameter dataCheck: answers whether the product's parts of the schema are in use.
  /// - Throws: ``ClockProblem``, `PostgresError`; nothing has changed then.
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

  /// Nil in production.
  private func read(in transaction: Transaction) async throws -> Reading? {
    let read = Call.rows(SQL.Clock.read) { (row) throws(PostgresError) in
      let (time, ahead) = try row.decode(Timestamp.self, Int64?.self)
      // Nil where it stands.
      return ahead.map { Reading(time: time, ahead: $0) }
    }
    let readings = try await transaction.run(read)
    guard let found = readings.first else { return nil }
    guard let reading = found else { throw ClockProblem.stands(session.schema) }
    return reading
  }

  /// How many others are connected to its server.
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

  /// What it says.
  ///
  /// - Throws: ``ClockProblem``, `PostgresError`.
  package func read() async throws -> Reading {
    try await session.freely.transaction { try await requireRunning(in: $0) }
  }

  /// Puts it ahead; what it passes is due from then on, and whoever works here fires and works it.
  ///
  /// The audit, whose clock is the server's, has a row of it.
  ///
  /// - Parameter jobs: those whose schedules are asked what is passed.
  /// - Throws: ``ClockProblem``, `PostgresError`; it has not moved then.
  @discardableResult
  package func move(_ target: Target, jobs: [RegisteredJob]) async throws -> Moved {
    let waiting = try await Scheduler(session, jobs: jobs).nextFireTimes()
    let (before, after, runs) = try await session.transaction { transaction in
      // A fold that has reckoned by the old clock is over, and none begins.
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

/// Why a development clock cannot be had or moved.
package enum ClockProblem: Error, Sendable, Equatable {
  /// The schema is no development one.
  case isProduction(Schema)
  /// The schema's clock stands, and belongs to whoever sets it.
  case stands(Schema)
  /// The schema is used by somebody on the server's clock.
  case inUse(Schema)
  /// The clock would go back, or not move; what it says.
  case back(Timestamp)
  /// The clock would leave the years of four digits; what it says.
  case tooFar(Timestamp)
}

import BatonPostgres
import ChallengesSQL
import RunnerSQL

/// A database's development clock and the identity of its replay.
struct Development: Sendable {
  /// The clock's current time.
  let clock: Timestamp
  let identity: ReplayIdentity

  /// Reads the database's development state.
  ///
  /// A production database has no development state.
  private static let read = Call.rows(SQL.Replay.readIdentity) { (row) throws(PostgresError) in
    let (clock, digest, from, to, step, closesWeeks) = try row.decode(
      Timestamp.self, String.self, String.self, String.self, Int64.self, Bool.self)
    return Development(
      clock: clock,
      identity: ReplayIdentity(
        fileDigest: digest, from: from, to: to, step: step, closesWeeks: closesWeeks))
  }

  private static let isEmpty = Call.row(SQL.Replay.isEmpty) { (row) throws(PostgresError) in
    try row.decode(Bool.self)
  }

  /// Turns an empty database into a development database, or continues an earlier replay that has
  /// the same identity.
  ///
  /// - Parameter clock: The initial clock time of a new development database.
  /// - Throws: ``ReplayFailure/otherReplay(_:_:)`` or ``ReplayFailure/notEmpty(_:)`` if the replay
  ///   cannot use the database. ``ReplayFailure/clockMoved`` if another replay has started in the
  ///   database. `PostgresError` if a statement fails.
  static func begin(
    _ identity: ReplayIdentity, clock: Timestamp, on connection: Connection, in schema: Schema
  ) async throws -> Development {
    do {
      return try await tryToBegin(identity, clock: clock, on: connection, in: schema)
    } catch let error as PostgresError where error.sqlState == .uniqueViolation {
      // Another replay has started in the same database at the same time.
      throw ReplayFailure.clockMoved
    }
  }

  private static func tryToBegin(
    _ identity: ReplayIdentity, clock: Timestamp, on connection: Connection, in schema: Schema
  ) async throws -> Development {
    try await connection.transaction(in: schema) { transaction in
      let (found, isEmpty) = try await transaction.run(read, isEmpty)
      if let found = found.first {
        let differences = identity.differences(from: found.identity)
        guard differences.isEmpty else { throw ReplayFailure.otherReplay(schema, differences) }
        return found
      }
      guard isEmpty else { throw ReplayFailure.notEmpty(schema) }
      try await transaction.run(
        .run(SQL.Clock.begin, clock, identity.closesWeeks),
        .run(
          SQL.Replay.begin, identity.fileDigest, identity.from, identity.to, identity.step,
          identity.closesWeeks),
        .run(SQL.Clock.replaceDomainNow))
      return Development(clock: clock, identity: identity)
    }
  }
}

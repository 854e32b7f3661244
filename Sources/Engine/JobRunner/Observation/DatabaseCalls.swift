import BatonPostgres
import RunnerSQL

/// Statements that read the data of the database page.
enum DatabaseCalls {
  struct Database: Sendable {
    let at: Timestamp
    let version: String
    let bytes: Int64
    /// The number of sessions whose transactions the reading role cannot see.
    let hidden: Int64
  }

  static let database = Call.row(SQL.Observation.readDatabase) { (row) throws(PostgresError) in
    let (at, version, bytes, hidden) = try row.decode(
      Timestamp.self, String.self, Int64?.self, Int64.self)
    return Database(at: at, version: version, bytes: bytes ?? 0, hidden: hidden)
  }

  static let segments = Call.rows(SQL.Observation.listSegments) { (row) throws(PostgresError) in
    let (number, isCurrent, rows, bytes, rotated) = try row.decode(
      Int64.self, Bool.self, Int64.self, Int64.self, Timestamp.self)
    return DatabasePage.Segment(
      number: Int(number), isCurrent: isCurrent, rows: rows, bytes: bytes, rotatedAt: rotated)
  }

  static let tables = Call.rows(SQL.Observation.listTables) { (row) throws(PostgresError) in
    let (name, rows, dead, bytes, indexes, total, vacuumed) = try row.decode(
      String.self, Int64.self, Int64.self, Int64.self, Int64.self, Int64.self, Timestamp?.self)
    return DatabasePage.Table(
      name: name, rows: rows, deadRows: dead, bytes: bytes, indexBytes: indexes,
      totalBytes: total, vacuumedAt: vacuumed)
  }

  static let indexes = Call.rows(SQL.Observation.listIndexes) { (row) throws(PostgresError) in
    let (name, table, bytes, scans) = try row.decode(
      String.self, String.self, Int64.self, Int64.self)
    return DatabasePage.Index(name: name, table: table, bytes: bytes, scans: scans)
  }

  static let waits = Call.rows(SQL.Observation.listLockWaits) { (row) throws(PostgresError) in
    let (pid, blockers, lock, mode, waited, user, application) = try row.decode(
      Int32.self, String.self, String.self, String.self, Int64?.self, String?.self, String?.self)
    return DatabasePage.LockWait(
      pid: Int(pid), blockedBy: blockers.split(separator: " ").compactMap { Int($0) }, lock: lock,
      mode: mode, seconds: waited.seconds, user: user, applicationName: application)
  }

  static func holders(olderThan seconds: Int64) -> Call<[VacuumHolder]> {
    .rows(SQL.Observation.listHolders, seconds) { (row) throws(PostgresError) in
      let (kind, name, user, application, state, seconds) = try row.decode(
        String.self, String.self, String?.self, String?.self, String?.self, Int64?.self)
      return VacuumHolder(
        kind: kind, name: name, user: user ?? "?", applicationName: application ?? "",
        state: state ?? "?", seconds: seconds)
    }
  }
}

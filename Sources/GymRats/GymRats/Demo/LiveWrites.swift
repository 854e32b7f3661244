import Baton
import BatonPostgres
import ChallengesSQL
import Synchronization

/// Records workouts in the same way as an API, and measures the time until boards show them.
///
/// The measured time includes the debounce delay of the board's update.
enum LiveWrites {
  /// The result of the measurement.
  struct Result: Sendable {
    let writes: Int
    /// The p50 and the p99 of the time from COMMIT to the published rank, in milliseconds.
    let median, p99: Int
  }

  /// Records one workout for each of 200 members, at a rate of 100 workouts per second, and polls
  /// the boards.
  static func run(on database: Database) async throws -> Result {
    let watching = try await database.connect()
    let members = try await members(200, watching, database.schema)
    let committed = Committed()
    async let written: Void = write(members, on: database, into: committed)
    let waits = try await watch(watching, database.schema, committed, count: members.count)
    try await written
    await watching.close()
    let sorted = waits.sorted()
    return Result(
      writes: members.count, median: sorted[sorted.count / 2],
      p99: sorted[min(sorted.count - 1, sorted.count * 99 / 100)])
  }

  /// Records two workouts per second, each for the next member, until the task is cancelled.
  ///
  /// The method does not check whether a workout counts on a board. For example, a member's third
  /// workout on one day does not count.
  static func goOn(on database: Database) async throws {
    let connection = try await database.connect()
    let members = try await members(50, connection, database.schema)
    for number in 0... where !members.isEmpty {
      guard !Task.isCancelled else { break }
      let record = Call.row(
        SQL.Demo.recordNow, members[number % members.count], "live-\(number)"
      ) { (row) throws(PostgresError) in try row.decode(String.self) }
      try await connection.atomically(in: database.schema, record)
      try? await Task.sleep(for: .milliseconds(500))
    }
    await connection.close()
  }

  private static func members(
    _ count: Int64, _ connection: Connection, _ schema: Schema
  ) async throws -> [String] {
    let pick = Call.rows(SQL.Demo.pickMembers, count) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    return try await connection.atomically(in: schema, pick)
  }

  private static func write(
    _ members: [String], on database: Database, into committed: Committed
  ) async throws {
    let connection = try await database.connect()
    for member in members {
      let record = Call.row(SQL.Demo.recordNow, member, "live") { (row) throws(PostgresError) in
        try row.decode(String.self)
      }
      let outcome: String = try await connection.atomically(in: database.schema, record)
      guard outcome == "accepted" else {
        throw Complaint(
          .fault, what: "A live workout was \(outcome).", place: "record_workout",
          next: "Report it with this output.")
      }
      committed.add(member)
      try await Task.sleep(for: .milliseconds(10))
    }
    await connection.close()
  }

  /// Measures the time, in milliseconds, from the commit of each member's workout until a board
  /// shows it.
  private static func watch(
    _ connection: Connection, _ schema: Schema, _ committed: Committed, count: Int
  ) async throws -> [Int] {
    let pending = Call.rows(SQL.Demo.listPending) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    var waits: [Int] = []
    while waits.count < count {
      // The list is read before the query, so the query sees every workout in the list.
      let known = committed.unseen
      let unpublished: [String] = try await connection.atomically(in: schema, pending)
      let now = ContinuousClock.now
      for (member, at) in known where !unpublished.contains(member) {
        committed.markSeen(member)
        waits.append(Int(at.duration(to: now) / .milliseconds(1)))
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    return waits
  }
}

/// The times of the commits, which are shared by the writer and the watcher.
private final class Committed: Sendable {
  private let instants = Mutex<[String: ContinuousClock.Instant]>([:])

  var unseen: [String: ContinuousClock.Instant] { instants.withLock { $0 } }

  func add(_ member: String) { instants.withLock { $0[member] = .now } }

  func markSeen(_ member: String) { instants.withLock { $0[member] = nil } }
}

import BatonJobs
import BatonPostgres
import RunnerSQL

extension Scheduler {
  /// The result of firing one piece of the due schedules.
  struct FiredPiece: Sendable {
    /// The number of occurrences that became events.
    var events = 0
    /// The number of schedules that were moved to their next occurrence.
    var schedules = 0
    /// Whether further schedules may be due.
    var hasMore = false
  }

  /// The maximum cost of a piece.
  ///
  /// A schedule, each of its occurrences, and each 2 KB of a run's payload cost 1. A piece takes at
  /// most some hundred milliseconds. During this time, the worker neither dispatches events nor
  /// polls.
  private static let mostCost = 1000
  /// The number of due schedules of one job that one statement locks.
  static let mostTaken = 500
  /// The maximum number of statements that search for schedules that this process can read.
  private static let mostSearches = 8

  /// Fires some of the due schedules in one transaction.
  ///
  /// Many schedules can be due at the same time, for example one for each tenant. Between two
  /// pieces, the worker dispatches events, so that the runs of other jobs do not wait. The
  /// schedules of a piece are locked until the piece is committed, and other workers skip these
  /// schedules. If the worker is killed, the piece is rolled back, and none of its occurrences has
  /// fired.
  ///
  /// - Parameter marks: the places at which the search of each job begins.
  func firePiece(
    only: Set<String>? = nil, from marks: [String: Timestamp] = [:]
  ) async throws -> FiredPiece {
    let names = names(only: only)
    guard !names.isEmpty else { return FiredPiece() }
    return try await session.transaction { transaction in
      try await transaction.run(.run(SQL.Queue.limitCursor))
      let (fired, hasMore) = try await take(names, from: marks, in: transaction)
      guard !fired.isEmpty else { return FiredPiece() }
      let (events, _, _) = try await transaction.run(
        ScheduleCalls.fire(fired), ScheduleCalls.moveOn(fired), ScheduleCalls.forget(fired))
      let ended = fired.filter { $0.firing.next == nil }
      if !ended.isEmpty { try await transaction.run(ScheduleCalls.end(ended)) }
      return FiredPiece(events: events, schedules: fired.count, hasMore: hasMore)
    }
  }

  /// Locks due schedules, and determines which occurrences fire.
  ///
  /// A time zone of the server can be missing on this machine. If a search returns only schedules
  /// that this process cannot read, the next search excludes the time zones and expressions of
  /// these schedules. Without this exclusion, the unreadable schedules would delay all later
  /// schedules of the same job.
  private func take(
    _ names: [String], from marks: [String: Timestamp], in transaction: Transaction
  ) async throws -> (fired: [FiredSchedule], hasMore: Bool) {
    var reader = ScheduleReader(self)
    for _ in 0..<Self.mostSearches {
      let known = reader.unreadable.count
      let due: [DueSchedule] = try await transaction.run(
        ScheduleCalls.takeDue(names, from: marks, except: reader.unreadable))
      var (fired, cost) = ([FiredSchedule](), 0)
      for due in due {
        guard let schedule = reader.schedule(due.id, due.stored),
          let one = FiredSchedule(due, schedule)
        else { continue }
        guard cost < Self.mostCost else { return (fired, true) }
        fired.append(one)
        cost += one.cost
      }
      let taken = Dictionary(grouping: due, by: \.id.job)
      if !fired.isEmpty { return (fired, taken.contains { $0.value.count >= Self.mostTaken }) }
      guard reader.unreadable.count > known else { break }
    }
    return ([], false)
  }
}

/// Reads stored schedules, and reads equal schedules only once.
///
/// Reading a schedule checks the file of its time zone, and thousands of tenants can have the same
/// time zone.
private struct ScheduleReader {
  private let scheduler: Scheduler
  private var known: [StoredSchedule: Schedule] = [:]
  /// The time zones and expressions that cannot be read.
  private(set) var unreadable: [String] = []

  init(_ scheduler: Scheduler) { self.scheduler = scheduler }

  mutating func schedule(_ id: ScheduleID, _ stored: StoredSchedule) -> Schedule? {
    if let schedule = known[stored] { return schedule }
    if let schedule = scheduler.schedule(id, stored) {
      // The program's own definition replaces only the stored schedule with this id.
      if stored.schedule != nil { known[stored] = schedule }
      return schedule
    }
    let zone = stored.timeZone.flatMap { zone in
      let daily = StoredSchedule(expression: "@daily", timeZone: zone, missed: stored.missed)
      return daily.schedule == nil ? zone : nil
    }
    let text = zone ?? stored.expression
    if !unreadable.contains(text) { unreadable.append(text) }
    return nil
  }
}

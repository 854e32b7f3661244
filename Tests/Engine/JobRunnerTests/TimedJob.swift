import BatonJobs
import BatonPostgres
import JobRunner
import TestSupport

/// The tests' scheduled jobs.
///
/// They record their key and the contents of their payload.
///
/// The type is generic over a name and a policy, because a definition belongs to a type.
struct TimedJob<Kind: TimedKind>: BatchJob {
  static var definition: Definition<Self> {
    Definition(
      Kind.name, on: Kind.schedule.map { [.schedule($0)] } ?? [],
      retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)),
      timeout: .seconds(5))
  }

  /// The value that a schedule gives to its run, or nil for other runs.
  let scheduled_at: String?

  static func run(_ batch: [Run<Self>], in context: TimedContext) async throws {
    for run in batch { try await context.note(run.key, run.payload.scheduled_at ?? "-") }
  }

  static var registered: RegisteredJob {
    RegisteredJob(TimedJob.self) { TimedContext(transaction: $0) }
  }
}

struct TimedContext: Sendable {
  let transaction: Transaction

  func note(_ key: String, _ payload: String) async throws {
    try await transaction.run(
      .run(Statement("test/timed", "insert into noted (key, xact) values ($1, $2)"), key, payload))
  }
}

protocol TimedKind: Sendable {
  static var name: String { get }
  static var schedule: Schedule? { get }
}

enum Weekly: TimedKind {
  static let name = "weekly"
  static let schedule: Schedule? = .cron("0 0 * * 1", missed: .once)
}

enum EachWeek: TimedKind {
  static let name = "each-week"
  static let schedule: Schedule? = .cron("0 0 * * 1", missed: .all)
}

enum Hourly: TimedKind {
  static let name = "hourly"
  static let schedule: Schedule? = .every(.seconds(3600), missed: .skip)
}

enum EachSecond: TimedKind {
  static let name = "each-second"
  static let schedule: Schedule? = .every(.seconds(1), missed: .all)
}

/// The same job in another version of the program.
enum WeeklyElsewhere: TimedKind {
  static let name = "weekly"
  static let schedule: Schedule? = .cron("0 0 * * 1", timeZone: "Mars/Olympus", missed: .once)
}

enum WeeklyOnTuesday: TimedKind {
  static let name = "weekly"
  static let schedule: Schedule? = .cron("0 0 * * 2", timeZone: "Europe/Berlin", missed: .skip)
}

enum WeeklyNoMore: TimedKind {
  static let name = "weekly"
  static let schedule: Schedule? = nil
}

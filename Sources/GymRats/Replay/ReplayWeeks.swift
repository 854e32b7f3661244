import BatonJobs
import BatonPostgres
import Challenges
import ChallengesSQL
import CheckIns
import CivilTime
import JobRunner

/// Fires a replay's schedules at the times of the development clock.
///
/// Between two steps of the replay, the clock stops at each due occurrence of a cron schedule. The
/// clock also stops in weeks for which the check-in file has no lines. A schedule whose interval is
/// shorter than a step fires once per step, after the step's runs. A schedule whose interval is at
/// least one step fires only once between two steps, at its first due occurrence.
struct ReplayWeeks {
  /// The job after which closed boards can be exported.
  private static let closingJob = "close-week"

  private let scheduler: Scheduler
  private let connection: Connection
  private let schema: Schema
  private let step: Duration
  private let export: ReplayExport?
  private let drain: () async throws -> Void
  /// The jobs whose interval is at least one step, and which have not fired since the last step.
  private var waitingIntervals: Set<String> = []
  /// The next time that each schedule fires, or nil if the times have to be reread.
  private var upcoming: [Scheduler.FireTime]?

  init(
    _ scheduler: Scheduler, connection: Connection, schema: Schema, step: Int64,
    export: ReplayExport?, drain: @escaping () async throws -> Void
  ) {
    self.scheduler = scheduler
    self.connection = connection
    self.schema = schema
    self.step = .seconds(step)
    self.export = export
    self.drain = drain
  }

  /// Completes the work of a replay that was killed when the clock had reached the given time.
  mutating func resume(at clock: Timestamp, isStep: Bool) async throws {
    let due = try await times().filter { $0.at.microseconds <= clock.microseconds }
    try await fire(due.filter { !isShort($0) }.map(\.id.job))
    try await export?.resume(on: connection, in: schema)
    if isStep { try await stepped(at: clock) }
  }

  /// Moves the clock to each occurrence of a schedule up to a given time and fires the schedule.
  mutating func walk(to target: Int64, _ recorder: inout StepRecorder) async throws {
    while let next = try await nextStop(), next.at.microseconds <= target {
      if next.at.microseconds > recorder.clock.microseconds {
        try await recorder.stand(at: next.at, on: connection, in: schema)
      }
      waitingIntervals.remove(next.id.job)
      try await fire([next.id.job])
      if next.id.job == Self.closingJob {
        try await export?.append(closedAt: recorder.clock, on: connection, in: schema)
      }
    }
  }

  /// Fires the due schedules whose interval is shorter than a step.
  ///
  /// The replay calls this method after executing a step's runs.
  mutating func stepped(at clock: Timestamp) async throws {
    let times = try await times()
    waitingIntervals = Set(times.filter { $0.interval != nil && !isShort($0) }.map(\.id.job))
    let due = times.filter { isShort($0) && $0.at.microseconds <= clock.microseconds }
    try await fire(due.map(\.id.job))
  }

  /// Moves the clock to the end of the last week's grace period, so that the last week is also
  /// closed.
  mutating func finish(_ plan: ReplayPlan, _ recorder: inout StepRecorder) async throws {
    guard let last = plan.lines.last else { return }
    let week = Week(containing: floorDivide(last.instant, 1_000_000))
    let read = Call.row(SQL.Weeks.readGrace) { (row) throws(PostgresError) in
      try row.decode(Int64.self)
    }
    let grace: Int64 = try await connection.atomically(in: schema, read)
    let end = week.end * 1_000_000 + grace
    try await walk(to: end, &recorder)
    if end > recorder.clock.microseconds {
      try await recorder.stand(at: Timestamp(microseconds: end), on: connection, in: schema)
    }
  }

  // MARK: Parts

  private mutating func times() async throws -> [Scheduler.FireTime] {
    if let upcoming { return upcoming }
    let times = try await scheduler.nextFireTimes()
    upcoming = times
    return times
  }

  private mutating func nextStop() async throws -> Scheduler.FireTime? {
    try await times().first { $0.interval == nil || waitingIntervals.contains($0.id.job) }
  }

  private func isShort(_ time: Scheduler.FireTime) -> Bool {
    time.interval.map { $0 < step } ?? false
  }

  /// Fires the schedules of jobs and executes the resulting runs.
  ///
  /// Skips each job whose schedule an operator has already fired.
  private mutating func fire(_ jobs: [String]) async throws {
    guard !jobs.isEmpty else { return }
    upcoming = nil
    try await scheduler.fireDue(only: Set(jobs))
    try await drain()
  }
}

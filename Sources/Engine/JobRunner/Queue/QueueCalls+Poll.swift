import BatonPostgres
import RunnerSQL

extension QueueCalls {
  /// The result of a poll.
  struct Poll: Sendable {
    /// Whether a fold is necessary.
    ///
    /// A fold is necessary if the event log contains events that have not been folded, or if it
    /// belongs to another cluster.
    let hasEvents: Bool
    let hasDeadWorkers: Bool
    /// The jobs with due runs that may start.
    let dueJobs: [DueJob]
    /// The names of jobs with due runs that must run alone in the process.
    let jobsWorkedAlone: [String]
    /// The time until the next run or schedule is due, or nil if none is waiting.
    let nextDue: Duration?
    let hasDueSchedules: Bool
    /// Whether an operator or `cancel_run` has requested the cancellation of a run.
    let hasCancelled: Bool
    /// The first due run for each job and priority.
    let front: [QueueFront.JobPriority: QueueFront.Place]
    /// The time of the last dispatch, or nil if the positions in ``front`` are not reliable.
    let dispatchedAt: Timestamp?

    /// Whether at least one job has a due run that may start.
    var hasDue: Bool { !dueJobs.isEmpty || !jobsWorkedAlone.isEmpty }
  }

  /// A job with due runs.
  struct DueJob: Sendable {
    let name: String
    /// The priority of the job's most urgent run.
    let priority: Int
    let order: ClaimOrder

    /// Parses `name priority order`.
    ///
    /// If a newer schema returns an unknown order, the order becomes `.group`.
    init?(_ text: Substring) {
      let parts = text.split(separator: " ")
      guard parts.count == 3, let priority = Int(parts[1]) else { return nil }
      name = String(parts[0])
      self.priority = priority
      order = ClaimOrder(rawValue: String(parts[2])) ?? .group
    }
  }

  /// A poll that searches the whole queue.
  static let poll = poll(from: QueueFront.Marks())

  /// Creates a poll.
  ///
  /// - Parameters:
  ///   - release: the worker's release. If another release failed to decode a run, the poll still
  ///     includes that run for this release.
  ///   - findsDead: whether the poll searches for dead workers.
  static func poll(
    from marks: QueueFront.Marks, for release: ProgramRelease? = nil, findsDead: Bool = true
  ) -> Call<Poll> {
    let (jobs, priorities, dues, ids) = marks.columns
    return .row(
      SQL.Queue.poll, jobs, priorities, dues, ids, marks.others, release?.program,
      release.map { Int32($0.number) }, findsDead, decode: readPoll)
  }

  private static func readPoll(_ row: Row) throws(PostgresError) -> Poll {
    let (events, dead, jobs, alone, next, schedules, cancelled, front, dispatchedAt) =
      try row.decode(
        Bool.self, Bool.self, String.self, String.self, Int32?.self, Bool.self, Bool.self,
        String.self, Timestamp?.self)
    return Poll(
      hasEvents: events, hasDeadWorkers: dead,
      dueJobs: jobs.split(separator: "\n").compactMap(DueJob.init),
      jobsWorkedAlone: alone.split(separator: "\n").map(String.init),
      nextDue: next.map { .milliseconds(Int($0)) }, hasDueSchedules: schedules,
      hasCancelled: cancelled, front: QueueFront.places(in: front), dispatchedAt: dispatchedAt)
  }
}

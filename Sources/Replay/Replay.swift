public import JobRunner
public import Logging
public import Postgres
import SQLFiles

/// Replays a file of check-ins step by step, on a clock of its own, through the same functions and
/// the same queue as production.
///
/// A step is one transaction: the clock and the step's lines move together. So a replay that is
/// killed anywhere is continued by running it again, and no line is ever recorded twice.
public struct Replay: Sendable {
  /// What is replayed, and how far the clock moves at once.
  public struct Options: Sendable {
    /// The first day, `YYYY-MM-DD` in UTC; lines before it are as if not in the file.
    public var from: Day?
    /// The day before which the replay ends.
    public var to: Day?
    /// Seconds; divides 24 h.
    public var step: Int64

    /// Options; by default the whole file, an hour at a time.
    public init(from: Day? = nil, to: Day? = nil, step: Int64 = 3600) {
      self.from = from
      self.to = to
      self.step = step
    }
  }

  /// What a replay did.
  public struct Summary: Sendable {
    /// Lines recorded by this call.
    public var recorded = 0
    /// Lines that an earlier call had recorded.
    public var skipped = 0
    /// Steps worked by this call.
    public var steps = 0
  }

  let file: CheckInFile
  let options: Options
  let jobs: [RegisteredJob]
  let configuration: ConnectionConfiguration
  let schema: Schema
  let logger: Logger

  /// A replay of a file into a schema; nothing is touched yet.
  ///
  /// - Throws: ``ReplayFailure/badStep(_:)``.
  public init(
    _ file: CheckInFile, options: Options, jobs: [RegisteredJob],
    configuration: ConnectionConfiguration, schema: Schema, logger: Logger
  ) throws {
    guard options.step > 0, 86_400 % options.step == 0 else {
      throw ReplayFailure.badStep(options.step)
    }
    self.file = file
    self.options = options
    self.jobs = jobs
    self.configuration = configuration
    self.schema = schema
    self.logger = logger
  }

  /// Replays what is not replayed yet.
  ///
  /// - Parameter progress: called after each step with the lines done and the lines in all.
  /// - Throws: ``ReplayFailure``, `PostgresError`.
  public func run(progress: (_ done: Int, _ all: Int) -> Void) async throws -> Summary {
    let plan = ReplayPlan(
      file.checkIns, from: options.from?.microseconds, to: options.to?.microseconds,
      step: options.step * 1_000_000)
    guard let first = plan.steps.first else { throw ReplayFailure.nothingToReplay }
    let connection = try await Connection.open(configuration)
    try await Queue(connection, schema: schema).define(jobs)
    let identity = ReplayIdentity(
      fileDigest: try await ReplayIdentity.digest(of: file.content, on: connection),
      from: options.from?.text ?? "", to: options.to?.text ?? "", step: options.step,
      mode: "ranks")
    let start = Timestamp(microseconds: first.clock - options.step * 1_000_000)
    let development = try await Development.begin(
      identity, clock: start, on: connection, in: schema)
    let drainer = try await Drainer(jobs, on: configuration, schema: schema, logger: logger)
    // The step before a kill is recorded in full, but perhaps not drained.
    try await drain(drainer)

    var summary = Summary()
    var recorder = StepRecorder(plan, digest: identity.fileDigest, at: development.clock)
    for step in plan.steps {
      guard step.clock > development.clock.microseconds else {
        summary.skipped += step.lines.count
        continue
      }
      try await recorder.record(step, on: connection, in: schema)
      try await drain(drainer)
      summary.recorded += step.lines.count
      summary.steps += 1
      progress(summary.skipped + summary.recorded, plan.lines.count)
    }
    try await drainer.close()
    await connection.close()
    return summary
  }

  private func drain(_ drainer: Drainer) async throws {
    let dead = try await drainer.drain()
    guard dead == 0 else { throw ReplayFailure.dead(dead) }
  }
}

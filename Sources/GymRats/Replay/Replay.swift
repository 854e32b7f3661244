package import BatonPostgres
package import CheckIns
package import JobRunner
package import Logging

/// Replays a file of check-ins step by step, on a clock of its own, through the same functions and
/// the same queue as production.
///
/// A step is one transaction: the clock and the step's lines move together. So a replay that is
/// killed anywhere is continued by running it again, and no line is ever recorded twice.
package struct Replay: Sendable {
  /// What is replayed, and how far the clock moves at once.
  package struct Options: Sendable {
    /// The first day, `YYYY-MM-DD` in UTC; lines before it are as if not in the file.
    package var from: Day?
    /// The day before which the replay ends.
    package var to: Day?
    /// Seconds; divides 24 h.
    package var step: Int64
    /// Whether schedules fire at their own development time, so that weeks close.
    package var drivesWeeks: Bool
    /// The folder for the exported weeks; implies that weeks are driven.
    package var export: String?
    /// Days in which nothing is folded, worked or scheduled while writes go on.
    package var outage: Range<Day>?

    /// Options; by default the whole file, an hour at a time, ranks only.
    package init(
      from: Day? = nil, to: Day? = nil, step: Int64 = 3600, drivesWeeks: Bool = false,
      export: String? = nil, outage: Range<Day>? = nil
    ) {
      self.from = from
      self.to = to
      self.step = step
      self.drivesWeeks = drivesWeeks || export != nil
      self.export = export
      self.outage = outage
    }
  }

  /// What a replay did.
  package struct Summary: Sendable {
    /// Lines recorded by this call.
    package var recorded = 0
    /// Lines that an earlier call had recorded.
    package var skipped = 0
    /// Steps worked by this call.
    package var steps = 0
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
  package init(
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
  /// - Parameters:
  ///   - isStopped: asked before each step: whether to end here, to be continued by another call.
  ///   - progress: called after each step with the lines done and the lines in all.
  /// - Throws: ``ReplayFailure``, `PostgresError`.
  package func run(
    isStopped: () -> Bool = { false }, progress: (_ done: Int, _ all: Int) -> Void
  ) async throws -> Summary {
    let plan = ReplayPlan(
      file.checkIns, from: options.from?.microseconds, to: options.to?.microseconds,
      step: options.step * 1_000_000)
    guard let first = plan.steps.first else { throw ReplayFailure.nothingToReplay }
    // Before the database becomes a development one: a folder that cannot be is the caller's slip.
    let export = try options.export.map { try ReplayExport(folder: $0) }
    let connection = try await Connection.open(configuration)
    try await Queue(Session(connection, in: schema)).define(jobs)
    let identity = try await identity(on: connection)
    let start = Timestamp(microseconds: first.clock - options.step * 1_000_000)
    let development = try await Development.begin(
      identity, clock: start, on: connection, in: schema)
    let drainer = try await Drainer(jobs, on: configuration, schema: schema, logger: logger)
    var weeks = try await weeks(on: connection, drainer, export)
    // The step before a kill is recorded in full, but perhaps not drained.
    let isWorking = !isOut(at: development.clock.microseconds)
    if isWorking { try await drain(drainer) }
    try await weeks?.resume(at: development.clock, isStep: plan.isStep(development.clock))

    var summary = Summary()
    var recorder = StepRecorder(plan, digest: identity.fileDigest, at: development.clock)
    for step in plan.steps {
      guard step.clock > development.clock.microseconds else {
        summary.skipped += step.lines.count
        continue
      }
      guard !isStopped() else {
        try await drainer.close()
        throw ReplayFailure.stopped(
          done: summary.skipped + summary.recorded, of: plan.lines.count)
      }
      let isOut = isOut(at: step.clock)
      if !isOut { try await weeks?.walk(to: step.clock, &recorder) }
      try await recorder.record(step, on: connection, in: schema)
      if !isOut {
        try await drain(drainer)
        try await weeks?.stepped(at: recorder.clock)
      }
      summary.recorded += step.lines.count
      summary.steps += 1
      progress(summary.skipped + summary.recorded, plan.lines.count)
    }
    try await weeks?.finish(plan, &recorder)
    try await drainer.close()
    await connection.close()
    return summary
  }

  // MARK: Parts

  private func identity(on connection: Connection) async throws -> ReplayIdentity {
    ReplayIdentity(
      fileDigest: try await ReplayIdentity.digest(of: file.content, on: connection),
      from: options.from?.text ?? "", to: options.to?.text ?? "", step: options.step,
      closesWeeks: options.drivesWeeks)
  }

  private func weeks(
    on connection: Connection, _ drainer: Drainer, _ export: ReplayExport?
  ) async throws -> ReplayWeeks? {
    guard options.drivesWeeks else { return nil }
    let scheduler = Scheduler(Session(connection, in: schema), jobs: jobs)
    // Again, now that there is a development clock: the schedules begin at it.
    try await scheduler.define()
    return ReplayWeeks(
      scheduler, connection: connection, schema: schema, step: options.step,
      export: export,
      drain: { try await drain(drainer) })
  }

  private func isOut(at clock: Int64) -> Bool {
    options.outage.map { ($0.lowerBound.microseconds..<$0.upperBound.microseconds) ~= clock }
      ?? false
  }

  private func drain(_ drainer: Drainer) async throws {
    let dead = try await drainer.drain()
    guard dead == 0 else { throw ReplayFailure.dead(dead) }
  }
}

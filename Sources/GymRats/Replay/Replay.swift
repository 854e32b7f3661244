package import BatonPostgres
package import CheckIns
package import JobRunner
package import Logging

/// Replays a file of check-ins on a development clock.
///
/// The replay uses the same SQL functions and the same queue as a production system.
///
/// Each step is one transaction, which moves the clock and records the step's lines. If a replay is
/// killed, running the same command again continues the replay, and no line is recorded twice.
package struct Replay: Sendable {
  /// The options of a replay: the range, the step and the outputs.
  package struct Options: Sendable {
    /// The first day in the form `YYYY-MM-DD`, in UTC.
    ///
    /// Lines from before the first day are ignored.
    package var from: Day?
    /// The first day that the replay excludes.
    package var to: Day?
    /// The clock's step in seconds, which must be a divisor of 24 hours.
    package var step: Int64
    /// Whether the schedules fire at the times of the development clock, for example to close
    /// weeks.
    package var drivesWeeks: Bool
    /// The folder for the exported weeks.
    ///
    /// If an export folder is set, schedules fire regardless of ``drivesWeeks``.
    package var export: String?
    /// The days of a simulated outage, or nil for no outage.
    ///
    /// During the outage, lines are recorded, but no events are dispatched, no jobs run and no
    /// schedules fire.
    package var outage: Range<Day>?

    /// Creates options, by default for the whole file with a step of one hour and without
    /// schedules.
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

  /// The result of one replay.
  package struct Summary: Sendable {
    /// The number of lines that `run` has recorded.
    package var recorded = 0
    /// The number of lines that an earlier replay of the file had recorded.
    package var skipped = 0
    /// The number of steps that `run` has executed.
    package var steps = 0
  }

  let file: CheckInFile
  let options: Options
  let jobs: [RegisteredJob]
  let configuration: ConnectionConfiguration
  let schema: Schema
  let logger: Logger

  /// Creates a replay of a file into a schema, but does not change the schema yet.
  ///
  /// - Throws: ``ReplayFailure/badStep(_:)`` if the step is not a divisor of 24 hours.
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

  /// Replays all lines that have not been replayed yet.
  ///
  /// - Parameters:
  ///   - isStopped: A function that is called before each step and returns whether to stop. A later
  ///     call can continue a stopped replay.
  ///   - progress: A function that is called after each step with the number of replayed lines and
  ///     the total number of lines.
  /// - Throws: ``ReplayFailure`` or `PostgresError`.
  package func run(
    isStopped: () -> Bool = { false }, progress: (_ done: Int, _ all: Int) -> Void
  ) async throws -> Summary {
    let plan = ReplayPlan(
      file.checkIns, from: options.from?.microseconds, to: options.to?.microseconds,
      step: options.step * 1_000_000)
    guard let first = plan.steps.first else { throw ReplayFailure.nothingToReplay }
    // A folder that cannot be created is detected here, before the database changes.
    let export = try options.export.map { try ReplayExport(folder: $0) }
    let connection = try await Connection.open(configuration)
    try await Queue(Session(connection, in: schema)).define(jobs)
    let identity = try await identity(on: connection)
    let start = Timestamp(microseconds: first.clock - options.step * 1_000_000)
    let development = try await Development.begin(
      identity, clock: start, on: connection, in: schema)
    let drainer = try await Drainer(jobs, on: configuration, schema: schema, logger: logger)
    var weeks = try await weeks(on: connection, drainer, export)
    // If an earlier replay was killed before it executed the runs of its last step, they are
    // executed now.
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
    // Defining the schedules here makes them fire at the times of the development clock.
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

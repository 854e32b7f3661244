import BatonJobs
import BatonPostgres
import Bench
import JobRunner
import Synchronization

/// Executes a chunked job on one connection and measures the job's longest step.
///
/// Each step is one transaction. A step's time runs from the end of the previous step to the end of
/// its COMMIT. The first step's time also includes connecting to the server and claiming the job's
/// run, and the last step's time includes closing the connection.
final class StepClock: Sendable {
  private let job: RegisteredJob
  private let configuration: ConnectionConfiguration
  private let schema: Schema
  /// The end of the last step, and the duration of the longest step.
  private let times = Mutex((last: ContinuousClock.now, longest: Duration.zero))

  init(_ job: RegisteredJob, on configuration: ConnectionConfiguration, in schema: Schema) {
    (self.job, self.configuration, self.schema) = (job, configuration, schema)
  }

  convenience init(_ name: String, of stage: BenchStage) throws {
    guard let job = stage.jobs.first(where: { $0.definition.name == name }) else {
      throw BenchRefusal.incomplete("there is no job \(name)")
    }
    self.init(job, on: stage.configuration, in: stage.schema)
  }

  /// The duration of the longest step so far, in milliseconds.
  var milliseconds: Double { times.withLock { $0.longest } / .milliseconds(1) }

  /// Executes the job until it is complete, and returns the duration in seconds and the job's
  /// report.
  ///
  /// - Parameter isWaiting: Whether the job may be snoozed because other transactions hold locks. A
  ///   snoozed job is executed again.
  func work(isWaiting: Bool = false) async throws -> (Double, Report) {
    let began = ContinuousClock.now
    while true {
      switch try await workOnce() {
      case .done(_, let report):
        return (began.duration(to: .now) / .seconds(1), report)
      case .snoozed where isWaiting:
        try await Task.sleep(for: .milliseconds(10))
      case let result:
        throw BenchRefusal.incomplete("\(job.definition.name) ended as \(result)")
      }
    }
  }

  private func workOnce() async throws -> InlineRunner.Result {
    times.withLock { $0.last = .now }
    let inlineRunner = InlineRunner(
      job, on: configuration, schema: schema, logger: Drain.logger)
    let result = try await inlineRunner.work(key: Schedule.sharedKey) { _ in self.noteStep() }
    // The runner does not report the last step.
    if case .done = result { noteStep() }
    return result
  }

  private func noteStep() {
    times.withLock { times in
      let now = ContinuousClock.now
      times.longest = max(times.longest, times.last.duration(to: now))
      times.last = now
    }
  }
}

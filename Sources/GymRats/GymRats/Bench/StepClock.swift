import BatonJobs
import BatonPostgres
import Bench
import JobRunner
import Synchronization

/// Executes a chunked job on one connection and measures the job's longest step.
///
/// Each step is one transaction. A step's time runs from the end of the previous step to the end of
/// its COMMIT. The first step's time also includes connecting to the server and claiming the job's
/// run.
final class StepClock: Sendable {
  private let job: RegisteredJob
  private let longest = Mutex(Duration.zero)

  init(_ name: String, of stage: BenchStage) throws {
    guard let job = stage.jobs.first(where: { $0.definition.name == name }) else {
      throw BenchRefusal.incomplete("there is no job \(name)")
    }
    self.job = job
  }

  /// The duration of the longest step so far, in milliseconds.
  var milliseconds: Double { longest.withLock { $0 } / .milliseconds(1) }

  /// Executes the job until it is complete, and returns the duration in seconds and the job's
  /// report.
  ///
  /// - Parameter isWaiting: Whether the job may be snoozed because other transactions hold locks. A
  ///   snoozed job is executed again.
  func work(on stage: BenchStage, isWaiting: Bool = false) async throws -> (Double, Report) {
    let began = ContinuousClock.now
    while true {
      switch try await workOnce(on: stage) {
      case .done(_, let report):
        return (began.duration(to: .now) / .seconds(1), report)
      case .snoozed where isWaiting:
        try await Task.sleep(for: .milliseconds(10))
      case let result:
        throw BenchRefusal.incomplete("\(job.definition.name) ended as \(result)")
      }
    }
  }

  private func workOnce(on stage: BenchStage) async throws -> InlineRunner.Result {
    let last = Mutex(ContinuousClock.now)
    let inlineRunner = InlineRunner(
      job, on: stage.configuration, schema: stage.schema, logger: Drain.logger)
    return try await inlineRunner.work(key: Schedule.sharedKey) { _ in
      let now = ContinuousClock.now
      let took = last.withLock { last in
        defer { last = now }
        return last.duration(to: now)
      }
      self.note(took)
    }
  }

  private func note(_ took: Duration) { longest.withLock { $0 = max($0, took) } }
}

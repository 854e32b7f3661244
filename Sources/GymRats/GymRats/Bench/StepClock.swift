import BatonJobs
import BatonPostgres
import Bench
import JobRunner
import Synchronization

/// A job of steps, worked by hand on one connection, and how long its longest step took.
///
/// A step is one transaction; its time runs from the end of the step before, so that it holds begin,
/// fence, work and COMMIT, and the first one the connection and the claim as well.
final class StepClock: Sendable {
  private let job: RegisteredJob
  private let longest = Mutex(Duration.zero)

  init(_ name: String, of stage: BenchStage) throws {
    guard let job = stage.jobs.first(where: { $0.definition.name == name }) else {
      throw BenchRefusal.incomplete("there is no job \(name)")
    }
    self.job = job
  }

  /// Milliseconds of the longest step so far.
  var milliseconds: Double { longest.withLock { $0 } / .milliseconds(1) }

  /// Works the job to its end and returns the seconds that took and what was done.
  ///
  /// - Parameter isWaiting: whether it may put itself off because of others' locks; it is then
  ///   worked again.
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

public import BatonJobs
import Logging
import Synchronization

/// Information for middleware about the runs that a job's code processes in one call.
///
/// ``RegisteredJob/around(_:)`` adds middleware to a job.
public struct AttemptInfo: Sendable {
  /// The job's name.
  public let job: String
  /// The runs: all runs of a batch, or the only run of a step or an effect.
  ///
  /// Each header contains the run's id, key and attempt number.
  public let runs: [RunHeader]
  /// The maximum number of attempts per run.
  public let attempts: Int

  /// Creates the information, in the runner or in a middleware test.
  public init(job: String, runs: [RunHeader], attempts: Int) {
    self.job = job
    self.runs = runs
    self.attempts = attempts
  }
}

extension RegisteredJob {
  /// Returns the job with middleware around its code.
  ///
  /// The middleware is called once for each batch, for each step of a chunked job and for each
  /// attempt of an effect. Dry runs and tests call the middleware too. `next` executes the job's
  /// code, and throws any error that the code throws. Task locals from the middleware apply to the
  /// job's code and to the function that creates the job's context.
  ///
  /// The middleware for a batch or a step runs in the transaction of that batch or step. If the
  /// middleware throws, the attempt fails with that error, as if the job's code had thrown it. The
  /// job's timeout includes the middleware. docs/guides/middleware.md contains examples.
  ///
  /// - Parameter middleware: calls `next` exactly once, or throws. If `next` has thrown an error,
  ///   the attempt fails, even if the middleware does not throw.
  public func around(
    _ middleware:
      @escaping @Sendable (
        _ attempt: AttemptInfo, _ next: @Sendable () async throws -> Void
      ) async throws -> Void
  ) -> RegisteredJob {
    var job = self
    switch work {
    case .effect(let perform):
      job.work = .effect { claimed, logger, effect in
        let attempt = info(about: [claimed], isDryRun: false, logger)
        return try await Self.call(middleware, about: attempt) {
          try await perform(claimed, logger, effect)
        }
      }
    case .transactions(let work):
      job.work = .transactions(
        TransactionalWork(
          endsFirst: work.endsFirst,
          begin: { runs, isDryRun, logger in
            let beginning = work.begin(runs, isDryRun, logger)
            guard let step = beginning.step else { return beginning }
            let attempt = info(about: beginning.readable, isDryRun: isDryRun, logger)
            return Beginning(
              readable: beginning.readable, unreadable: beginning.unreadable,
              step: { transaction in
                try await Self.call(middleware, about: attempt) { try await step(transaction) }
              },
              checkpoint: beginning.checkpoint)
          },
          dryRun: work.dryRun))
    }
    return job
  }

  private func info(
    about runs: [ClaimedRun], isDryRun: Bool, _ logger: Logger
  ) -> AttemptInfo {
    AttemptInfo(
      job: definition.name, runs: runs.map { header($0, isDryRun, logger) },
      attempts: definition.retry.attempts)
  }

  /// Calls the middleware, and returns the result of the job's code.
  private static func call<Value: Sendable>(
    _ middleware:
      @Sendable (
        _ attempt: AttemptInfo, _ next: @Sendable () async throws -> Void
      ) async throws -> Void,
    about attempt: AttemptInfo, _ code: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let next = Next(of: attempt.job, code)
    try await middleware(attempt) { try await next.call() }
    return try next.value()
  }
}

extension [RegisteredJob] {
  /// Returns the jobs with middleware around each job's code.
  ///
  /// ```swift
  /// static let jobs = [RegisteredJob(ShipOrders.self) { Warehouse($0) }].around { attempt, next in
  ///   do {
  ///     try await next()
  ///   } catch {
  ///     Errors.report(error, of: attempt.job)
  ///     throw error
  ///   }
  /// }
  /// ```
  /// If the method is called several times, the middleware from the last call is called first.
  /// ``RegisteredJob/around(_:)`` describes middleware.
  public func around(
    _ middleware:
      @escaping @Sendable (
        _ attempt: AttemptInfo, _ next: @Sendable () async throws -> Void
      ) async throws -> Void
  ) -> [RegisteredJob] {
    map { $0.around(middleware) }
  }
}

/// The job's code for one attempt.
///
/// Middleware can call the code only once.
private final class Next<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case new, running
    case ended(Result<Value, any Error>)
  }

  private let job: String
  private let code: @Sendable () async throws -> Value
  private let state = Mutex<State>(.new)

  init(of job: String, _ code: @escaping @Sendable () async throws -> Value) {
    self.job = job
    self.code = code
  }

  /// Executes the job's code.
  ///
  /// - Throws: any error that the code throws, or ``MiddlewareMisuse`` if the code was already
  ///   called. Calling the job's code a second time could apply the same changes twice in one
  ///   transaction.
  func call() async throws {
    let isFirst = state.withLock { state in
      guard case .new = state else { return false }
      state = .running
      return true
    }
    guard isFirst else { throw MiddlewareMisuse(job: job, problem: "called next twice") }
    do {
      let value = try await code()
      state.withLock { $0 = .ended(.success(value)) }
    } catch {
      state.withLock { $0 = .ended(.failure(error)) }
      throw error
    }
  }

  /// Returns the result of the job's code, after the middleware has returned.
  ///
  /// - Throws: the error that the code threw. Changes made by failed code must not be committed.
  func value() throws -> Value {
    guard case .ended(let result) = state.withLock({ $0 }) else {
      throw MiddlewareMisuse(job: job, problem: "returned without calling next")
    }
    return try result.get()
  }
}

/// The error for middleware that did not call `next` exactly once.
struct MiddlewareMisuse: Error, CustomStringConvertible {
  let job: String
  let problem: String

  var description: String {
    "the middleware around \(job) \(problem); it must call next once, or throw an error"
  }
}

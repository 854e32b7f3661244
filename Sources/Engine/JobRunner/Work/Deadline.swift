import BatonPostgres
import Synchronization

/// The error for a job that exceeded its timeout.
struct JobTimeout: Error, CustomStringConvertible {
  let limit: Duration

  var description: String { "it took longer than \(limit)" }
}

/// Runs `body` on a thread, and cancels it after `limit` or when the cancellation signal is sent.
///
/// The cancellation ends the current statement and any asynchronous wait. A closure that ignores
/// the cancellation blocks only the executor that is running it. `deadlines` checks the limit on
/// another thread, because a statement or a blocking job occupies `thread`. The cancellation can be
/// 50 ms late.
///
/// - Parameters:
///   - deadlines: the time limits of the worker.
///   - thread: the thread of the connection that `body` uses.
/// - Throws: ``JobTimeout``, ``Cancelled``, `CancellationError` if the caller's task is cancelled, or
///   any error that `body` throws. If `body` is cancelled, its result has no effect.
func withDeadline<R: Sendable>(
  _ limit: Duration, _ deadlines: Deadlines, or signal: CancelSignal,
  on thread: ConnectionThread, _ body: @escaping @Sendable () async throws -> R
) async throws -> R {
  let work = Task(executorPreference: thread) { try await body() }
  let reason = Reason()
  // A job's cancellation handlers may block, so they run on no thread of the worker.
  let number = deadlines.add(limit) {
    reason.set(JobTimeout(limit: limit))
    Task.detached { work.cancel() }
  }
  signal.onGive {
    reason.set(Cancelled())
    Task.detached { work.cancel() }
  }
  let result = await withTaskCancellationHandler {
    await work.result
  } onCancel: {
    // The job may turn the cancellation into a permanent failure, or ignore it and return.
    reason.set(CancellationError())
    work.cancel()
  }
  deadlines.remove(number)
  signal.onGive(nil)
  if let error = reason.error { throw error }
  return try result.get()
}

/// The first reason why a body was cancelled.
private final class Reason: Sendable {
  private let first = Mutex<(any Error)?>(nil)

  var error: (any Error)? { first.withLock { $0 } }

  func set(_ error: any Error) { first.withLock { $0 = $0 ?? error } }
}

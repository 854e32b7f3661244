import Synchronization

/// The task that performs one effect, which can be cancelled and abandoned.
///
/// A Swift task cannot be forced to end. If the task does not end within a few seconds after it is
/// cancelled, it is abandoned and its result is ignored.
final class EffectTask: Sendable {
  /// The outcome of an effect's task, as reported to the task's owner.
  enum End: Sendable {
    case returned(String?)
    case threw(any Error)
    /// The task was cancelled but is still running.
    case abandoned
  }

  /// The reason why an effect's task was cancelled.
  enum Cause: Sendable {
    case timeout, stop, lease
    /// A client requested that the run be cancelled.
    case request

    /// The maximum time that the task may keep running after it is cancelled.
    ///
    /// If the worker stops, the time is one second, because the worker's process may be killed
    /// soon. If a client requested the cancellation, the time is one second, because the client is
    /// waiting for it.
    var patience: Duration {
      switch self {
      case .stop, .request: .seconds(1)
      case .timeout, .lease: .seconds(5)
      }
    }
  }

  /// The owner of a task, to which the outcome is reported.
  protocol Owner: AnyObject, Sendable {
    /// Called once, with the outcome of the task.
    func ended(_ end: End)
    /// Called before the task may be abandoned.
    func mayBeAbandoned()
    /// Called when the task has ended, if ``mayBeAbandoned()`` was called earlier.
    func isOver()
  }

  private struct State {
    var hasEnded = false
    var cause: Cause?
    var performing: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// The reason why the task was cancelled, or nil if it was not.
  var cause: Cause? { state.withLock { $0.cause } }

  /// Starts the effect, and reports its outcome to the owner.
  func start(
    for owner: some Owner, on threads: ThreadPool,
    _ perform: @escaping @Sendable () async throws -> String?
  ) {
    let performing = Task(executorPreference: threads) {
      let end: End
      do {
        end = .returned(try await perform())
      } catch {
        end = .threw(error)
      }
      if !self.resolve(end, for: owner) { owner.isOver() }
    }
    let isCancelled = state.withLock { state in
      guard !state.hasEnded else { return false }
      state.performing = performing
      return state.cause != nil
    }
    if isCancelled { performing.cancel() }
  }

  /// Cancels the task, and abandons it if it does not end in time.
  ///
  /// Only the first reason for a cancellation is recorded.
  func cancel(for cause: Cause, of owner: some Owner) {
    let isFirst = state.withLock { state in
      guard !state.hasEnded, state.cause == nil else { return false }
      state.cause = cause
      state.performing?.cancel()
      return true
    }
    guard isFirst else { return }
    Task {
      try? await Task.sleep(for: cause.patience)
      guard !state.withLock({ $0.hasEnded }) else { return }
      // The owner is notified before the task is abandoned, because an abandoned task may end at
      // any moment.
      owner.mayBeAbandoned()
      if !resolve(.abandoned, for: owner) { owner.isOver() }
    }
  }

  /// Reports the outcome, or returns false if an outcome was already reported.
  private func resolve(_ end: End, for owner: some Owner) -> Bool {
    let isFirst = state.withLock { state in
      guard !state.hasEnded else { return false }
      state.hasEnded = true
      state.performing = nil
      return true
    }
    if isFirst { owner.ended(end) }
    return isFirst
  }
}

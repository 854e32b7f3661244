import Synchronization

/// The task that performs one effect, which can be cancelled and abandoned.
///
/// A Swift task cannot be forced to end. If the task does not end within a few seconds after its
/// cancellation, the task is abandoned and its result is ignored.
final class EffectTask: Sendable {
  /// The outcome of an effect's task, as reported to the owner of the task.
  enum End: Sendable {
    case returned(String?)
    case threw(any Error)
    /// The task was cancelled but is still running.
    case abandoned
  }

  /// The cause of the cancellation of an effect's task.
  enum Cause: Sendable {
    case timeout, stop, lease
    /// A client requested the cancellation of the run.
    case request

    /// The maximum time for which the task may still run after the cancellation.
    ///
    /// If the worker stops, the time is one second, because the worker's process may be killed
    /// soon. If a client requested the cancellation, the time is one second, because the client
    /// waits for the cancellation.
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
    /// Called when the task has ended, if ``mayBeAbandoned()`` was called before.
    func isOver()
  }

  private struct State {
    var hasEnded = false
    var cause: Cause?
    var performing: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// The cause of the cancellation, or nil if the task was not cancelled.
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

  /// Cancels the task, and abandons the task if the task does not end in time.
  ///
  /// Only the first cause of a cancellation is recorded.
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

import Synchronization

/// The task that performs one effect, which can be cancelled and abandoned.
///
/// A Swift task cannot be forced to end. If the task does not end within a few seconds after its
/// cancellation, the task is abandoned and its result is ignored.
final class EffectTask: Sendable {
  /// The outcome of the task, as the waiting attempt sees it.
  enum End: Sendable {
    case returned(String?)
    case threw(any Error)
    /// The task was cancelled and still runs.
    case abandoned
  }

  /// The reason for the cancellation.
  enum Cause: Sendable {
    case timeout, stop, lease
    /// A client requested the cancellation of the run.
    case request

    /// How long the task may still run after the cancellation.
    ///
    /// A stop must finish before the process is killed. A client that cancelled a run waits for the
    /// result.
    var patience: Duration {
      switch self {
      case .stop, .request: .seconds(1)
      case .timeout, .lease: .seconds(5)
      }
    }
  }

  private struct State {
    var end: End?
    var waiting: CheckedContinuation<End, Never>?
    var cause: Cause?
    var performing: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// The reason for the cancellation, or nil if the task was not cancelled.
  var cause: Cause? { state.withLock { $0.cause } }

  /// Starts the effect.
  ///
  /// - Parameter onEnd: called when the task has actually ended, even if it was abandoned.
  func start(
    on threads: EffectThreads, onEnd: @escaping @Sendable () -> Void,
    _ perform: @escaping @Sendable () async throws -> String?
  ) {
    let performing = Task(executorPreference: threads) {
      let end: End
      do {
        end = .returned(try await perform())
      } catch {
        end = .threw(error)
      }
      // `onEnd` is called first, because the waiting attempt then checks whether the task has
      // ended.
      onEnd()
      self.resolve(end)
    }
    let isCancelled = state.withLock { state in
      state.performing = performing
      return state.cause != nil
    }
    if isCancelled { performing.cancel() }
  }

  /// Waits for the outcome of the task.
  ///
  /// After a cancellation, the outcome is available within 5 s.
  var end: End {
    get async {
      await withCheckedContinuation { continuation in
        let end = state.withLock { state in
          if state.end == nil { state.waiting = continuation }
          return state.end
        }
        if let end { continuation.resume(returning: end) }
      }
    }
  }

  /// Cancels the task.
  ///
  /// Only the first cause is recorded.
  func cancel(for cause: Cause) {
    let isFirst = state.withLock { state in
      guard state.end == nil, state.cause == nil else { return false }
      state.cause = cause
      state.performing?.cancel()
      return true
    }
    guard isFirst else { return }
    Task {
      try? await Task.sleep(for: cause.patience)
      resolve(.abandoned)
    }
  }

  private func resolve(_ end: End) {
    let waiting = state.withLock { state in
      guard state.end == nil else { return CheckedContinuation<End, Never>?.none }
      state.end = end
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: end)
  }
}

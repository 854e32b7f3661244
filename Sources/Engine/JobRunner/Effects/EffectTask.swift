import Synchronization

/// One effect that is being performed, and the ways in which it can end.
///
/// A task cannot be forced to end. If it does not end on request, it is abandoned after a while, and its result is
/// ignored.
final class EffectTask: Sendable {
  /// The end of the task, as the waiting attempt sees it.
  enum End: Sendable {
    case returned(String?)
    case threw(any Error)
    /// It was cancelled and still runs.
    case abandoned
  }

  /// Why it was cancelled.
  enum Cause: Sendable {
    case timeout, stop, lease
    /// A cancellation of its run was requested.
    case request

    /// How long it may still run after the cancellation.
    ///
    /// A stop must be over before the process is killed, and the client that cancelled a run waits for the result.
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

  /// Why it was cancelled; nil if it was not.
  var cause: Cause? { state.withLock { $0.cause } }

  /// Starts to perform the effect.
  ///
  /// - Parameter onEnd: called when it has really ended, abandoned or not.
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
      // This comes first: the attempt that waits for the end then checks whether the task has ended.
      onEnd()
      self.resolve(end)
    }
    let isCancelled = state.withLock { state in
      state.performing = performing
      return state.cause != nil
    }
    if isCancelled { performing.cancel() }
  }

  /// How it ended; available at the latest some seconds after it was cancelled.
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

  /// Requests it to end; only the first cause counts.
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

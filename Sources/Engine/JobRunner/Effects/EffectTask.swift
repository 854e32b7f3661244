import Synchronization

/// One effect that is being performed, and how it may be left.
///
/// A task can only be asked to end. One that does not is given up after a while; what it returns then is nobody's.
final class EffectTask: Sendable {
  /// How it ended for whoever waits.
  enum End: Sendable {
    case returned(String?)
    case threw(any Error)
    /// It was cancelled and goes on all the same.
    case abandoned
  }

  /// Why it was cancelled.
  enum Cause: Sendable {
    case timeout, stop, lease
    /// Somebody cancelled its run.
    case request

    /// How long it may still go on.
    ///
    /// A stop has to be over before whoever stops the process kills it, and somebody waits for what he cancelled.
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

  /// Why it was cancelled; nil: it was not.
  var cause: Cause? { state.withLock { $0.cause } }

  /// Begins to perform.
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
      // First: whoever waits for the end asks whether it has ended.
      onEnd()
      self.resolve(end)
    }
    let isCancelled = state.withLock { state in
      state.performing = performing
      return state.cause != nil
    }
    if isCancelled { performing.cancel() }
  }

  /// How it ended; at the latest some seconds after it was cancelled.
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

  /// Asks it to end; the first cause counts.
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

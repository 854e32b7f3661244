import Synchronization

/// Gives one executor of a worker exclusive use of the process.
///
/// A run that kills its worker can be identified only if nothing else runs in the process. If such
/// a run is alone, its crash does not interrupt other runs either.
final class Solitude: Sendable {
  private struct State {
    /// The number of executors that are claiming or processing runs.
    var inside = 0
    /// Whether one executor has the worker for itself, or waits until all others have left.
    ///
    /// No other executor may enter then.
    var isWanted = false
    var entering: [CheckedContinuation<Void, Never>] = []
    var waiting: (continuation: CheckedContinuation<Bool, Never>, limit: Task<Void, any Error>)?
    /// The time from which an executor may try again to be alone.
    var notBefore = ContinuousClock.now
  }

  private let state = Mutex(State())

  /// Waits until no executor is alone, and then enters.
  ///
  /// The caller must call ``leave()`` afterwards.
  func enter() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        guard !state.isWanted else {
          state.entering.append(continuation)
          return false
        }
        state.inside += 1
        return true
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Counts additional tasks, each of which must call ``leave()``.
  ///
  /// Only an executor that has called ``enter()``, or is alone, may call this method.
  func stay(_ count: Int) { state.withLock { $0.inside += count } }

  /// Records that one executor, or a number of tasks, has finished.
  ///
  /// Call this method for each call of ``enter()`` and for each task of ``stay(_:)``.
  func leave(_ count: Int = 1) {
    answer(true) { state in
      state.inside -= count
      return state.inside == 0
    }
  }

  /// Waits until the caller is alone in the process, and returns whether this succeeded.
  ///
  /// The caller must not have called ``enter()`` before, and must call ``end()`` after success. No
  /// executor enters during the wait. If the other executors take longer than `patience`, the
  /// method returns false, and refuses new tries for ten times as long, so that a job that takes
  /// minutes in one executor does not block the others.
  func begin(within patience: Duration = .seconds(2)) async -> Bool {
    let isFree = state.withLock { state in
      guard !state.isWanted, .now >= state.notBefore else { return false }
      state.isWanted = true
      return true
    }
    guard isFree else { return false }
    let isAlone = await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        guard state.inside > 0 else { return true }
        let limit = Task {
          try await Task.sleep(for: patience)
          answer(false) { _ in true }
        }
        state.waiting = (continuation, limit)
        return false
      }
      if isEmpty { continuation.resume(returning: true) }
    }
    guard !isAlone else { return true }
    state.withLock { $0.notBefore = .now + patience * 10 }
    end()
    return false
  }

  /// Ends the exclusive use, and lets the other executors enter.
  func end() {
    let entering = state.withLock { state in
      state.isWanted = false
      state.inside += state.entering.count
      defer { state.entering = [] }
      return state.entering
    }
    for continuation in entering { continuation.resume() }
  }

  /// Resumes the waiting executor if `condition` returns true.
  ///
  /// One lock covers the check and the change, so that no executor can enter in between.
  private func answer(_ isAlone: Bool, if condition: (inout State) -> Bool) {
    let waiting = state.withLock { state in
      guard condition(&state) else {
        return (continuation: CheckedContinuation<Bool, Never>, limit: Task<Void, any Error>)?.none
      }
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.limit.cancel()
    waiting?.continuation.resume(returning: isAlone)
  }
}

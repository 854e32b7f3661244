import Synchronization

/// Lets one executor of a worker have the process to itself.
///
/// A run that kills its worker can only be identified if nothing else runs in the process. Such a run then also takes
/// no other work with it.
final class Solitude: Sendable {
  private struct State {
    /// Executors that claim or work.
    var inside = 0
    /// Whether an executor is alone or waits to be alone; no other executor may enter then.
    var isWanted = false
    var entering: [CheckedContinuation<Void, Never>] = []
    var waiting: (continuation: CheckedContinuation<Bool, Never>, limit: Task<Void, any Error>)?
    /// When an executor may try again to be alone.
    var notBefore = ContinuousClock.now
  }

  private let state = Mutex(State())

  /// Returns when no executor is alone; the caller must call ``leave()`` afterwards.
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

  /// Counts more work as inside; only an executor that is inside may call it.
  func stay(_ count: Int) { state.withLock { $0.inside += count } }

  /// Call it after ``enter()``.
  func leave() {
    answer(true) { state in
      state.inside -= 1
      return state.inside == 0
    }
  }

  /// Returns whether the caller, which must not be inside, has the process to itself, until ``end()``.
  ///
  /// No executor enters while it waits. If those inside take longer than `patience`, it gives up, and refuses new
  /// tries for ten times as long: otherwise a job that takes minutes in another executor would keep all others
  /// waiting.
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

  /// Lets the other executors in.
  func end() {
    let entering = state.withLock { state in
      state.isWanted = false
      state.inside += state.entering.count
      defer { state.entering = [] }
      return state.entering
    }
    for continuation in entering { continuation.resume() }
  }

  /// Resumes the waiting executor if `condition` holds; under one lock, or an executor could enter in between.
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

import Synchronization

/// Lets one executor of a worker have the process to itself.
///
/// Whether a run is what ends its workers shows only where nothing else in the process could have
/// done it; and a run that does takes nothing with it there.
final class Solitude: Sendable {
  private struct State {
    /// Executors that claim or work.
    var inside = 0
    /// Whether somebody is alone or waits for it: nobody else enters.
    var isWanted = false
    var entering: [CheckedContinuation<Void, Never>] = []
    var waiting: (continuation: CheckedContinuation<Bool, Never>, limit: Task<Void, any Error>)?
    /// When it may be asked for again.
    var notBefore = ContinuousClock.now
  }

  private let state = Mutex(State())

  /// Returns when nobody is alone; ``leave()`` ends it.
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

  /// So many more, of whoever is inside.
  func stay(_ count: Int) { state.withLock { $0.inside += count } }

  /// After ``enter()``.
  func leave() {
    answer(true) { state in
      state.inside -= 1
      return state.inside == 0
    }
  }

  /// Whether the caller, which is not inside, has the process to itself, until ``end()``.
  ///
  /// Nobody enters while it waits. Where those inside take longer it gives up, and is not asked for
  /// in ten times as long: a job of minutes in another executor shall not keep all others waiting.
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

  /// Lets the others in.
  func end() {
    let entering = state.withLock { state in
      state.isWanted = false
      state.inside += state.entering.count
      defer { state.entering = [] }
      return state.entering
    }
    for continuation in entering { continuation.resume() }
  }

  /// Answers whoever waits, if `condition` says so: one look at the state, or an executor could enter between.
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

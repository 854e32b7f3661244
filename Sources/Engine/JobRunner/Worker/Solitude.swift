import Synchronization

/// Gives one executor of a worker exclusive use of the process.
///
/// A run that kills its worker can be identified only if no other run is in progress in the
/// process. If a run is alone in the process, its crash does not interrupt other runs.
final class Solitude: Sendable {
  private struct State {
    /// The number of executors that are claiming or processing runs.
    var inside = 0
    /// Whether one executor uses the process exclusively, or is waiting for exclusive use.
    ///
    /// While the value is true, no other executors may enter.
    var isWanted = false
    var entering: [CheckedContinuation<Void, Never>] = []
    var waiting: (continuation: CheckedContinuation<Bool, Never>, limit: Task<Void, any Error>)?
    /// The earliest time when an executor may request exclusive use again.
    var notBefore = ContinuousClock.now
    /// For each job whose last claim found no run, the earliest time of the next request.
    var pauses: [String: ContinuousClock.Instant] = [:]

    func mayBegin(for job: String) -> Bool {
      let now = ContinuousClock.now
      guard !isWanted, now >= notBefore else { return false }
      return pauses[job].map { now >= $0 } ?? true
    }
  }

  private let state = Mutex(State())

  /// Waits until no executor uses the process exclusively, and then counts the caller as active.
  ///
  /// After its work, the caller must call ``leave()``.
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

  /// Like ``enter()``, but returns false instead of waiting.
  func tryEnter() -> Bool {
    state.withLock { state in
      guard !state.isWanted else { return false }
      state.inside += 1
      return true
    }
  }

  /// Registers additional tasks, each of which must call ``leave()``.
  ///
  /// Only an executor that has called ``enter()``, or that uses the process exclusively, may call
  /// this method.
  func stay(_ count: Int) { state.withLock { $0.inside += count } }

  /// Records that an executor or the given number of tasks has finished.
  ///
  /// Call this method for each call to ``enter()`` and for each task of ``stay(_:)``.
  func leave(_ count: Int = 1) {
    answer(true) { state in
      state.inside -= count
      return state.inside == 0
    }
  }

  /// Waits for exclusive use of the process, and returns whether the caller got it.
  ///
  /// The caller must not have called ``enter()`` before, and must call ``end()`` after success. No
  /// other executors can enter while the method is waiting. If the other executors take longer than
  /// `patience`, the method returns false, and rejects new calls for ten times `patience`. Without
  /// the `patience` limit, a job that takes minutes in one executor would block all other
  /// executors.
  ///
  /// - Parameter job: the name of the job whose run must run alone.
  func begin(for job: String, within patience: Duration = .seconds(2)) async -> Bool {
    let isFree = state.withLock { state in
      guard state.mayBegin(for: job) else { return false }
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

  /// Rejects the requests of a job until the pause has passed.
  ///
  /// Call this method before ``end()`` if a claim of the job found no run. If the job's limits do
  /// not allow the run to start, each poll would otherwise stop all executors of the worker.
  func pause(_ job: String, for pause: Duration = .seconds(1)) {
    state.withLock { $0.pauses[job] = ContinuousClock.now + pause }
  }

  /// Ends the exclusive use of the process, and lets the other executors enter.
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
  /// One lock protects both the check and the state change, so no executor can enter in between.
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

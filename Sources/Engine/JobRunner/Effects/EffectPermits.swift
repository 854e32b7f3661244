import Synchronization

/// The permits for concurrent runs of one job, and the attempts that hold them.
///
/// Only the executor of the job may wait for permits or for the end of the effects.
final class EffectPermits: Sendable {
  private struct State {
    /// The attempts that are being performed or settled.
    var inHand: [ObjectIdentifier: EffectAttempt] = [:]
    /// The attempts whose tasks may still be running although they were abandoned.
    var abandoned: Set<ObjectIdentifier> = []
    var isClosed = false
    var isCancelling = false
    var waiting: CheckedContinuation<Void, Never>?

    /// The number of settled attempts whose effects are still running.
    var lost: Int { abandoned.isEmpty ? 0 : abandoned.count { inHand[$0] == nil } }
  }

  private let count: Int
  private let state = Mutex(State())

  init(_ count: Int) { self.count = count }

  /// Waits until at least one permit is free, and returns how many are free.
  ///
  /// After ``close(isCancelling:)``, the method returns 0.
  func free() async -> Int {
    await wait { [count] state in state.isClosed || count > state.inHand.count + state.lost }
    return state.withLock { $0.isClosed ? 0 : count - $0.inHand.count - $0.lost }
  }

  /// Waits until all effects except the abandoned ones have ended.
  func allEnded() async { await wait { $0.inHand.isEmpty } }

  /// Whether abandoned effects occupy all permits.
  var areLost: Bool { state.withLock { $0.lost == count } }

  /// Whether at least one permit is occupied by an attempt, or by an abandoned effect that is still
  /// running.
  var areInUse: Bool { state.withLock { !$0.inHand.isEmpty || $0.lost > 0 } }

  /// The attempts that are being performed or settled.
  var inHand: [EffectAttempt] { state.withLock { Array($0.inHand.values) } }

  /// Assigns permits to new attempts, and returns whether the attempts must be cancelled.
  func take(_ attempts: [EffectAttempt]) -> Bool {
    state.withLock { state in
      for attempt in attempts { state.inHand[ObjectIdentifier(attempt)] = attempt }
      return state.isCancelling
    }
  }

  /// Releases the permits of settled attempts.
  ///
  /// If an effect is still running, its permit stays occupied until it ends.
  func end(_ attempts: [EffectAttempt]) {
    change { state in
      for attempt in attempts { state.inHand[ObjectIdentifier(attempt)] = nil }
    }
  }

  /// Records that the task of an attempt is about to be abandoned.
  func mayBeAbandoned(_ attempt: EffectAttempt) {
    state.withLock { _ = $0.abandoned.insert(ObjectIdentifier(attempt)) }
  }

  /// Records that the task of an attempt has ended, after ``mayBeAbandoned(_:)`` was called.
  func isOver(_ attempt: EffectAttempt) {
    change { $0.abandoned.remove(ObjectIdentifier(attempt)) }
  }

  /// Stops handing out permits.
  ///
  /// If `isCancelling` is true, all attempts are cancelled.
  func close(isCancelling: Bool = false) {
    change { state in
      state.isClosed = true
      state.isCancelling = state.isCancelling || isCancelling
    }
    guard isCancelling else { return }
    for attempt in inHand { attempt.cancel() }
  }

  private func change(_ body: (inout State) -> Void) {
    let waiting = state.withLock { state in
      body(&state)
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  /// Waits until the condition is true.
  ///
  /// The method rechecks the condition under the lock before the wait begins, so no changes are
  /// missed.
  private func wait(until condition: @Sendable (State) -> Bool) async {
    while !state.withLock({ condition($0) }) {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard !condition(state) else { return true }
          state.waiting = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    }
  }
}

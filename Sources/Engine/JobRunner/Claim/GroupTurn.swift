import Synchronization

/// Selects the group of a job for a worker's next claim of held-back runs.
///
/// A run is held back if its group has reached a limit.
///
/// A claim starts with the group that follows the last claimed run's group, so all groups take
/// turns. The last claimed run's group is stored only in memory, so a restarted worker begins with
/// the first group.
final class GroupTurn: Sendable {
  private struct State {
    var group = ""
    var isHeldFirst = false
  }

  private let state = Mutex(State())

  /// Returns the group after which the next claim starts, and whether the claim prefers held-back
  /// runs.
  ///
  /// Every second claim selects held-back runs before the runs at the front of the queue. If every
  /// claim preferred held-back runs, claims limited to one run would never select runs at the front
  /// of the queue.
  ///
  /// Every tenth claim selects the oldest runs, and does not change the preference of later claims.
  /// Because ten is an even number, all these claims would otherwise have the same preference.
  ///
  /// - Parameter isByAge: whether the claim selects the oldest runs.
  func next(isByAge: Bool) -> (group: String, isHeldFirst: Bool) {
    state.withLock { state in
      guard !isByAge else { return (state.group, !state.isHeldFirst) }
      state.isHeldFirst.toggle()
      return (state.group, state.isHeldFirst)
    }
  }

  /// Stores the group of the last held-back run that was claimed.
  func end(at group: String) {
    state.withLock { $0.group = group }
  }
}

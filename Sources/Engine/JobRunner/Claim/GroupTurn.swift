import Synchronization

/// The order in which a worker takes turns between the groups of one job that hold runs back.
///
/// A claim continues after the group of the last claimed run, so no group waits for more than one
/// round. The turn is only in memory, so a restarted worker begins with the first group. Losing the
/// turn changes only the order of claims.
final class GroupTurn: Sendable {
  private struct State {
    var group = ""
    var isHeldFirst = false
  }

  private let state = Mutex(State())

  /// Returns the group after which the next claim continues, and which place the claim prefers.
  ///
  /// Every other claim prefers held runs over the runs at the front of the queue. A claim of a
  /// single run could otherwise never reach one of the two places.
  func next() -> (group: String, isHeldFirst: Bool) {
    state.withLock { state in
      state.isHeldFirst.toggle()
      return (state.group, state.isHeldFirst)
    }
  }

  /// Stores the group of the last held run that was claimed.
  func end(at group: String) {
    state.withLock { $0.group = group }
  }
}

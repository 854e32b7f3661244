import Synchronization

/// Determines from which group of a job a worker next claims runs that a limit held back.
///
/// A claim starts with the group that follows the group of the last claimed run, so all groups take
/// turns. The group of the last claimed run is stored only in memory, so a restarted worker begins
/// with the first group.
final class GroupTurn: Sendable {
  private struct State {
    var group = ""
    var isHeldFirst = false
  }

  private let state = Mutex(State())

  /// Returns the group after which the next claim starts, and whether the claim prefers held-back
  /// runs.
  ///
  /// Every second claim prefers runs that a limit held back over runs at the front of the queue.
  /// Without this alternation, claims with a limit of one run would never claim runs at the front
  /// of the queue.
  func next() -> (group: String, isHeldFirst: Bool) {
    state.withLock { state in
      state.isHeldFirst.toggle()
      return (state.group, state.isHeldFirst)
    }
  }

  /// Stores the group of the last claimed run that a limit had held back.
  func end(at group: String) {
    state.withLock { $0.group = group }
  }
}

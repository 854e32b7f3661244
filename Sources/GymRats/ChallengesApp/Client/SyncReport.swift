public import Challenges

/// The result of one pass over a queue.
public struct SyncReport: Hashable, Sendable {
  /// The reason why a change was removed from the queue.
  public enum End: Hashable, Sendable {
    /// The server responded, or the user does not share workouts.
    case outcome(WorkoutOutcome)
    /// The server will never accept the change.
    case refused(DomainError)
    /// The change failed too often for unknown reasons.
    case gaveUp
  }

  /// A change that was removed from the queue.
  public struct Finished: Hashable, Sendable {
    /// The removed change.
    public let change: PendingChange
    /// The reason for the removal.
    public let end: End
  }

  /// The reason why a pass ended before all changes were tried.
  public enum Stop: Hashable, Sendable {
    /// The server could not be reached or was too busy.
    case networkUnavailable
    /// No user or another user is signed in.
    case signInNeeded
    /// The task was cancelled.
    case cancelled
    /// Another pass is running and sends the pending changes.
    case alreadyRunning
  }

  /// The changes that were removed from the queue, in order.
  public internal(set) var finished: [Finished] = []
  /// The reason why changes are left, or nil if every change was tried.
  public internal(set) var stop: Stop?
  /// The number of changes that are left in the queue.
  public internal(set) var remaining = 0
  /// The time until the next attempt.
  ///
  /// The value is nil if no changes are left or if the user has to sign in first.
  public internal(set) var nextAttempt: Duration?
  /// The error that prevented the queue from writing its file.
  ///
  /// After such an error, the next process may send the removed changes again.
  public internal(set) var storageFailure: String?

  init() {}
}

/// The reason why a change was not added to a queue.
public enum PendingSyncError: Error, Hashable, Sendable {
  /// The queue has reached its capacity.
  ///
  /// A queue never drops a pending change in favor of a new one.
  case full(limit: Int)
  /// No server would accept the change.
  ///
  /// The id is invalid, the revision is below 0, or the workout has no instant.
  case invalid
  /// The queue already contains a change of this workout with the same or a higher revision.
  case revisionTaken
  /// Another queue of this or another process has opened the file.
  case inUse
  /// The queue was closed.
  case closed
}

/// A file that could not be read and was renamed.
public struct UnreadableFile: Hashable, Sendable {
  /// The new path of the file.
  public let path: String
  /// The reason why the file could not be read.
  public let reason: String
}

public import Challenges

/// The result of one attempt to send the changes in a queue.
public struct SyncReport: Hashable, Sendable {
  /// The reason why a change was removed from the queue.
  public enum End: Hashable, Sendable {
    /// The server responded with the given outcome, or the user does not share workouts.
    case outcome(WorkoutOutcome)
    /// The server will never accept the change.
    case refused(DomainError)
    /// The maximum number of failed attempts was reached.
    case gaveUp
  }

  /// A change that was removed from the queue.
  public struct Finished: Hashable, Sendable {
    /// The removed change.
    public let change: PendingChange
    /// The reason for the removal.
    public let end: End
  }

  /// The reason why a call to `processQueue` ended before all changes were tried.
  public enum Stop: Hashable, Sendable {
    /// The server could not be reached or was too busy.
    case networkUnavailable
    /// No user is signed in, or another user is signed in.
    case signInNeeded
    /// The task was cancelled.
    case cancelled
    /// Another call is already sending the pending changes.
    case alreadyRunning
  }

  /// The changes that were removed from the queue, in the order of removal.
  public internal(set) var finished: [Finished] = []
  /// The reason why the call to `processQueue` ended early, or nil if every change was tried.
  public internal(set) var stop: Stop?
  /// The number of changes left in the queue.
  public internal(set) var remaining = 0
  /// The time until the next attempt.
  ///
  /// The time is nil if no changes are left or if the user has to sign in before the next attempt.
  public internal(set) var nextAttempt: Duration?
  /// The error that prevented the queue from writing its file, or nil if the file was written.
  ///
  /// If writing the file failed, the next process may resend changes that were removed from the
  /// queue.
  public internal(set) var storageFailure: String?

  init() {}
}

/// The reason why a change was not added to a queue.
public enum PendingSyncError: Error, Hashable, Sendable {
  /// The queue has reached its capacity.
  ///
  /// A full queue rejects new changes but does not discard pending ones.
  case full(limit: Int)
  /// The server would not accept the change.
  ///
  /// A change is invalid if the id is invalid, if the revision is below 0, or if the workout has no
  /// time.
  case invalid
  /// The queue already contains a change to this workout with the same or a higher revision.
  case revisionTaken
  /// The file is already open in another queue, in this or another process.
  case inUse
  /// The queue was closed.
  case closed
}

/// A file that could not be read and was renamed.
public struct UnreadableFile: Hashable, Sendable {
  /// The file's new path.
  public let path: String
  /// The reason why the file could not be read.
  public let reason: String
}

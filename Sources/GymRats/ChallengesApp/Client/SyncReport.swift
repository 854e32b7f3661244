public import Challenges

/// The result of one pass over a queue.
public struct SyncReport: Hashable, Sendable {
  /// How a change left the queue.
  public enum End: Hashable, Sendable {
    /// The server answered, or the user shares nothing.
    case outcome(WorkoutOutcome)
    /// The server will never take it.
    case refused(DomainError)
    /// It failed too often for unknown reasons.
    case gaveUp
  }

  /// A change that is in the queue no more.
  public struct Finished: Hashable, Sendable {
    /// The change.
    public let change: PendingChange
    /// What became of it.
    public let end: End
  }

  /// Why a pass ended before the queue's end.
  public enum Stop: Hashable, Sendable {
    /// The server was not reached, or too busy.
    case networkUnavailable
    /// No user is signed in, or another one.
    case signInNeeded
    /// The task was cancelled.
    case cancelled
    /// Another pass is running; it sends what is pending.
    case alreadyRunning
  }

  /// What left the queue, in order.
  public internal(set) var finished: [Finished] = []
  /// Why there is more in it; nil: every change was tried.
  public internal(set) var stop: Stop?
  /// How many are left.
  public internal(set) var remaining = 0
  /// When to try again; nil: nothing is left, or the user has to sign in first.
  public internal(set) var nextAttempt: Duration?
  /// Why what left the queue may be sent again by the next process: the file could not be written.
  public internal(set) var storageFailure: String?

  init() {}
}

/// Why a change was not put into a queue.
public enum PendingSyncError: Error, Hashable, Sendable {
  /// The queue holds as much as it may; nothing in it is dropped for something new.
  case full(limit: Int)
  /// No server would take it: an id that is none, a revision below 0, a workout without an instant.
  case invalid
  /// Another change of this workout, with this revision or a higher one, is in the queue.
  case revisionTaken
  /// Another queue, of this process or another one, has the file.
  case inUse
  /// The queue was closed.
  case closed
}

/// A file that could not be read, and its new path.
public struct UnreadableFile: Hashable, Sendable {
  /// Its new path.
  public let path: String
  /// What is wrong with it.
  public let reason: String
}

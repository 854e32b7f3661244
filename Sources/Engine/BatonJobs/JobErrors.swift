public import Foundation

/// An error that no retry can fix.
///
/// A run that throws ``Permanent`` dies immediately.
///
/// ```swift
/// throw Permanent("the address has no country")
/// ```
public struct Permanent: Error, CustomStringConvertible {
  /// The error text, which is stored with the dead run.
  public let description: String

  /// Creates a permanent error.
  public init(_ description: String) { self.description = description }
}

/// An error that rolls back and postpones the whole batch without using up an attempt.
///
/// The reason for the snooze appears in each run's details.
///
/// ```swift
/// throw Snooze(
///   for: .seconds(300), reason: "the service is in maintenance",
///   until: run.firstEventAt + 86_400)
/// ```
public struct Snooze: Error, CustomStringConvertible {
  /// The time from now until the batch is due again.
  public let wait: Duration
  /// The reason, which is stored with each run.
  public let reason: String?
  /// The time after which a snooze counts like any other error, or nil for no limit.
  ///
  /// A snooze's wait ends at `until` at the latest.
  public let until: Date?

  /// Creates the error.
  ///
  /// A wait below zero counts as zero, and a wait of more than ten years as ten years.
  public init(for wait: Duration, reason: String? = nil, until: Date? = nil) {
    self.wait = max(.zero, min(wait, .longestWait))
    self.reason = reason
    self.until = until
  }

  /// The reason, or `snoozed` if no reason was given.
  public var description: String { reason ?? "snoozed" }

  /// Returns the wait that begins now, or nil if `until` has passed.
  package func wait(from now: Date) -> Duration? {
    guard let until else { return wait }
    let left = until.timeIntervalSince(now)
    guard left > 0 else { return nil }
    return min(wait, .seconds(min(left, Duration.longestWait / .seconds(1))))
  }
}

/// An error that sets the wait before the next attempt.
///
/// An attempt that throws `RetryAfter` counts, unlike an attempt that throws ``Snooze``. If the
/// last attempt throws `RetryAfter`, the run dies. If a batch throws `RetryAfter`, the whole batch
/// is due again after the wait. If the attempt is a run's last one and the batch has several runs,
/// the batch is split, so that no other runs die.
///
/// ```swift
/// throw RetryAfter(.seconds(30), "the service answers 429")
/// ```
public struct RetryAfter: Error, CustomStringConvertible {
  /// The time from now until the next attempt.
  public let wait: Duration
  /// The error text, which is stored with the run.
  public let description: String

  /// Creates the error.
  ///
  /// A wait below zero counts as zero, and a wait of more than ten years as ten years.
  public init(_ wait: Duration, _ description: String = "asked for another attempt") {
    self.wait = max(.zero, min(wait, .longestWait))
    self.description = description
  }
}

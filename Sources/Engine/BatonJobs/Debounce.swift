/// How the events of one key are merged into one run: debounce, throttle or neither.
///
/// - Debounce (trailing edge): with `perKey(quiet:atMost:)`, a run is due at
///   `least(last event + quiet, first event + atMost)`. Without `atMost`, the run for a key with
///   continuous events would never start.
/// - Throttle (leading edge): with `perKey(every:)`, a key's first event creates a run that is due
///   immediately, unless the key had a run within the interval.
///
/// ```swift
/// debounce: .perKey(quiet: .seconds(2), atMost: .seconds(30))
/// ```
public struct Debounce: Sendable, Hashable {
  /// The time that must pass without new events for a key before the key's run is due.
  public let quiet: Duration
  /// The maximum time between a key's first event and the due time of the key's run.
  public let atMost: Duration
  /// The minimum time between two runs of one key for a throttle, or nil for a debounce.
  public let every: Duration?

  /// Returns a debounce: a key's run is due `quiet` after the key's last event, but at most
  /// `atMost` after the first event.
  public static func perKey(quiet: Duration, atMost: Duration) -> Debounce {
    precondition(quiet >= .zero && atMost >= quiet, "at most is not shorter than quiet")
    precondition(atMost <= .longestWait, "a debounce waits for ten years at most")
    return Debounce(quiet: quiet, atMost: atMost, every: nil)
  }

  /// Returns a throttle: each key has at most one run per interval.
  ///
  /// The first event's run is due immediately. All later events within the interval share one run,
  /// which is due at the end of the interval.
  public static func perKey(every: Duration) -> Debounce {
    precondition(
      (.milliseconds(1) ... .longestWait).contains(every),
      "the time between two runs is a millisecond to ten years")
    return Debounce(quiet: .zero, atMost: .zero, every: every)
  }

  /// No debounce and no throttle: a run is due as soon as its first event is dispatched.
  public static let none = Debounce(quiet: .zero, atMost: .zero, every: nil)
}

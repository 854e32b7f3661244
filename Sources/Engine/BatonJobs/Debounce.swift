/// How the events of one key become one run.
///
/// One kind waits for silence, but not for ever: a run is due at `least(last event + quiet, first event +
/// atMost)`. The second clock is what keeps a key that is written without pause from never having a run. The
/// other has a leading edge: a key that was quiet has its run at once.
public struct Debounce: Sendable, Hashable {
  /// How long no further event must have come.
  public let quiet: Duration
  /// The longest wait since the first event.
  public let atMost: Duration
  /// With a leading edge: how far runs of one key lie apart, at least; nil without one.
  public let every: Duration?

  /// One run for each key, after `quiet` without an event, `atMost` after the first.
  public static func perKey(quiet: Duration, atMost: Duration) -> Debounce {
    precondition(quiet >= .zero && atMost >= quiet, "at most is no shorter than quiet")
    return Debounce(quiet: quiet, atMost: atMost, every: nil)
  }

  /// One run for each key in this time: the first event's at once, one of all later events at its end.
  public static func perKey(every: Duration) -> Debounce {
    precondition(every >= .milliseconds(1), "the time between two runs is a millisecond at least")
    return Debounce(quiet: .zero, atMost: .zero, every: every)
  }

  /// A run is due as soon as its first event is folded.
  public static let none = Debounce(quiet: .zero, atMost: .zero, every: nil)
}

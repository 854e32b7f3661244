/// How the events of one key become one run: it waits for silence, but not for ever.
///
/// A run is due at `least(last event + quiet, first event + atMost)`. The second clock is what
/// keeps a key that is written without pause from never having a run.
public struct Debounce: Sendable, Hashable {
  /// How long no further event must have come.
  public let quiet: Duration
  /// The longest wait since the first event.
  public let atMost: Duration

  /// One run for each key, after `quiet` without an event, `atMost` after the first.
  public static func perKey(quiet: Duration, atMost: Duration) -> Debounce {
    precondition(quiet >= .zero && atMost >= quiet, "at most is no shorter than quiet")
    return Debounce(quiet: quiet, atMost: atMost)
  }

  /// A run is due as soon as its first event is folded.
  public static let none = Debounce(quiet: .zero, atMost: .zero)
}

/// How many attempts a run has, and how long it waits between them.
///
/// ```swift
/// retry: .attempts(5, exponentialFrom: .seconds(1), to: .seconds(60))
/// ```
public struct Retry: Sendable, Hashable {
  /// The number of attempts, including the first.
  public let attempts: Int
  /// The wait after the first attempt; it doubles with each further attempt.
  public let first: Duration
  /// The longest wait.
  public let longest: Duration

  /// At most `attempts` attempts, with waits that double from `first` up to `longest`.
  public static func attempts(
    _ attempts: Int, exponentialFrom first: Duration, to longest: Duration
  ) -> Retry {
    precondition(attempts > 0 && first >= .zero && longest >= first, "a retry that can be followed")
    return Retry(attempts: attempts, first: first, longest: longest)
  }

  /// 25 attempts, with waits that double from one second to six hours: about two days.
  public static let usual = attempts(25, exponentialFrom: .seconds(1), to: .seconds(6 * 3_600))

  /// Returns a retry that spans the same time with waits of at most `longest`, so it has more attempts.
  ///
  /// For jobs that derive data: a new event does not shorten the wait of a run that failed.
  /// `.usual.capped(at: .seconds(60))` also tries for about two days, but the derived data is correct at most a
  /// minute after the cause is removed. Transient errors of the server are always retried like this.
  ///
  /// ```swift
  /// static let definition = Definition<Self>(
  ///   "count-orders", on: [.table("order_line", on: .insert, key: "product")],
  ///   retry: .usual.capped(at: .seconds(60)))
  /// ```
  /// - Parameter longest: the longest wait, more than zero.
  public func capped(at longest: Duration) -> Retry {
    precondition(longest > .zero, "a retry that can be followed")
    guard longest < self.longest else { return self }
    let capped = Retry(attempts: attempts, first: min(first, longest), longest: longest)
    // Computed in seconds: with a very large number of attempts a product of Durations would trap.
    var rest = seconds(of: attempts - 1)
    var waits = 0
    while rest > 0, waits < Self.mostDoublings {
      waits += 1
      rest -= capped.seconds(after: waits)
    }
    let more = (max(rest, 0) / (longest / .seconds(1))).rounded(.up)
    return Retry(
      attempts: max(attempts, 1 + waits + Int(min(more, 1e15))), first: capped.first,
      longest: longest)
  }

  /// The wait doubles this many times at most; later waits are equally long.
  private static let mostDoublings = 41

  /// The total length of the first waits, without jitter.
  private func seconds(of waits: Int) -> Double {
    let doubling = min(waits, Self.mostDoublings)
    let rest = Double(waits - doubling) * seconds(after: Self.mostDoublings)
    return (0..<doubling).reduce(rest) { $0 + seconds(after: $1 + 1) }
  }

  /// The length of one wait, without jitter.
  private func seconds(after attempt: Int) -> Double {
    wait(after: attempt, jitter: 1) / .seconds(1)
  }

  /// The wait after a failed attempt.
  ///
  /// It is `min(longest, first * 2^(attempt - 1))`, minus a random part of up to one half. The random part spreads
  /// the retries of runs that failed at the same time.
  ///
  /// - Parameters:
  ///   - attempt: the number of the attempt that failed, from 1.
  ///   - jitter: a random number from 0 to 1.
  public func wait(after attempt: Int, jitter: Double) -> Duration {
    let doublings = min(max(attempt, 1), Self.mostDoublings) - 1
    // Compared in seconds, because a product of Durations traps if it is too large.
    let isLongest = first / .seconds(1) * Double(1 << doublings) >= longest / .seconds(1)
    let full = isLongest ? longest : first * (1 << doublings)
    return full / 2 + full / 2 * jitter
  }
}

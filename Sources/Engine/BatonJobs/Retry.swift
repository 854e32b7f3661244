/// The number of attempts of a run, and the waits between them.
///
/// ```swift
/// retry: .attempts(5, exponentialFrom: .seconds(1), to: .seconds(60))
/// ```
public struct Retry: Sendable, Hashable {
  /// The number of attempts, including the first attempt.
  public let attempts: Int
  /// The wait after the first attempt, which doubles with each further attempt.
  public let first: Duration
  /// The longest wait between two attempts.
  public let longest: Duration

  /// Returns a retry of at most `attempts` attempts, with waits that double from `first` up to
  /// `longest`.
  public static func attempts(
    _ attempts: Int, exponentialFrom first: Duration, to longest: Duration
  ) -> Retry {
    precondition(attempts > 0 && first >= .zero && longest >= first, "a retry that can be followed")
    precondition(
      attempts <= mostAttempts && longest <= .longestWait,
      "a retry has a billion attempts and waits of ten years at most")
    return Retry(attempts: attempts, first: first, longest: longest)
  }

  /// A retry of 25 attempts over about two days, with waits that double from one second to six
  /// hours.
  public static let usual = attempts(25, exponentialFrom: .seconds(1), to: .seconds(6 * 3_600))

  /// Returns a retry over the same total time, with more attempts and waits of at most `longest`.
  ///
  /// Use this method for jobs that derive data, because a new event does not shorten the wait of a
  /// failed run. `.usual.capped(at: .seconds(60))` also retries for about two days. The derived
  /// data is correct at most one minute after the cause of the failure is removed. Transient errors
  /// of the server are always retried with waits of at most one minute.
  ///
  /// ```swift
  /// static let definition = Definition<Self>(
  ///   "count-orders", on: [.table("order_line", on: .insert, key: "product")],
  ///   retry: .usual.capped(at: .seconds(60)))
  /// ```
  /// - Parameter longest: the longest wait, which must be more than zero.
  public func capped(at longest: Duration) -> Retry {
    precondition(longest > .zero, "a retry that can be followed")
    guard longest < self.longest else { return self }
    let capped = Retry(attempts: attempts, first: min(first, longest), longest: longest)
    // The sum is in seconds, because a product of Durations traps if the number of attempts is very
    // large.
    var rest = seconds(of: attempts - 1)
    var waits = 0
    while rest > 0, waits < Self.mostDoublings {
      waits += 1
      rest -= capped.seconds(after: waits)
    }
    let more = (max(rest, 0) / (longest / .seconds(1))).rounded(.up)
    return Retry(
      attempts: min(Self.mostAttempts, max(attempts, 1 + waits + Int(min(more, 1e15)))),
      first: capped.first,
      longest: longest)
  }

  /// The maximum number of attempts, which a column of the database can hold.
  private static let mostAttempts = 1_000_000_000

  /// The maximum number of times that the wait doubles, after which all waits are equally long.
  private static let mostDoublings = 41

  /// Returns the total length of the first waits, without jitter.
  private func seconds(of waits: Int) -> Double {
    let doubling = min(waits, Self.mostDoublings)
    let rest = Double(waits - doubling) * seconds(after: Self.mostDoublings)
    return (0..<doubling).reduce(rest) { $0 + seconds(after: $1 + 1) }
  }

  /// Returns the length of one wait, without jitter.
  private func seconds(after attempt: Int) -> Double {
    wait(after: attempt, jitter: 1) / .seconds(1)
  }

  /// Returns the wait after a failed attempt.
  ///
  /// The wait is `min(longest, first * 2^(attempt - 1))`, minus a random part of up to one half.
  /// The random part spreads the retries of runs that failed at the same time.
  ///
  /// - Parameters:
  ///   - attempt: the number of the attempt that failed, counted from 1.
  ///   - jitter: a random number from 0 to 1.
  public func wait(after attempt: Int, jitter: Double) -> Duration {
    let doublings = min(max(attempt, 1), Self.mostDoublings) - 1
    // The comparison is in seconds, because a product of Durations traps if it is too large.
    let isLongest = first / .seconds(1) * Double(1 << doublings) >= longest / .seconds(1)
    let full = isLongest ? longest : first * (1 << doublings)
    return full / 2 + full / 2 * jitter
  }
}

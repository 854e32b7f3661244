/// A run's number of attempts, and the waits between them.
///
/// ```swift
/// retry: .attempts(5, exponentialFrom: .seconds(1), to: .seconds(60))
/// ```
public struct Retry: Sendable, Hashable {
  /// The maximum number of attempts, including the first attempt.
  public let attempts: Int
  /// The wait after the first attempt, which doubles with each additional attempt.
  public let first: Duration
  /// The maximum wait between two attempts.
  public let longest: Duration
  /// The function that returns the waits, or nil if the waits double.
  private let function: WaitFunction?

  private init(
    attempts: Int, first: Duration, longest: Duration, function: WaitFunction? = nil
  ) {
    self.attempts = attempts
    self.first = first
    self.longest = longest
    self.function = function
  }

  /// Returns a retry policy with at most `attempts` attempts, with waits that double from `first`
  /// up to `longest`.
  public static func attempts(
    _ attempts: Int, exponentialFrom first: Duration, to longest: Duration
  ) -> Retry {
    precondition(attempts > 0 && first >= .zero && longest >= first, "a retry that can be followed")
    precondition(
      attempts <= mostAttempts && longest <= .longestWait,
      "a retry has a billion attempts and waits of ten years at most")
    return Retry(attempts: attempts, first: first, longest: longest)
  }

  /// Returns a retry policy with at most `attempts` attempts, with waits that a function returns.
  ///
  /// ```swift
  /// retry: .attempts(10) { error, attempt in
  ///   (error as? HTTPError)?.status == 410 ? nil : .seconds(10 * attempt)
  /// }
  /// ```
  /// - Parameter wait: returns the wait after a failed attempt, or nil to let the run die. The
  ///   function gets the error and the attempt number. The first attempt is number 1. The runner
  ///   shortens a wait of more than ten years.
  public static func attempts(
    _ attempts: Int,
    wait: @escaping @Sendable (_ error: any Error, _ attempt: Int) -> Duration?
  ) -> Retry {
    precondition(
      (1...mostAttempts).contains(attempts), "a retry has one to a billion attempts")
    return Retry(
      attempts: attempts, first: .zero, longest: .longestWait, function: WaitFunction(wait))
  }

  /// Whether a function in the job determines the waits.
  package var isFunction: Bool { function != nil }

  /// The default retry policy: 25 attempts over about two days, with waits that double from one
  /// second to six hours.
  public static let usual = attempts(25, exponentialFrom: .seconds(1), to: .seconds(6 * 3_600))

  /// Returns a retry policy with the same total time as this policy, but with more attempts and
  /// with waits of at most `longest`.
  ///
  /// If a function in the job determines the waits, the new policy has the same number of attempts
  /// as this policy.
  ///
  /// Use this method for jobs that compute derived data. A new event does not shorten the wait of a
  /// failed run, so derived data could stay outdated for hours. `.usual.capped(at: .seconds(60))`
  /// retries for about two days, like `.usual`. With a cap of one minute, the derived data is
  /// correct again within one minute after the cause of the failure is removed. Transient errors of
  /// the server are always retried with waits of at most one minute.
  ///
  /// ```swift
  /// static let definition = Definition<Self>(
  ///   "count-orders", on: [.table("order_line", on: .insert, key: "product")],
  ///   retry: .usual.capped(at: .seconds(60)))
  /// ```
  /// - Parameter longest: the maximum wait, which must be greater than zero.
  public func capped(at longest: Duration) -> Retry {
    precondition(longest > .zero, "a retry that can be followed")
    guard longest < self.longest else { return self }
    guard function == nil else {
      return Retry(attempts: attempts, first: .zero, longest: longest, function: function)
    }
    let capped = Retry(attempts: attempts, first: min(first, longest), longest: longest)
    // The total wait is computed in seconds, because a product of Durations traps if the number of
    // attempts is very large.
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

  /// The largest number of attempts that a policy may have.
  ///
  /// The number fits into the database column.
  private static let mostAttempts = 1_000_000_000

  /// The maximum number of doublings of the wait.
  ///
  /// After this number of doublings, all waits are equally long.
  private static let mostDoublings = 41

  /// Returns the total duration of the first `waits` waits, without jitter.
  private func seconds(of waits: Int) -> Double {
    let doubling = min(waits, Self.mostDoublings)
    let rest = Double(waits - doubling) * seconds(after: Self.mostDoublings)
    return (0..<doubling).reduce(rest) { $0 + seconds(after: $1 + 1) }
  }

  /// Returns the wait after an attempt in seconds, without jitter.
  private func seconds(after attempt: Int) -> Double {
    wait(after: attempt, jitter: 1) / .seconds(1)
  }

  /// Returns the wait after a failed attempt, or nil if the job's function returns nil.
  ///
  /// - Parameters:
  ///   - attempt: the number of the failed attempt, counted from 1.
  ///   - error: the error that the attempt threw.
  ///   - jitter: a random number from 0 to 1. If a function determines the waits, the random number
  ///     is ignored.
  package func wait(after attempt: Int, of error: any Error, jitter: Double) -> Duration? {
    guard let function else { return wait(after: attempt, jitter: jitter) }
    return function.wait(error, attempt).map { max(.zero, min($0, longest)) }
  }

  /// Returns the wait after a failed attempt, for a policy whose wait doubles with each attempt.
  ///
  /// The wait is `min(longest, first * 2^(attempt - 1))`, minus a random part of up to one half.
  /// The random part spreads the retries of runs that failed at the same time.
  ///
  /// - Parameters:
  ///   - attempt: the number of the failed attempt, counted from 1.
  ///   - jitter: a random number from 0 to 1.
  public func wait(after attempt: Int, jitter: Double) -> Duration {
    let doublings = min(max(attempt, 1), Self.mostDoublings) - 1
    // The waits are compared in seconds, because a product of Durations traps if the product is too
    // large.
    let isLongest = first / .seconds(1) * Double(1 << doublings) >= longest / .seconds(1)
    let full = isLongest ? longest : first * (1 << doublings)
    return full / 2 + full / 2 * jitter
  }
}

/// A function that returns the waits for a retry policy.
///
/// Two retry policies with functions are equal only if they have the same function.
private final class WaitFunction: Sendable, Hashable {
  let wait: @Sendable (any Error, Int) -> Duration?

  init(_ wait: @escaping @Sendable (any Error, Int) -> Duration?) { self.wait = wait }

  static func == (left: WaitFunction, right: WaitFunction) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

public import Foundation

/// How fast a user may write to a group: five messages at once, and one more each two seconds.
///
/// The same bucket of tokens as the server's, so that a phone can say no before it asks. Kept as the instant at
/// which the bucket is full again, which no rounding of parts of tokens adds up in.
public struct RateLimiter: Hashable, Sendable {
  /// How many tokens a full bucket has.
  public static let burst = 5
  /// The seconds in which a token comes back.
  public static let secondsAToken = 2

  private var fullAt: Date?

  /// A full bucket.
  public init() {}

  /// How many messages could be sent at once.
  public func tokens(at now: Date) -> Int {
    (Self.burst * Self.microsecondsAToken - missing(at: now)) / Self.microsecondsAToken
  }

  /// How long until there is a token; 0 where there is one.
  public func pause(at now: Date) -> Duration {
    .microseconds(max(0, missing(at: now) - (Self.burst - 1) * Self.microsecondsAToken))
  }

  /// Takes a token.
  ///
  /// - Throws: `rateLimited` where there is none; asking costs nothing.
  public mutating func take(at now: Date) throws(AppError) {
    let pause = pause(at: now)
    guard pause == .zero else { throw .rateLimited(retryAfter: pause) }
    let missing = missing(at: now) + Self.microsecondsAToken
    fullAt = now.addingTimeInterval(TimeInterval(missing) / 1_000_000)
  }

  /// Of two buckets that become one, the one that is full again later.
  package func emptier(_ other: RateLimiter) -> RateLimiter {
    (fullAt ?? .distantPast) >= (other.fullAt ?? .distantPast) ? self : other
  }

  private static let microsecondsAToken = secondsAToken * 1_000_000

  /// The microseconds until the bucket is full.
  ///
  /// Never more than an empty one needs: a clock that was put back makes nobody wait for it.
  private func missing(at now: Date) -> Int {
    guard let fullAt else { return 0 }
    let microseconds = (fullAt.timeIntervalSince(now) * 1_000_000).rounded()
    return Int(min(max(0, microseconds), Double(Self.burst * Self.microsecondsAToken)))
  }
}

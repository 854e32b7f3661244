public import Foundation

/// How fast a user may write to a group: five messages at once, and one more each two seconds.
///
/// The server uses the same token bucket, so that a phone can refuse a message before it calls the server. The bucket
/// is stored as the instant at which it is full again, so that rounding errors of parts of tokens cannot add up.
public struct RateLimiter: Hashable, Sendable {
  /// How many tokens a full bucket has.
  public static let burst = 5
  /// The seconds in which a token is added.
  public static let secondsAToken = 2

  private var fullAt: Date?

  /// A full bucket.
  public init() {}

  /// How many messages could be sent at once.
  public func tokens(at now: Date) -> Int {
    (Self.burst * Self.microsecondsAToken - missing(at: now)) / Self.microsecondsAToken
  }

  /// How long until there is a token; 0 if there is one.
  public func pause(at now: Date) -> Duration {
    .microseconds(max(0, missing(at: now) - (Self.burst - 1) * Self.microsecondsAToken))
  }

  /// Takes a token.
  ///
  /// - Throws: `rateLimited` if there is none; a refused call costs nothing.
  public mutating func take(at now: Date) throws(AppError) {
    let pause = pause(at: now)
    guard pause == .zero else { throw .rateLimited(retryAfter: pause) }
    let missing = missing(at: now) + Self.microsecondsAToken
    fullAt = now.addingTimeInterval(TimeInterval(missing) / 1_000_000)
  }

  /// Merges two buckets: the one that is full again later.
  package func emptier(_ other: RateLimiter) -> RateLimiter {
    (fullAt ?? .distantPast) >= (other.fullAt ?? .distantPast) ? self : other
  }

  private static let microsecondsAToken = secondsAToken * 1_000_000

  /// The microseconds until the bucket is full.
  ///
  /// Never more than an empty one needs: after a clock was put back, the user need not wait for the difference.
  private func missing(at now: Date) -> Int {
    guard let fullAt else { return 0 }
    let microseconds = (fullAt.timeIntervalSince(now) * 1_000_000).rounded()
    return Int(min(max(0, microseconds), Double(Self.burst * Self.microsecondsAToken)))
  }
}

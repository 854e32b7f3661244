public import Foundation

/// Limits the messages that a user sends to a group: a burst of five messages, and then one message
/// every two seconds.
///
/// The server uses the same algorithm, so a phone can reject a message without calling the server.
/// The limiter stores only the time when its token bucket will be full.
public struct RateLimiter: Hashable, Sendable {
  /// The number of tokens in a full bucket.
  public static let burst = 5
  /// The number of seconds after which a token is added to the bucket.
  public static let secondsAToken = 2

  private var fullAt: Date?

  /// Creates a full bucket.
  public init() {}

  /// Returns the number of messages that may be sent immediately.
  public func tokens(at now: Date) -> Int {
    (Self.burst * Self.microsecondsAToken - missing(at: now)) / Self.microsecondsAToken
  }

  /// Returns the time until a token is available, or 0 if one is available.
  public func pause(at now: Date) -> Duration {
    .microseconds(max(0, missing(at: now) - (Self.burst - 1) * Self.microsecondsAToken))
  }

  /// Removes a token from the bucket.
  ///
  /// If the bucket is empty, the call does not change it.
  ///
  /// - Throws: `rateLimited` if the bucket is empty.
  public mutating func take(at now: Date) throws(AppError) {
    let pause = pause(at: now)
    guard pause == .zero else { throw .rateLimited(retryAfter: pause) }
    let missing = missing(at: now) + Self.microsecondsAToken
    fullAt = now.addingTimeInterval(TimeInterval(missing) / 1_000_000)
  }

  /// Returns this bucket or another bucket, whichever has fewer tokens.
  package func emptier(_ other: RateLimiter) -> RateLimiter {
    (fullAt ?? .distantPast) >= (other.fullAt ?? .distantPast) ? self : other
  }

  private static let microsecondsAToken = secondsAToken * 1_000_000

  /// Returns the number of microseconds until the bucket is full.
  ///
  /// The result is never more than the time that an empty bucket takes to fill.
  ///
  /// An upper bound prevents a very long pause after the clock is set back.
  private func missing(at now: Date) -> Int {
    guard let fullAt else { return 0 }
    let microseconds = (fullAt.timeIntervalSince(now) * 1_000_000).rounded()
    return Int(min(max(0, microseconds), Double(Self.burst * Self.microsecondsAToken)))
  }
}

package import Foundation

/// An instant to the microsecond, as PostgreSQL stores it.
///
/// `Date` counts seconds in floating point and cannot represent every microsecond, so equal instants would differ after
/// a round trip.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since 1970-01-01 00:00 UTC.
  public let microseconds: Int64

  /// 2000-01-01 00:00 UTC, where PostgreSQL's own count begins.
  static let postgresEpoch: Int64 = 946_684_800_000_000

  /// An instant by its count of microseconds since 1970-01-01 00:00 UTC.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The same instant, to the precision of a `Date`.
  package var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }

  /// The earlier one comes first.
  public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }
}

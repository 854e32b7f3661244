package import Foundation

/// An instant with PostgreSQL's precision of one microsecond.
///
/// `Date` stores seconds in floating point, so it cannot represent every microsecond.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// The number of microseconds since 1970-01-01 00:00 UTC.
  public let microseconds: Int64

  /// The instant 2000-01-01 00:00 UTC, which is PostgreSQL's epoch, in microseconds since 1970.
  static let postgresEpoch: Int64 = 946_684_800_000_000

  /// Creates an instant from the number of microseconds since 1970-01-01 00:00 UTC.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The earliest instant that PostgreSQL can store, in 4714 BC.
  package static let earliest = Timestamp(microseconds: -210_866_803_200_000_000)

  /// Creates the time of a date, or the earliest or latest instant if the date is out of range.
  ///
  /// PostgreSQL rejects an instant outside the range of the `timestamptz` type.
  package init(clamping date: Date) {
    let exact = (date.timeIntervalSince1970 * 1_000_000).rounded()
    let bound = Double(Int64.max / 2)
    microseconds = exact.isNaN ? .max / 2 : Int64(min(max(exact, -bound), bound))
  }

  /// The instant as a `Date`, with the precision of `Date`.
  package var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }

  /// Orders earlier instants first.
  public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }
}

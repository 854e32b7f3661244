public import Foundation
import ProductKit

extension Week {
  /// Creates the week that contains a date.
  ///
  /// The last instant before a Monday 00:00 UTC belongs to the week that ends on that Monday.
  public init(containing date: Date) {
    // A date outside the calendar's range is clamped, because converting it to `Int64` would trap.
    let seconds = date.timeIntervalSince1970.rounded(.down)
    self.init(containing: Int64(min(max(seconds, -1e15), 1e15)))
  }

  /// Creates the week that starts at a date, or returns nil if it is not a Monday 00:00:00 UTC.
  public init?(startDate: Date) {
    self.init(containing: startDate)
    guard self.startDate == startDate else { return nil }
  }

  /// The start of the week: Monday 00:00:00 UTC.
  public var startDate: Date { Date(timeIntervalSince1970: TimeInterval(start)) }

  /// The end of the week: the next Monday 00:00:00 UTC.
  ///
  /// The end is exclusive, so compare times with `< endDate`.
  public var endDate: Date { Date(timeIntervalSince1970: TimeInterval(end)) }

  /// The last second of the week, Sunday 23:59:59 UTC, for display only.
  public var lastSecond: Date { Date(timeIntervalSince1970: TimeInterval(end - 1)) }

  /// The date of the week's Monday, as `YYYY-MM-DD`.
  public var monday: String { CivilDate.text(ofDay: startDay) }
}

public import Foundation
import ProductKit

extension Week {
  /// The week that holds a date; the last instant before Monday is still Sunday's.
  public init(containing date: Date) {
    // What no calendar holds is cut off: Int64 would trap.
    let seconds = date.timeIntervalSince1970.rounded(.down)
    self.init(containing: Int64(min(max(seconds, -1e15), 1e15)))
  }

  /// The week that begins at a date; nil where that is not a Monday 00:00:00 UTC.
  public init?(startDate: Date) {
    self.init(containing: startDate)
    guard self.startDate == startDate else { return nil }
  }

  /// Monday 00:00:00 UTC.
  public var startDate: Date { Date(timeIntervalSince1970: TimeInterval(start)) }

  /// The next Monday 00:00:00 UTC: every comparison is `< endDate`.
  public var endDate: Date { Date(timeIntervalSince1970: TimeInterval(end)) }

  /// Sunday 23:59:59 UTC, for people.
  public var lastSecond: Date { Date(timeIntervalSince1970: TimeInterval(end - 1)) }

  /// The Monday, `YYYY-MM-DD`.
  public var monday: String { CivilDate.text(ofDay: startDay) }
}

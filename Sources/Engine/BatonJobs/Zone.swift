import Foundation

/// A named time zone, which maps instants to the time on its wall clocks.
///
/// A wall-clock time is counted in seconds since 1970-01-01 00:00 on that clock.
struct Zone: Sendable, Hashable {
  let name: String
  /// The Foundation time zone, or nil for UTC, which needs no time zone data.
  private let zone: TimeZone?

  /// A time in seconds that is longer than any UTC offset plus the largest clock change of one day.
  private static let reach: Int64 = 50 * 3600

  /// Creates the zone, or returns nil if the time zone does not exist.
  ///
  /// Abbreviations such as CET are not accepted, because they do not say when clocks change.
  init?(_ name: String) {
    self.name = name
    if name == "UTC" || name == "Etc/UTC" {
      zone = nil
    } else {
      guard name.contains("/"), let zone = TimeZone(identifier: name) else { return nil }
      self.zone = zone
    }
  }

  /// Returns the difference between local time and UTC at an instant, in seconds, positive in the
  /// east.
  func offset(at instant: Int64) -> Int64 {
    guard let zone else { return 0 }
    return Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))))
  }

  /// Returns the first instant at which clocks show this time, or the first instant after the gap
  /// if clocks skip it.
  func firstInstant(showing time: Int64) -> Int64 {
    guard zone != nil else { return time }
    let (before, after) = (offset(at: time - Self.reach), offset(at: time + Self.reach))
    // The larger offset is tried first, because it gives the earlier instant.
    for offset in [max(before, after), min(before, after)]
    where self.offset(at: time - offset) == offset {
      return time - offset
    }
    return firstChange(after: time - Self.reach, through: time + Self.reach)
      ?? time - min(before, after)
  }

  /// Returns the first instant in a range at which the offset differs from the offset at its start.
  ///
  /// If the range contains several changes, the result is the first one, provided that they are at
  /// least three hours apart.
  func firstChange(after start: Int64, through end: Int64) -> Int64? {
    guard zone != nil else { return nil }
    let before = offset(at: start)
    var same = start
    while same < end {
      let probe = min(same + 3 * 3600, end)
      if offset(at: probe) == before {
        same = probe
        continue
      }
      var changed = probe
      while changed - same > 1 {
        let middle = same + (changed - same) / 2
        if offset(at: middle) == before { same = middle } else { changed = middle }
      }
      return changed
    }
    return nil
  }
}

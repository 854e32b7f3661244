import Foundation

/// A named time zone: what wall clocks show, and when.
///
/// Times on a wall clock are counted like instants, in seconds since 1970-01-01 00:00 on that clock.
struct Zone: Sendable, Hashable {
  let name: String
  /// Nil for UTC, which asks nobody.
  private let zone: TimeZone?

  /// No clock is further from UTC, and none was set by more than a day.
  private static let reach: Int64 = 50 * 3600

  /// Nil where there is no zone of this name.
  ///
  /// Abbreviations such as CET are none: they do not say
  /// when clocks are set.
  init?(_ name: String) {
    self.name = name
    if name == "UTC" || name == "Etc/UTC" {
      zone = nil
    } else {
      guard name.contains("/"), let zone = TimeZone(identifier: name) else { return nil }
      self.zone = zone
    }
  }

  /// How far wall clocks are ahead of UTC at an instant, in seconds.
  func offset(at instant: Int64) -> Int64 {
    guard let zone else { return 0 }
    return Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))))
  }

  /// The first instant at which clocks show a time; where they skip it, the first after the gap.
  func firstInstant(showing time: Int64) -> Int64 {
    guard zone != nil else { return time }
    let (before, after) = (offset(at: time - Self.reach), offset(at: time + Self.reach))
    // The greater offset gives the earlier instant.
    for offset in [max(before, after), min(before, after)]
    where self.offset(at: time - offset) == offset {
      return time - offset
    }
    return firstChange(after: time - Self.reach, through: time + Self.reach)
      ?? time - min(before, after)
  }

  /// The first instant in a range at which the offset is another than at its beginning.
  ///
  /// The range may hold any number of changes that are three hours apart.
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

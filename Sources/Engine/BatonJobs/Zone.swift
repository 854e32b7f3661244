import Foundation

/// A named time zone, which converts instants to wall-clock times.
///
/// A wall-clock time is stored as the number of seconds since 1970-01-01 00:00 local time.
struct Zone: Sendable {
  let name: String
  private let rules: Rules

  /// The source of a zone's UTC offsets.
  private enum Rules {
    case utc
    case file(ZoneFile)
    /// The data that is compiled into the program, for systems without a time zone database.
    case foundation(TimeZone)
  }

  /// A number of seconds that is greater than any UTC offset plus the largest clock change of one
  /// day.
  private static let reach: Int64 = 50 * 3600

  /// Creates the zone, or returns nil if the time zone does not exist.
  ///
  /// Abbreviations such as CET are not accepted, because an abbreviation does not define when
  /// clocks change.
  init?(_ name: String) {
    self.name = name
    if name == "UTC" || name == "Etc/UTC" {
      rules = .utc
    } else if ZoneFile.isThere {
      guard let file = ZoneFile.named(name) else { return nil }
      rules = .file(file)
    } else {
      guard name.contains("/"), let zone = TimeZone(identifier: name) else { return nil }
      rules = .foundation(zone)
    }
  }

  /// Returns the UTC offset, in seconds, at an instant.
  ///
  /// Offsets east of Greenwich are positive.
  func offset(at instant: Int64) -> Int64 {
    switch rules {
    case .utc: 0
    case .file(let file): file.offset(at: instant)
    case .foundation(let zone):
      Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))))
    }
  }

  private var isUTC: Bool {
    if case .utc = rules { true } else { false }
  }

  /// Returns the first instant with this wall-clock time, or the first instant after the gap if
  /// clocks skip this time.
  func firstInstant(showing time: Int64) -> Int64 {
    guard !isUTC else { return time }
    let (before, after) = (offset(at: time - Self.reach), offset(at: time + Self.reach))
    // The larger offset is tried first, because a larger offset gives an earlier instant.
    for offset in [max(before, after), min(before, after)]
    where self.offset(at: time - offset) == offset {
      return time - offset
    }
    return firstChange(after: time - Self.reach, through: time + Self.reach)
      ?? time - min(before, after)
  }

  /// Returns the first instant in a range at which the offset differs from the offset at the start
  /// of the range.
  ///
  /// If the range contains several changes, the method returns the first change, provided that
  /// changes are at least three hours apart.
  func firstChange(after start: Int64, through end: Int64) -> Int64? {
    guard !isUTC else { return nil }
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

extension Zone: Hashable {
  static func == (one: Zone, other: Zone) -> Bool { one.name == other.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

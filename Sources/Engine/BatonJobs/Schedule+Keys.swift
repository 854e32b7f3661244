import CivilTime

extension Schedule {
  /// Returns the key of the run that an occurrence creates.
  ///
  /// If each occurrence creates a separate run, the key is the occurrence's time. If missed
  /// occurrences are skipped or run once, all occurrences share one key. At any time, at most one
  /// run with the shared key is ready, and at most one is running.
  ///
  /// - Parameter name: the schedule's name, or nil if the schedule has no name.
  package func key(of occurrence: Int64, named name: String?) -> ScheduleKey {
    ScheduleKey(occurrence: missed == .all ? occurrence : nil, schedule: name)
  }

  /// The text of the key that all occurrences of a schedule share, unless each occurrence creates a
  /// separate run.
  package static let sharedKey = "scheduled"

  /// Returns the occurrence whose key is the given string, or nil if the string is not the key of
  /// an occurrence.
  static func instant(ofKey key: String) -> Int64? {
    instant(of: key)
  }

  /// Parses an instant such as `2024-06-03T12:00:00Z`, or returns nil for any other string.
  ///
  /// All parts of Baton parse instants with this function. The year must be from 0001 to 9999, and
  /// the date and the time must exist. Foundation's parser is not used, because it accepts dates
  /// that do not exist, such as February 30, and years of any length.
  package static func instant(of text: String) -> Int64? {
    let form = "0000-00-00T00:00:00Z"
    let bytes = Array(text.utf8)
    let isOfForm =
      bytes.count == form.utf8.count
      && zip(bytes, form.utf8).allSatisfy { byte, expected in
        expected == UInt8(ascii: "0") ? (48...57).contains(byte) : byte == expected
      }
    guard isOfForm else { return nil }
    func number(_ range: Range<Int>) -> Int64 {
      bytes[range].reduce(0) { $0 * 10 + Int64($1 - 48) }
    }
    let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
    guard hour < 24, minute < 60, second < 60,
      let day = CivilDay(year: number(0..<4), month: number(5..<7), day: number(8..<10))
    else { return nil }
    return day.number * 86_400 + hour * 3_600 + minute * 60 + second
  }

  /// Formats an instant as text such as `2024-06-03T00:00:00Z`.
  package static func text(of instant: Int64) -> String {
    let day = CivilDay(floorDivide(instant, 86_400))
    return "\(day.text)T\(CivilClock.text(ofSecond: instant - day.number * 86_400))Z"
  }
}

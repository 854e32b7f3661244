extension Schedule {
  /// The result of firing a schedule: the occurrences that run, and the occurrences that are
  /// skipped.
  package struct Firing: Sendable, Equatable {
    /// The occurrences that run, oldest first.
    package let fired: [Int64]
    /// The occurrences that are recorded as skipped, oldest first.
    package let skipped: [Int64]
    /// The next occurrence after the fired and skipped occurrences, or nil if no occurrence
    /// follows.
    package let next: Int64?
  }

  /// The maximum number of occurrences that one firing runs with ``MissedOccurrences/all``.
  ///
  /// The next firing runs the remaining occurrences.
  package static let mostFired = 100
  /// The maximum number of occurrences that one firing records as skipped.
  ///
  /// Additional occurrences are skipped without a record.
  package static let mostSkipped = 1000

  /// Determines which due occurrences run and which are skipped, or returns nil if no occurrence is
  /// due.
  ///
  /// - Parameters:
  ///   - next: the first occurrence that has not been handled, or an earlier time.
  ///   - delay: the delay between the time of an occurrence and its firing, in microseconds.
  ///   - now: the current time, in microseconds since 1970-01-01 00:00 UTC.
  ///   - end: the last possible time of an occurrence, or nil if the schedule does not end.
  package func firing(
    from next: Int64, delay: Int64, at now: Int64, until end: Int64? = nil
  ) -> Firing? {
    let end = end ?? .max
    guard next <= end else { return Firing(fired: [], skipped: [], next: nil) }
    let through = min(floorDivide(now - delay, 1_000_000), end)
    guard next <= through else { return nil }
    let before = next - 1
    func following(_ instant: Int64) -> Int64? {
      self.next(after: instant).flatMap { $0 <= end ? $0 : nil }
    }
    switch missed {
    case .once:
      let newest = newest(after: before, through: through)
      return Firing(
        fired: newest.map { [$0] } ?? [], skipped: [], next: following(through))
    case .all:
      let fired = occurrences(after: before, through: through, limit: Self.mostFired)
      return Firing(fired: fired, skipped: [], next: following(fired.last ?? through))
    case .skip:
      let tolerance = Self.tolerance.components.seconds * 1_000_000
      // `tooLate` is the newest missed instant. An occurrence is missed if its delay exceeds the
      // tolerance by at least one microsecond.
      let tooLate = floorDivide(now - delay - tolerance - 1, 1_000_000)
      return Firing(
        fired: occurrences(after: max(before, tooLate), through: through, limit: .max),
        skipped: occurrences(
          after: before, through: min(through, tooLate), limit: Self.mostSkipped),
        next: following(through))
    }
  }

  /// Returns the key of the run that an occurrence creates.
  ///
  /// If each occurrence creates a separate run, the key is the time of the occurrence. If missed
  /// occurrences are skipped or run once, all occurrences share one key. At any time, at most one
  /// run with the shared key is ready, and at most one run of the shared key is running.
  ///
  /// - Parameter name: the schedule's name, or nil if the schedule has no name.
  package func key(of occurrence: Int64, named name: String?) -> ScheduleKey {
    ScheduleKey(occurrence: missed == .all ? occurrence : nil, schedule: name)
  }

  /// The text of the key that all occurrences of a schedule share, unless each occurrence creates a
  /// separate run.
  package static let sharedKey = "scheduled"

  /// Returns the occurrence whose key is the given string, or nil if the string is not such a key.
  static func instant(ofKey key: String) -> Int64? {
    instant(of: key)
  }

  /// Parses an instant such as `2024-06-03T12:00:00Z`, or returns nil for any other string.
  ///
  /// All parts of Baton parse instants with this function. The year must be from 0001 to 9999, and
  /// the date and the time must exist. Foundation's own parser reads the 30th of February as the
  /// 1st or 2nd of March, and accepts years of any length.
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

  /// Formats an instant as `2024-06-03T00:00:00Z`, the name of an occurrence.
  package static func text(of instant: Int64) -> String {
    let day = CivilDay(floorDivide(instant, 86_400))
    let second = Int(instant - day.number * 86_400)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let year = String(day.year)
    let padding = String(repeating: "0", count: max(0, 4 - year.count))
    return "\(padding)\(year)-\(two(day.month))-\(two(day.day))"
      + "T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
  }
}

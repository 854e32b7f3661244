/// A rule that defines when clocks change each year, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// The format is the format of the environment variable TZ (POSIX.1-2024, section 8.3). As in RFC
/// 9636, hours may be from -167 to 167.
struct ZoneRule: Sendable {
  /// The UTC offset of standard time in seconds.
  ///
  /// Offsets east of Greenwich are positive.
  private let standard: Int64
  /// The offset, the first day and the last day of daylight-saving time, or nil if the zone has no
  /// daylight-saving time.
  private let daylight: (offset: Int64, start: ChangeDay, end: ChangeDay)?

  /// Parses a rule, or returns nil if the rule is malformed.
  init?(_ text: String) {
    var scanner = RuleScanner(text)
    guard scanner.skipName(), let west = scanner.time() else { return nil }
    standard = -west
    guard !scanner.isAtEnd else {
      daylight = nil
      return
    }
    guard scanner.skipName() else { return nil }
    var offset = standard + 3_600
    if !scanner.isAt(",") {
      guard let west = scanner.time() else { return nil }
      offset = -west
    }
    guard scanner.skip(","), let start = ChangeDay(&scanner), scanner.skip(","),
      let end = ChangeDay(&scanner), scanner.isAtEnd
    else { return nil }
    daylight = (offset, start, end)
  }

  /// Returns the UTC offset, in seconds, at an instant.
  ///
  /// Offsets east of Greenwich are positive.
  func offset(at instant: Int64) -> Int64 {
    guard let daylight else { return standard }
    let year = CivilDay(floorDivide(instant + standard, 86_400)).year
    guard let start = daylight.start.time(in: year), let end = daylight.end.time(in: year) else {
      return standard
    }
    // The rule states the start in standard time, and the end in daylight-saving time.
    let (from, to) = (start - standard, end - daylight.offset)
    let isDaylight =
      from < to ? from <= instant && instant < to : !(to <= instant && instant < from)
    return isDaylight ? daylight.offset : standard
  }
}

/// A day of each year on which clocks change, with the time of day.
private struct ChangeDay: Sendable {
  private enum Day {
    /// A weekday (0 is Sunday) in a week of a month.
    ///
    /// Week 5 is the last week of the month.
    case weekday(month: Int64, week: Int64, weekday: Int)
    /// A day of the year from 1 to 365, where the 29th of February is not counted.
    case withoutLeapDay(Int64)
    /// A day of the year from 0 to 365.
    case ofYear(Int64)
  }

  private let day: Day
  /// The seconds since local midnight.
  private let seconds: Int64

  init?(_ scanner: inout RuleScanner) {
    if scanner.skip("M") {
      guard let month = scanner.number(), scanner.skip("."), let week = scanner.number(),
        scanner.skip("."), let weekday = scanner.number(), 1...12 ~= month, 1...5 ~= week,
        0...6 ~= weekday
      else { return nil }
      day = .weekday(month: month, week: week, weekday: Int(weekday))
    } else if scanner.skip("J") {
      guard let number = scanner.number(), 1...365 ~= number else { return nil }
      day = .withoutLeapDay(number)
    } else {
      guard let number = scanner.number(), 0...365 ~= number else { return nil }
      day = .ofYear(number)
    }
    guard scanner.skip("/") else {
      seconds = 2 * 3_600
      return
    }
    guard let time = scanner.time() else { return nil }
    seconds = time
  }

  /// Returns the local time of the change in seconds since 1970, or nil outside the years 1 to
  /// 9999.
  func time(in year: Int64) -> Int64? {
    guard let first = CivilDay(year: year, month: 1, day: 1) else { return nil }
    let number: Int64
    switch day {
    case .weekday(let month, let week, let weekday):
      guard let monthStart = CivilDay(year: year, month: month, day: 1) else { return nil }
      let ahead = Int64((weekday - monthStart.weekday + 7) % 7)
      var found = monthStart.number + ahead + (week - 1) * 7
      while found >= monthStart.firstOfNextMonth.number { found -= 7 }
      number = found
    case .withoutLeapDay(let day):
      let isLeap = CivilDay(year: year, month: 2, day: 29) != nil
      number = first.number + day - 1 + (isLeap && day >= 60 ? 1 : 0)
    case .ofYear(let day): number = first.number + day
    }
    return number * 86_400 + seconds
  }
}

/// Reads the parts of a rule.
private struct RuleScanner {
  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  var isAtEnd: Bool { rest.isEmpty }

  func isAt(_ character: Character) -> Bool { rest.first == character }

  mutating func skip(_ character: Character) -> Bool {
    guard isAt(character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Skips the name of an offset: at least three letters, or other characters in angle brackets.
  mutating func skipName() -> Bool {
    if skip("<") {
      guard let end = rest.firstIndex(of: ">") else { return false }
      rest = rest[rest.index(after: end)...]
      return true
    }
    let name = rest.prefix { $0.isLetter }
    rest = rest[name.endIndex...]
    return name.count >= 3
  }

  mutating func number() -> Int64? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard 1...3 ~= digits.count else { return nil }
    rest = rest[digits.endIndex...]
    return Int64(digits)
  }

  /// Reads hours with optional minutes, seconds and sign, as seconds.
  mutating func time() -> Int64? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard let hours = number() else { return nil }
    var seconds = hours * 3_600
    for unit: Int64 in [60, 1] where skip(":") {
      guard let value = number() else { return nil }
      seconds += value * unit
    }
    return isNegative ? -seconds : seconds
  }
}

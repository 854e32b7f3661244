/// A trigger that fires at given times, which are called occurrences.
///
/// The `next_occurrence` SQL function computes the occurrences. The program checks the syntax of
/// expressions without a connection. Each time is a whole number of seconds since 1970-01-01 00:00
/// UTC.
package struct Schedule: Sendable, Hashable {
  /// The policy for missed occurrences.
  package let missed: MissedOccurrences
  let rule: Rule

  enum Rule: Sendable, Hashable {
    /// A cron expression and the name of its time zone.
    case cron(Cron, String)
    case every(seconds: Int64)
  }

  /// Returns a schedule from a cron expression in a named time zone.
  ///
  /// An expression has five fields: minute, hour, day of month, month and day of week. A field may
  /// contain lists, ranges, steps and three-letter English names. `@hourly`, `@daily`, `@weekly`,
  /// `@monthly` and `@yearly` are also accepted. If both day of month and day of week are
  /// restricted, one matching field is enough, as in Vixie cron.
  ///
  /// If the hour field lists specific hours and a clock change skips one of the schedule's times,
  /// the schedule fires once, directly after the clock change. If the hour field lists specific
  /// hours and a clock change repeats one of the schedule's times, the schedule fires only the
  /// first time.
  ///
  /// If the hour field matches every hour, the schedule does not fire for times that a clock change
  /// skips. If the hour field matches every hour, the schedule fires twice for each time that a
  /// clock change repeats.
  ///
  /// An invalid expression is a bug and stops the program. For an invalid expression,
  /// ``parse(cron:timeZone:missed:)`` throws an error.
  package static func cron(
    _ expression: String, timeZone: String = "UTC", missed: MissedOccurrences
  ) -> Schedule {
    do {
      return try parse(cron: expression, timeZone: timeZone, missed: missed)
    } catch {
      preconditionFailure(error.description)
    }
  }

  /// Parses an expression that comes from outside the program.
  ///
  /// The method does not check whether the server knows the time zone.
  ///
  /// - Throws: ``MalformedSchedule`` with the invalid field and the reason.
  package static func parse(
    cron expression: String, timeZone: String = "UTC", missed: MissedOccurrences
  ) throws(MalformedSchedule) -> Schedule {
    let cron = try Cron(expression)
    guard isTimeZone(timeZone) else {
      throw MalformedSchedule(
        expression, "time zone", "'\(timeZone)' is not the name of one, such as Europe/Berlin")
    }
    return Schedule(missed: missed, rule: .cron(cron, timeZone))
  }

  /// Returns a schedule that fires at the multiples of an interval since 1970-01-01 00:00 UTC.
  ///
  /// An interval that is not a positive whole number of seconds is a bug and stops the program.
  package static func every(_ interval: Duration, missed: MissedOccurrences) -> Schedule {
    let (seconds, attoseconds) = interval.components
    precondition(seconds > 0 && attoseconds == 0, "an interval is whole seconds: \(interval)")
    return Schedule(missed: missed, rule: .every(seconds: seconds))
  }

  /// The schedule as stored text: the cron expression, or `every 30 s` for an interval.
  package var expression: String {
    switch rule {
    case .cron(let cron, _): cron.text
    case .every(let seconds): "every \(seconds) s"
    }
  }

  /// The name of the time zone, or nil for an interval.
  package var timeZone: String? {
    guard case .cron(_, let zone) = rule else { return nil }
    return zone
  }

  /// Returns whether a string has the form of a time zone name, such as `Europe/Berlin`.
  ///
  /// Only the server knows which time zones exist. Abbreviations such as CET are not accepted,
  /// because an abbreviation does not define when clocks change. Names that begin with `right/` are
  /// not accepted, because PostgreSQL does not count leap seconds. The `check_schedule` SQL
  /// function applies the same rules as this function.
  private static func isTimeZone(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, parts[0] != "right", parts[0] != "posix" else { return name == "UTC" }
    return parts.allSatisfy { part in
      let bytes = Array(part.utf8)
      return bytes.first.map(isLetter) == true
        && bytes.allSatisfy { isLetter($0) || (48...57).contains($0) || "_-+".utf8.contains($0) }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }
}

/// The error for a schedule that cannot be parsed, with the invalid field and the reason.
package struct MalformedSchedule: Error, Sendable, Equatable, CustomStringConvertible {
  /// The expression that could not be parsed.
  package let expression: String
  /// The invalid field, for example `day of month`.
  package let place: String
  /// The reason why the field is invalid.
  package let what: String

  init(_ expression: String, _ place: String, _ what: String) {
    self.expression = expression
    self.place = place
    self.what = what
  }

  /// The error text, such as `'61 * * * *', minute: 61 is not in 0-59`.
  package var description: String { "'\(expression)', \(place): \(what)" }
}

/// When a job is run by itself: a trigger made of time.
///
/// A schedule is a set of instants, its occurrences. They depend on nothing but the schedule, so
/// all processes find the same ones. Instants are whole seconds since 1970-01-01
/// 00:00 UTC.
package struct Schedule: Sendable, Hashable {
  /// How late an occurrence may be fired before it counts as missed.
  package static let tolerance = Duration.seconds(60)

  /// What becomes of missed occurrences.
  package let missed: MissedOccurrences
  let rule: Rule

  enum Rule: Sendable, Hashable {
    case cron(Cron, Zone)
    case every(seconds: Int64)
  }

  /// A cron expression in a named time zone.
  ///
  /// Five fields: minute, hour, day of month, month, day of week; lists, ranges, steps and English
  /// names of three letters; or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`. Where both
  /// days are restricted either is enough, as in Vixie cron.
  ///
  /// Where the clocks are set, an expression that fires at certain hours keeps to the wall clock: a
  /// time that is skipped fires at the first instant after the gap, once, and a time that comes
  /// twice fires the first time only. One that fires in every hour follows real time: whatever the
  /// clocks show fires each time they show it.
  ///
  /// A bad expression is a bug and stops the program; ``parse(cron:timeZone:missed:)`` does not.
  package static func cron(
    _ expression: String, timeZone: String = "UTC", missed: MissedOccurrences
  ) -> Schedule {
    do {
      return try parse(cron: expression, timeZone: timeZone, missed: missed)
    } catch {
      preconditionFailure(error.description)
    }
  }

  /// The same for an expression from outside.
  ///
  /// - Throws: ``MalformedSchedule`` saying which field is wrong and why.
  package static func parse(
    cron expression: String, timeZone: String = "UTC", missed: MissedOccurrences
  ) throws(MalformedSchedule) -> Schedule {
    let cron = try Cron(expression)
    guard let zone = Zone(timeZone) else {
      throw MalformedSchedule(
        expression, "time zone", "'\(timeZone)' is not the name of one, such as Europe/Berlin")
    }
    return Schedule(missed: missed, rule: .cron(cron, zone))
  }

  /// Every so many seconds, at the multiples of the interval since 1970-01-01 00:00 UTC.
  ///
  /// An interval that is not a whole number of seconds, 1 at least, is a bug and stops the program.
  package static func every(_ interval: Duration, missed: MissedOccurrences) -> Schedule {
    let (seconds, attoseconds) = interval.components
    precondition(seconds > 0 && attoseconds == 0, "an interval is whole seconds: \(interval)")
    return Schedule(missed: missed, rule: .every(seconds: seconds))
  }

  /// The expression as it is stored: that of cron, or `every 30 s`.
  package var expression: String {
    switch rule {
    case .cron(let cron, _): cron.text
    case .every(let seconds): "every \(seconds) s"
    }
  }

  /// The name of the time zone; nil for an interval, which has none.
  package var timeZone: String? {
    guard case .cron(_, let zone) = rule else { return nil }
    return zone.name
  }

  /// The pause between two occurrences; nil for a cron expression.
  package var interval: Duration? {
    guard case .every(let seconds) = rule else { return nil }
    return .seconds(seconds)
  }

  /// A schedule as it is stored; `timeZone` is nil for an interval.
  ///
  /// - Throws: ``MalformedSchedule``.
  package static func parse(
    stored expression: String, timeZone: String?, missed: String
  ) throws(MalformedSchedule) -> Schedule {
    guard let missed = MissedOccurrences(rawValue: missed) else {
      throw MalformedSchedule(expression, "missed", "'\(missed)' is not skip, once or all")
    }
    if let timeZone { return try parse(cron: expression, timeZone: timeZone, missed: missed) }
    let words = expression.split(separator: " ")
    guard words.count == 3, words[0] == "every", words[2] == "s", let seconds = Int64(words[1]),
      seconds > 0
    else { throw MalformedSchedule(expression, "interval", "it is not `every N s`") }
    return Schedule(missed: missed, rule: .every(seconds: seconds))
  }
}

/// A schedule that cannot be read: what is wrong, and where.
package struct MalformedSchedule: Error, Sendable, Equatable, CustomStringConvertible {
  /// The expression as it was given.
  package let expression: String
  /// The field that is wrong, for example `day of month`.
  package let place: String
  /// What is wrong with it.
  package let what: String

  init(_ expression: String, _ place: String, _ what: String) {
    self.expression = expression
    self.place = place
    self.what = what
  }

  /// `'61 * * * *', minute: 61 is not in 0-59`.
  package var description: String { "'\(expression)', \(place): \(what)" }
}

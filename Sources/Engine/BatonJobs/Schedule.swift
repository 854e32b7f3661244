/// When a job is run by itself: a trigger made of time.
///
/// A schedule is a set of instants, its occurrences. They depend on nothing but the schedule, so
/// all processes find the same ones. Instants are whole seconds since 1970-01-01
/// 00:00 UTC.
public struct Schedule: Sendable, Hashable {
  /// What becomes of occurrences that nobody fired in time.
  ///
  /// An occurrence is missed when it is fired more than ``Schedule/tolerance`` after its time,
  /// because no worker was up, the schedule was paused or the clock was moved.
  public enum Missed: String, Sendable, CaseIterable {
    /// Missed ones are recorded as skipped and not run.
    case skip
    /// Of all that are due only the newest runs, however late.
    case once
    /// Each of them runs, oldest first.
    case all
  }

  /// How late an occurrence may be fired before it counts as missed.
  public static let tolerance = Duration.seconds(60)

  /// What becomes of missed occurrences.
  public let missed: Missed
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
  public static func cron(
    _ expression: String, timeZone: String = "UTC", missed: Missed
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
  public static func parse(
    cron expression: String, timeZone: String = "UTC", missed: Missed
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
  public static func every(_ interval: Duration, missed: Missed) -> Schedule {
    let (seconds, attoseconds) = interval.components
    precondition(seconds > 0 && attoseconds == 0, "an interval is whole seconds: \(interval)")
    return Schedule(missed: missed, rule: .every(seconds: seconds))
  }

  /// The expression as it is stored: that of cron, or `every 30 s`.
  public var expression: String {
    switch rule {
    case .cron(let cron, _): cron.text
    case .every(let seconds): "every \(seconds) s"
    }
  }

  /// The name of the time zone; nil for an interval, which has none.
  public var timeZone: String? {
    guard case .cron(_, let zone) = rule else { return nil }
    return zone.name
  }

  /// The pause between two occurrences; nil for a cron expression.
  public var interval: Duration? {
    guard case .every(let seconds) = rule else { return nil }
    return .seconds(seconds)
  }

  /// A schedule as it is stored; `timeZone` is nil for an interval.
  ///
  /// - Throws: ``MalformedSchedule``.
  public static func parse(
    stored expression: String, timeZone: String?, missed: String
  ) throws(MalformedSchedule) -> Schedule {
    guard let missed = Missed(rawValue: missed) else {
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
public struct MalformedSchedule: Error, Sendable, Equatable, CustomStringConvertible {
  /// The expression as it was given.
  public let expression: String
  /// The field that is wrong, for example `day of month`.
  public let place: String
  /// What is wrong with it.
  public let what: String

  init(_ expression: String, _ place: String, _ what: String) {
    self.expression = expression
    self.place = place
    self.what = what
  }

  /// `'61 * * * *', minute: 61 is not in 0-59`.
  public var description: String { "'\(expression)', \(place): \(what)" }
}

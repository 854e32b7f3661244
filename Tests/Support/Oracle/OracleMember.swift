/// One workout as the rules look at it: a line of a replay is on time and is counted.
struct OracleWorkout {
  /// The effective instant, microseconds since 1970 (rule 7).
  let instant: Int64
  /// Seconds ahead of UTC, as sent with the workout (rule 37).
  let utcOffset: Int
  /// The date on the member's own calendar (rule 37).
  let localDate: OracleDate
  /// The Monday of the week that holds the instant, in UTC for everybody (rules 2, 6).
  let week: OracleDate

  init(of line: CheckInLine) {
    instant = line.instant
    utcOffset = line.utcOffset
    localDate = OracleDate(at: line.instant, utcOffset: line.utcOffset)
    week = OracleDate(at: line.instant, utcOffset: 0).monday
  }

  /// Rule 45: of two workouts at one instant the one with the smaller offset is the earlier.
  static func isEarlier(_ one: OracleWorkout, _ other: OracleWorkout) -> Bool {
    (one.instant, one.utcOffset) < (other.instant, other.utcOffset)
  }
}

/// Everything one member of one group ever did.
struct OracleMember {
  let name: Name
  /// When the member joined.
  let joinedAt: Int64
  let workoutsByWeek: [OracleDate: [OracleWorkout]]
  private let workoutsByLocalDate: [OracleDate: [OracleWorkout]]

  /// - Parameter joinedAt: nil: with the earliest line, as in a replay.
  init(name: Name, lines: [CheckInLine], joinedAt: Int64? = nil) {
    self.init(name: name, workouts: lines.map(OracleWorkout.init), joinedAt: joinedAt)
  }

  private init(name: Name, workouts: [OracleWorkout], joinedAt: Int64?) {
    self.name = name
    self.joinedAt = joinedAt ?? workouts.map(\.instant).min() ?? 0
    workoutsByWeek = Dictionary(grouping: workouts, by: \.week)
    workoutsByLocalDate = Dictionary(grouping: workouts, by: \.localDate)
  }

  /// The member as somebody who trained in one week alone.
  func only(in week: OracleDate) -> OracleMember {
    OracleMember(name: name, workouts: workoutsByWeek[week] ?? [], joinedAt: joinedAt)
  }

  /// The workouts on a local date that the board of a week looks at (rule 40): those before the
  /// week's end, whatever the member's calendar says.
  func workouts(on date: OracleDate, before weekEnd: Int64) -> [OracleWorkout] {
    (workoutsByLocalDate[date] ?? []).filter { $0.instant < weekEnd }
  }
}

/// A workout with the properties that the rules use.
///
/// Each line of a replay is recorded in time and counted.
struct OracleWorkout {
  /// The effective instant in microseconds since 1970 (rule 7).
  let instant: Int64
  /// The UTC offset that was sent with the workout, in seconds east of UTC (rule 37).
  let utcOffset: Int
  /// The local date of the workout (rule 37).
  let localDate: OracleDate
  /// The Monday of the UTC week that contains the instant (rules 2 and 6).
  let week: OracleDate

  init(of line: CheckInLine) {
    instant = line.instant
    utcOffset = line.utcOffset
    localDate = OracleDate(at: line.instant, utcOffset: line.utcOffset)
    week = OracleDate(at: line.instant, utcOffset: 0).monday
  }

  /// Returns whether a workout is earlier than another workout.
  ///
  /// Of two workouts with the same instant, the workout with the smaller UTC offset is earlier
  /// (rule 45).
  static func isEarlier(_ one: OracleWorkout, _ other: OracleWorkout) -> Bool {
    (one.instant, one.utcOffset) < (other.instant, other.utcOffset)
  }
}

/// A member of a group, with all workouts of the member.
struct OracleMember {
  let name: Name
  /// The instant at which the member joined.
  let joinedAt: Int64
  let workoutsByWeek: [OracleDate: [OracleWorkout]]
  private let workoutsByLocalDate: [OracleDate: [OracleWorkout]]

  /// - Parameter joinedAt: the instant of joining, or nil to join with the earliest line, as in a
  ///   replay.
  init(name: Name, lines: [CheckInLine], joinedAt: Int64? = nil) {
    self.init(name: name, workouts: lines.map(OracleWorkout.init), joinedAt: joinedAt)
  }

  private init(name: Name, workouts: [OracleWorkout], joinedAt: Int64?) {
    self.name = name
    self.joinedAt = joinedAt ?? workouts.map(\.instant).min() ?? 0
    workoutsByWeek = Dictionary(grouping: workouts, by: \.week)
    workoutsByLocalDate = Dictionary(grouping: workouts, by: \.localDate)
  }

  /// Returns the member with only the workouts of one week.
  func only(in week: OracleDate) -> OracleMember {
    OracleMember(name: name, workouts: workoutsByWeek[week] ?? [], joinedAt: joinedAt)
  }

  /// Returns the workouts on a local date that count for the board of a week (rule 40).
  ///
  /// Workouts after the end of the week are omitted, even if the local date began in the week.
  func workouts(on date: OracleDate, before weekEnd: Int64) -> [OracleWorkout] {
    (workoutsByLocalDate[date] ?? []).filter { $0.instant < weekEnd }
  }
}

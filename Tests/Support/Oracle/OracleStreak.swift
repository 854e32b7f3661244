/// A member's streak on one board: `run(d)` of rule 40, with the skipped dates of rule 45.
struct OracleStreak {
  let member: OracleMember
  /// The end of the board's week.
  ///
  /// Workouts at or after the end are ignored (rule 40).
  let weekEnd: Int64

  /// Returns the number of consecutive local dates with a workout up to `date` (rule 40).
  ///
  /// Dates before the week also count.
  func run(endingOn date: OracleDate) -> Int {
    guard hasWorkout(on: date) else { return 0 }
    var length = 1
    var first = date
    // A loop is used, because a recursion over a run of a thousand dates would be too deep.
    while let earlier = dateBefore(first) {
      length += 1
      first = earlier
    }
    return length
  }

  /// Returns the previous date of the run, or nil if the run begins at `date`.
  private func dateBefore(_ date: OracleDate) -> OracleDate? {
    if hasWorkout(on: date.adding(-1)) { return date.adding(-1) }
    // The missing date is skipped and not counted (rule 45).
    return isBridged(from: date.adding(-2), to: date) ? date.adding(-2) : nil
  }

  /// Returns whether a run continues over exactly one missing date (rule 45).
  private func isBridged(from earlier: OracleDate, to later: OracleDate) -> Bool {
    let before = member.workouts(on: earlier, before: weekEnd)
    let after = member.workouts(on: later, before: weekEnd)
    guard
      let last = before.max(by: OracleWorkout.isEarlier),
      let first = after.min(by: OracleWorkout.isEarlier)
    else { return false }
    let apart = abs(first.instant - last.instant)
    return apart < 30 * 3_600 * 1_000_000 && first.utcOffset != last.utcOffset
  }

  private func hasWorkout(on date: OracleDate) -> Bool {
    !member.workouts(on: date, before: weekEnd).isEmpty
  }
}

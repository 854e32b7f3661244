/// The streak of a member as one board sees it: `run(d)` of rule 40 with the bridges of rule 45.
struct OracleStreak {
  let member: OracleMember
  /// The end of the board's week; nothing at or after it exists here (rule 40).
  let weekEnd: Int64

  /// Rule 40: how many consecutive local dates that end at `date` have a workout.
  ///
  /// Before the week too: that is the carry-in.
  func run(endingOn date: OracleDate) -> Int {
    guard hasWorkout(on: date) else { return 0 }
    var length = 1
    var first = date
    // A loop, as a run of a thousand dates would be as many calls deep.
    while let earlier = dateBefore(first) {
      length += 1
      first = earlier
    }
    return length
  }

  /// The date that the run continues from, or nil where `date` begins it.
  private func dateBefore(_ date: OracleDate) -> OracleDate? {
    if hasWorkout(on: date.adding(-1)) { return date.adding(-1) }
    // Rule 45: the missing date is stepped over and not counted.
    return isBridged(from: date.adding(-2), to: date) ? date.adding(-2) : nil
  }

  /// Rule 45, for two dates with exactly one date missing between them.
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

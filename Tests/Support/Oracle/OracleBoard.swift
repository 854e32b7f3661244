/// A board, which belongs to a group, a week and a type.
struct OracleBoard {
  /// A member's values on the board, before the members are ranked.
  struct Entry {
    let member: OracleMember
    let value: Int
    /// The instant at which the value was reached (rule 22), in microseconds since 1970.
    let reachedAt: Int64
  }

  let group: Name
  let week: OracleDate
  let type: BoardRow.Kind
  let members: [OracleMember]
  /// The instant from which workouts are ignored.
  ///
  /// For a closed board, the instant is the end of the week.
  let end: Int64
  /// The maximum number of check-ins that count on one local date, or 0 for no limit.
  let limit: Int
  /// The rule for streaks (rule 41): `peak`, `lastRun` or `weekOnly`.
  let streak: String

  init(
    group: Name, week: OracleDate, type: BoardRow.Kind, members: [OracleMember], end: Int64? = nil,
    limit: Int = 0, streak: String = "peak"
  ) {
    self.limit = limit
    self.streak = streak
    self.group = group
    self.week = week
    self.type = type
    self.members = members
    self.end = end ?? week.adding(7).midnightUTC
  }

  /// Returns the rows, ordered by position.
  func rows() -> [BoardRow] {
    let weekStart = week.text
    let entries = members.compactMap(entry).sorted(by: isBefore)
    return entries.enumerated().map { index, entry in
      BoardRow(
        group: group, weekStart: weekStart, type: type, member: entry.member.name,
        value: entry.value, rank: rank(of: entry, among: entries), position: index + 1)
    }
  }

  /// Returns a member's entry, or nil if the member has no workout in the week (rule 24).
  func entry(of member: OracleMember) -> Entry? {
    let workouts = (member.workoutsByWeek[week] ?? []).filter { $0.instant < end }
    guard !workouts.isEmpty else { return nil }
    switch type {
    case .checkIns: return checkIns(of: member, with: workouts)
    case .streak: return streak(of: member, with: workouts)
    }
  }

  /// Returns a member's check-ins (rule 18).
  ///
  /// The value is reached with the last counted workout (rule 22).
  ///
  /// If there is a limit, the earliest workouts of each local date count, even if the workouts
  /// belong to another week.
  private func checkIns(of member: OracleMember, with workouts: [OracleWorkout]) -> Entry? {
    let counted =
      limit == 0
      ? workouts
      : Set(workouts.map(\.localDate)).flatMap { date in
        member.workouts(on: date, before: end).sorted(by: OracleWorkout.isEarlier).prefix(limit)
          .filter { $0.week == week }
      }
    return counted.map(\.instant).max().map {
      Entry(member: member, value: counted.count, reachedAt: $0)
    }
  }

  /// Returns a member's streak (rule 41).
  ///
  /// The rule `peak` selects the longest run that ends in the week. The rule `lastRun` selects the
  /// run that ends on the last date in the week. The rule `weekOnly` selects the longest run within
  /// the week.
  ///
  /// The value is reached with the first workout in the week on the earliest date with the value
  /// (rule 22).
  private func streak(of member: OracleMember, with workouts: [OracleWorkout]) -> Entry? {
    let looked = streak == "weekOnly" ? member.only(in: week) : member
    let runs = Dictionary(grouping: workouts, by: \.localDate).map { date, workouts in
      let run = OracleStreak(member: looked, weekEnd: end).run(endingOn: date)
      return (date: date, run: streak == "weekOnly" ? min(run, 7) : run, workouts: workouts)
    }
    let value =
      streak == "lastRun" ? runs.max { $0.date < $1.date }?.run : runs.map(\.run).max()
    let earliest = runs.filter { $0.run == value }.min { $0.date < $1.date }
    guard let earliest, let reachedAt = earliest.workouts.map(\.instant).min() else { return nil }
    return Entry(member: member, value: earliest.run, reachedAt: reachedAt)
  }

  /// Orders entries by descending value, then by the instants of reaching the value and of joining,
  /// and by the bytes of the user's id (rule 48).
  private func isBefore(_ one: Entry, _ other: Entry) -> Bool {
    if one.value != other.value { return one.value > other.value }
    if one.reachedAt != other.reachedAt { return one.reachedAt < other.reachedAt }
    if one.member.joinedAt != other.member.joinedAt {
      return one.member.joinedAt < other.member.joinedAt
    }
    return one.member.name < other.member.name
  }

  /// Returns the competition rank (1, 2, 2, 4), which is one more than the number of higher values
  /// (rule 49).
  private func rank(of entry: Entry, among entries: [Entry]) -> Int {
    1 + entries.count { $0.value > entry.value }
  }
}

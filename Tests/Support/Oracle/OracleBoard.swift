/// One board: a group, a week and a type.
struct OracleBoard {
  /// What a member brings to the board, before anybody is ranked.
  struct Entry {
    let member: OracleMember
    let value: Int
    /// Rule 22, microseconds since 1970.
    let reachedAt: Int64
  }

  let group: Name
  let week: OracleDate
  let type: BoardRow.Kind
  let members: [OracleMember]
  /// Nothing at or after it has happened yet; the end of the week for the board as it closes.
  let end: Int64
  /// Check-ins that count on one local date; 0: all.
  let limit: Int
  /// Rule 41: `peak`, `lastRun` or `weekOnly`.
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

  /// The rows by position.
  func rows() -> [BoardRow] {
    let weekStart = week.text
    let entries = members.compactMap(entry).sorted(by: isBefore)
    return entries.enumerated().map { index, entry in
      BoardRow(
        group: group, weekStart: weekStart, type: type, member: entry.member.name,
        value: entry.value, rank: rank(of: entry, among: entries), position: index + 1)
    }
  }

  /// Rule 24: who has no workout in the week is not on the board.
  func entry(of member: OracleMember) -> Entry? {
    let workouts = (member.workoutsByWeek[week] ?? []).filter { $0.instant < end }
    guard !workouts.isEmpty else { return nil }
    switch type {
    case .checkIns: return checkIns(of: member, with: workouts)
    case .streak: return streak(of: member, with: workouts)
    }
  }

  /// Rule 18 for the value; rule 22: it is reached with the last of the k workouts.
  ///
  /// With a limit the earliest of a local date count, in whatever week they are.
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

  /// Rule 41: the longest run that ends on a local date with a workout in the week, that which ends on the
  /// last such date, or the longest one of the week's own workouts.
  ///
  /// Rule 22: it is reached with the first workout inside the week on the earliest such date.
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

  /// Rule 48: value descending, reached, joined, then the bytes of the user's id.
  private func isBefore(_ one: Entry, _ other: Entry) -> Bool {
    if one.value != other.value { return one.value > other.value }
    if one.reachedAt != other.reachedAt { return one.reachedAt < other.reachedAt }
    if one.member.joinedAt != other.member.joinedAt {
      return one.member.joinedAt < other.member.joinedAt
    }
    return one.member.name < other.member.name
  }

  /// Rule 49, competition (1, 2, 2, 4): one more than the number of better values.
  private func rank(of entry: Entry, among entries: [Entry]) -> Int {
    1 + entries.count { $0.value > entry.value }
  }
}

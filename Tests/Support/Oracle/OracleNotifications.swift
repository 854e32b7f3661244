extension Oracle {
  /// Returns all notifications that must exist after a replay of weeks in which no notification is
  /// read, by brute force.
  ///
  /// When the grace period of 10 minutes is over, each member who joined before the end of a week
  /// with entries is notified. A rank notification remains if the final rank differs from the rank
  /// in the first step that ranked the member. Its last change is in the last step that changed the
  /// rank.
  ///
  /// - Parameters:
  ///   - lines: the replayed lines, in any order.
  ///   - step: the step of the clock in seconds.
  ///   - outage: the time range, from one Monday to another, in which no members are notified.
  ///     Weeks that end in the outage are closed at the end of the outage. Members are notified if
  ///     a week ended less than 7 days before the end of the outage.
  package static func notifications(
    of lines: [CheckInLine], step: Int, outage: Range<Int64>? = nil
  ) -> [NotificationRow] {
    let step = Int64(step) * 1_000_000
    // After the outage, the clock has the time of the last step of the outage.
    let resumed = outage.flatMap { outage in
      lines.map { endOfStep($0.instant, step) - 1 }.filter(outage.contains).max()
    }
    return Dictionary(grouping: lines) { Name($0.group) }
      .flatMap { group, lines in notifications(of: group, with: lines, step: step) }
      .compactMap { notification in
        guard let outage, let resumed, let end = end(of: notification) else { return notification }
        if notification.type == "rank_change" {
          return outage.contains(end - 1) ? nil : notification
        }
        // If the grace period ended during the outage, the week is closed at the end of the outage.
        guard outage.contains(end + 600 * 1_000_000) else { return notification }
        return end > resumed - 7 * 86_400 * 1_000_000 ? notification.at(resumed) : nil
      }
  }

  private static func end(of notification: NotificationRow) -> Int64? {
    let parts = notification.weekStart.split(separator: "-").compactMap { Int($0) }
    return OracleDate(year: parts[0], month: parts[1], day: parts[2])?.adding(7).midnightUTC
  }

  private static func notifications(
    of group: Name, with lines: [CheckInLine], step: Int64
  ) -> [NotificationRow] {
    let members = Dictionary(grouping: lines) { Name($0.member) }
      .map { OracleMember(name: $0, lines: $1) }
    let weeks = Set(members.flatMap(\.workoutsByWeek.keys))
    return weeks.flatMap { week in
      weekEnded(group, week, members)
        + BoardRow.Kind.allCases.flatMap { type in
          rankChanges(
            OracleBoard(group: group, week: week, type: type, members: members), step: step)
        }
    }
  }

  /// Returns the notifications about ended weeks (rules 71 and 72).
  private static func weekEnded(
    _ group: Name, _ week: OracleDate, _ members: [OracleMember]
  ) -> [NotificationRow] {
    let end = week.adding(7).midnightUTC
    return members.filter { $0.joinedAt < end }.map {
      NotificationRow(
        type: "week_ended", group: group, member: $0.name, weekStart: week.text, challenge: nil,
        from: nil, to: nil, at: end + 600 * 1_000_000)
    }
  }

  /// Returns the notifications about changed ranks (rules 62 to 67).
  ///
  /// Every step is evaluated, and no notification is read.
  private static func rankChanges(_ board: OracleBoard, step: Int64) -> [NotificationRow] {
    var first: [Name: Int] = [:]
    var now: [Name: Int] = [:]
    var movedAt: [Name: Int64] = [:]
    let playing = board.members.filter { $0.workoutsByWeek[board.week] != nil }
    let instants = playing.flatMap { $0.workoutsByWeek[board.week] ?? [] }.map(\.instant)
    for end in Set(instants.map { endOfStep($0, step) }).sorted() {
      let rows = OracleBoard(
        group: board.group, week: board.week, type: board.type, members: playing, end: end
      ).rows()
      for row in rows {
        if first[row.member] == nil { first[row.member] = row.rank }
        if let before = now[row.member], before != row.rank { movedAt[row.member] = end - 1 }
        now[row.member] = row.rank
      }
    }
    return now.compactMap { member, to in
      guard let from = first[member], from != to, let at = movedAt[member] else { return nil }
      return NotificationRow(
        type: "rank_change", group: board.group, member: member, weekStart: board.week.text,
        challenge: board.type, from: from, to: to, at: at)
    }
  }

  private static func endOfStep(_ instant: Int64, _ step: Int64) -> Int64 {
    let remainder = instant % step
    return instant - (remainder < 0 ? remainder + step : remainder) + step
  }
}

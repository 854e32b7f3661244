extension Oracle {
  /// Every notification that a replay of weeks must leave where nobody reads any, by brute force.
  ///
  /// A week with an entry is told to each member who joined before its end, when the grace of
  /// 10 minutes is over. A rank is told where the final one is not that of the first step that
  /// ranked the member, last changed in the last step that moved it.
  ///
  /// - Parameters:
  ///   - lines: the lines replayed, in any order.
  ///   - step: how far the clock moved at once, in seconds.
  ///   - outage: instants, from one Monday to another, between which nobody is told: weeks that
  ///     ended then are closed at its end, and told if they ended less than 7 days before.
  package static func notifications(
    of lines: [CheckInLine], step: Int, outage: Range<Int64>? = nil
  ) -> [NotificationRow] {
    let step = Int64(step) * 1_000_000
    // The clock stands where the last step of the outage left it.
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
        // Closed at the end of the outage where its grace was over in it.
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

  /// Rules 71 and 72.
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

  /// Rules 62 to 67, with every step evaluated and no notification read.
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

/// A member's published place on a board, with the rank of the last notification about the place.
struct ModelStanding: Sendable {
  var value: Int
  var rank: Int
  var position: Int
  var told: Int?
  var toldValue = 0
  var toldAt: Int64?
  /// The number of the last notification about the rank.
  var notification: Int?
  /// The rank that is the starting rank of the last notification.
  var notificationFrom = 0
}

/// A notification to a member.
struct ModelNotification: Sendable {
  let type: String
  let user: String
  let group: String
  let week: OracleDate
  /// The content of the notification: the type of board and the ranks for a changed rank, or the
  /// scores for the end of a week.
  let about: String
  var from = 0
  var to = 0
  let createdAt: Int64
  var changedAt: Int64
  var isRead = false
  var isTakenBack = false
}

extension ChallengeModel {
  /// Ranks every open board from the board's entries.
  package mutating func publish() {
    for (place, board) in boards where board.state == .open { publish(place) }
  }

  /// Ranks and publishes the boards of a group's week (rules 48, 49, 51 and 53).
  mutating func publish(_ place: GroupWeek) {
    for type in BoardRow.Kind.allCases {
      let all = boards[place]?.entries[type] ?? [:]
      let entries = all.filter { $0.value.value > 0 && !$0.value.isHidden }
      let old = boards[place]?.standings[type] ?? [:]
      var new: [String: ModelStanding] = [:]
      for (user, entry) in entries {
        let better = entries.filter { $0.value.value > entry.value }
        let ahead = entries.filter { isAhead($0, (key: user, value: entry)) }
        let rank =
          switch settings.ranks {
          case "unique": ahead.count + 1
          case "dense": Set(better.map(\.value.value)).count + 1
          default: better.count + 1
          }
        var standing = old[user] ?? ModelStanding(value: 0, rank: 0, position: 0)
        (standing.value, standing.rank, standing.position) = (entry.value, rank, ahead.count + 1)
        new[user] = standing
      }
      // A notification always refers to a standing (rule 67).
      for (user, gone) in old where new[user] == nil {
        takeBack(unread(gone))
        if all[user]?.isHidden != false, let told = gone.told {
          boards[place]?.gone[type, default: []].append((user: user, told: told))
        }
      }
      boards[place]?.standings[type] = new
    }
  }

  private func isAhead(
    _ one: (key: String, value: ModelBoard.Entry), _ other: (key: String, value: ModelBoard.Entry)
  ) -> Bool {
    if one.value.value != other.value.value { return one.value.value > other.value.value }
    if one.value.reachedAt != other.value.reachedAt {
      return one.value.reachedAt < other.value.reachedAt
    }
    if one.value.joinedAt != other.value.joinedAt {
      return one.value.joinedAt < other.value.joinedAt
    }
    return Name(one.key) < Name(other.key)
  }

  // MARK: Changed ranks

  /// Returns the number of a standing's notification, if the notification is unread and has not
  /// expired (rules 62 and 92).
  private func unread(_ standing: ModelStanding) -> Int? {
    standing.notification.flatMap { number in
      let notification = notifications[number]
      return notification.isRead || notification.isTakenBack
        || notification.createdAt <= now - 7 * Self.day
        ? nil : number
    }
  }

  private mutating func takeBack(_ notification: Int?) {
    if let notification { notifications[notification].isTakenBack = true }
  }

  /// Notifies the members of every open board whose rank has changed.
  package mutating func tell() {
    tell(boards.filter { $0.value.state == .open }.keys.sorted())
  }

  mutating func tell(_ places: [GroupWeek]) {
    // The limit counts recent notifications, and new notifications of earlier boards.
    var recent = Dictionary(
      notifications.filter {
        $0.type == "rank_change" && !$0.isTakenBack && $0.createdAt > now - Self.day
      }.map { ($0.user, 1) }, uniquingKeysWith: +)
    for place in places {
      guard let board = boards[place] else { continue }
      for (type, standings) in board.standings.sorted(by: { $0.key < $1.key }) {
        let back = board.back[type] ?? []
        let moves = silentMoves(board.gone[type] ?? [], back, standings)
        boards[place]?.back[type] = back.filter {
          standings[$0.user] == nil && board.entries[type]?[$0.user]?.isHidden == false
        }
        for (user, standing) in standings {
          let written = notifications.count
          let next = told(
            standing, movedBy: moves[user] ?? 0, user, type, place, board, of: standings.count,
            recent[user] ?? 0)
          boards[place]?.standings[type]?[user] = next
          recent[user, default: 0] += notifications.count - written
        }
      }
      boards[place]?.gone = [:]
    }
  }

  /// Returns the change in other members' ranks that was caused by higher-ranked members who were
  /// hidden or shown again (rule 65).
  private func silentMoves(
    _ gone: [(user: String, told: Int)], _ back: [(user: String, value: Int)],
    _ standings: [String: ModelStanding]
  ) -> [String: Int] {
    // The users who have returned since the last notification to other members. If several values
    // are equal, only one of the values counts as a place.
    var came: [String: Int] = [:]
    for (user, value) in back where standings[user]?.told == nil && standings[user] != nil {
      came[user] = value
    }
    if settings.ranks == "dense" {
      let there = standings.values.filter { $0.told != nil }.map(\.toldValue)
      came = Dictionary(
        came.filter { !there.contains($0.value) }.map { ($0.value, $0.key) },
        uniquingKeysWith: { first, _ in first }
      ).reduce(into: [:]) { $0[$1.value] = $1.key }
    }
    let kept = Set(standings.values.compactMap(\.told))
    let left = gone.map(\.told)
    let places = settings.ranks == "dense" ? Array(Set(left).subtracting(kept)) : left
    return standings.compactMapValues { standing in
      standing.told.map { told in
        came.count { user, value in
          standing.toldValue < value
            || settings.ranks == "unique" && standing.toldValue == value
              // The order of two members in the last notification counts, unless the first member
              // was hidden at that time.
              && (gone.last { $0.user == user }.map { $0.told < told }
                ?? (standing.position > standings[user]?.position ?? 0))
        } - places.count { $0 < told }
      }
    }
  }

  /// Applies rules 62 to 68 for one member of a board.
  private mutating func told(
    _ before: ModelStanding, movedBy move: Int, _ user: String, _ type: BoardRow.Kind,
    _ place: GroupWeek,
    _ board: ModelBoard, of participants: Int, _ recent: Int
  ) -> ModelStanding {
    var standing = before
    standing.told = before.told.map { $0 + move }
    standing.notificationFrom += move
    var next = standing
    (next.told, next.toldValue) = (standing.rank, standing.value)
    guard let told = standing.told else { return next }
    let unread = unread(standing)
    if told == standing.rank {
      if move != 0 {
        takeBack(unread)
        next.notification = nil
      }
      return next
    }
    let isSilent =
      board.closings > 0 || place.end <= now - 7 * Self.day || participants < 2
      || standing.value < standing.toldValue
      || users[user]?.mutedGroups.contains(place.group) == true
    if isSilent {
      takeBack(unread)
      next.notification = nil
      return next
    }
    if settings.cooldown > 0, let at = standing.toldAt, at + settings.cooldown > now {
      return standing
    }
    if settings.dailyCap > 0, unread == nil, recent >= settings.dailyCap { return standing }
    next.toldAt = now
    if let unread {
      if standing.notificationFrom == standing.rank {
        takeBack(unread)
        next.notification = nil
      } else {
        notifications[unread].from = standing.notificationFrom
        notifications[unread].to = standing.rank
        notifications[unread].changedAt = now
      }
    } else {
      next.notification = notifications.count
      next.notificationFrom = told
      notifications.append(
        ModelNotification(
          type: "rank_change", user: user, group: place.group, week: place.week,
          about: type.rawValue, from: told, to: standing.rank, createdAt: now, changedAt: now))
    }
    return next
  }

  // MARK: Ended weeks

  /// Notifies the members about the end of a week when the board is closed (rules 71 to 75).
  mutating func tellWeekEnded(_ place: GroupWeek) {
    guard let board = boards[place], board.closings == 0, place.end > now - 7 * Self.day,
      board.standings.values.contains(where: { !$0.isEmpty })
    else { return }
    let before = boards[GroupWeek(group: place.group, week: place.week.adding(-7))]
    for (user, who) in users where !who.left.contains(place.group) {
      guard let joinedAt = who.joinedAt[place.group], joinedAt < place.end else { continue }
      let scores = BoardRow.Kind.allCases.flatMap { type in
        let standing = board.standings[type]?[user]
        let rankBefore = before?.finalRanks[type]?[user]
        return [standing?.rank, standing?.value, rankBefore]
      }
      notifications.append(
        ModelNotification(
          type: "week_ended", user: user, group: place.group, week: place.week,
          about: scores.map { $0.map(String.init) ?? "-" }.joined(separator: ","),
          createdAt: now, changedAt: now))
    }
  }

  /// Marks all visible notifications of a member as read.
  package mutating func read(_ user: String) {
    for number in notifications.indices
    where notifications[number].user == user && notifications[number].createdAt > now - 7 * Self.day
    {
      notifications[number].isRead = true
    }
  }

  /// The number of notifications of each type.
  package var told: [String: Int] {
    Dictionary(notifications.map { ($0.type, 1) }, uniquingKeysWith: +)
  }

  /// The visible notifications as lines of the form `type user group week about from to created
  /// changed read`.
  package var visibleNotifications: [String] {
    notifications.filter { !$0.isTakenBack && $0.createdAt > now - 7 * Self.day }.map {
      """
      \($0.type) \($0.user) \($0.group) \($0.week.text) \($0.about) \($0.from) \($0.to) \
      \($0.createdAt) \($0.changedAt) \($0.isRead)
      """
    }.sorted()
  }
}

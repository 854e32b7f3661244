/// The two boards of a group's week.
struct ModelBoard: Sendable {
  enum State: Sendable { case open, closed, gone }

  struct Entry: Hashable, Sendable {
    var value: Int
    var reachedAt: Int64
    var joinedAt: Int64
    var lastUpdated: Int64
    /// Whether the entry is hidden, because the user left the group in an open week or does not
    /// share workouts.
    var isHidden = false
  }

  var state = State.open
  var reopenedUntil: Int64?
  /// The number of times that the board was closed.
  var closings = 0
  /// The workouts that the board showed at its last close.
  var shown: Set<ModelCall.Key> = []
  var entries: [BoardRow.Kind: [String: Entry]] = [:]
  var standings: [BoardRow.Kind: [String: ModelStanding]] = [:]
  /// The users who were hidden at a publication, each with the rank in the last notification to the
  /// user.
  ///
  /// The list is reset when the other members are notified.
  var gone: [BoardRow.Kind: [(user: String, told: Int)]] = [:]
  /// The users who are shown again, with their values.
  ///
  /// A user is removed when the other members are notified while the user is on the board.
  var back: [BoardRow.Kind: [(user: String, value: Int)]] = [:]
  /// The rank of each user at the last close of the board.
  var finalRanks: [BoardRow.Kind: [String: Int]] = [:]
}

extension ChallengeModel {
  /// Derives one member's entries on the open boards of a group (rules 17, 21 to 24, 40 and 41).
  mutating func derive(_ user: String, in group: String) {
    let lines = ledger.values.filter {
      $0.call.key.user == user && $0.group == group && $0.isCounted
    }.map {
      CheckInLine(
        group: [], member: Array(user.utf8), instant: $0.instant, utcOffset: $0.offset, line: 0)
    }
    let joinedAt = users[user]?.joinedAt[group] ?? 0
    let member = OracleMember(name: Name(user), lines: lines, joinedAt: joinedAt)
    for (place, board) in boards where place.group == group && board.state == .open {
      for type in BoardRow.Kind.allCases {
        let derived = OracleBoard(
          group: Name(group), week: place.week, type: type, members: [member],
          limit: settings.limit, streak: settings.streak
        ).entry(of: member)
        let old = board.entries[type]?[user]
        guard derived != nil || old != nil else { continue }
        let value = derived?.value ?? 0
        let isHidden = old?.isHidden ?? isAway(user, place)
        boards[place]?.entries[type, default: [:]][user] = ModelBoard.Entry(
          value: value, reachedAt: derived?.reachedAt ?? old?.reachedAt ?? 0, joinedAt: joinedAt,
          lastUpdated: value == old?.value ? old?.lastUpdated ?? 0 : now,
          isHidden: isHidden)
      }
    }
  }

  /// Returns whether a new entry of a user is hidden.
  private func isAway(_ user: String, _ place: GroupWeek) -> Bool {
    guard let who = users[user] else { return true }
    return !who.sharesWorkouts || who.leftAt[place.group].map { $0 < place.end } ?? false
  }

  /// Hides a user who leaves a group on all open boards of the group (rule 81).
  mutating func withdraw(_ user: String, from group: String) {
    for (place, board) in boards where place.group == group && board.state == .open {
      for type in BoardRow.Kind.allCases { boards[place]?.entries[type]?[user]?.isHidden = true }
    }
  }

  /// Returns whether a week's grace period has ended and the week is neither closed nor reopened.
  private func isDue(_ place: GroupWeek, _ board: ModelBoard) -> Bool {
    board.state == .open && place.end + settings.grace <= now
      && board.reopenedUntil.map { $0 <= now } ?? true
  }

  /// Ranks and closes all due weeks, and notifies the members (rules 13, 30, 63 and 71 to 76).
  package mutating func close() {
    for place in boards.filter({ isDue($0.key, $0.value) }).keys.sorted() {
      publish(place)
      tell([place])
      boards[place]?.state = .closed
      boards[place]?.shown = Set(
        ledger.filter {
          $0.value.isCounted && $0.value.group == place.group && $0.value.week == place.week
        }.keys)
      tellWeekEnded(place)
      boards[place]?.closings += 1
      for (type, standings) in boards[place]?.standings ?? [:] {
        boards[place]?.finalRanks[type] = standings.mapValues(\.rank)
      }
    }
  }

  /// The weeks that an operator can reopen, each as a group and a Monday.
  package var closedWeeks: [(group: String, monday: String)] {
    boards.filter { $0.value.state == .closed }.keys.sorted().map { ($0.group, $0.week.text) }
  }

  /// Reopens a week (rule 36).
  ///
  /// An entry with the value 0 at the close was not visible, and is treated as a new entry.
  package mutating func reopen(_ group: String, _ monday: String, for length: Int64) {
    guard
      let place = boards.keys.first(where: { $0.group == group && $0.week.text == monday })
    else { return }
    boards[place]?.state = .open
    boards[place]?.reopenedUntil = now + length
    for (type, entries) in boards[place]?.entries ?? [:] {
      for (user, entry) in entries where entry.value == 0 && users[user] != nil {
        let isAway = isAway(user, place)
        boards[place]?.entries[type]?[user]?.isHidden = isAway
      }
    }
    for user in users.keys { derive(user, in: group) }
  }

  /// Deletes expired boards (rule 94).
  package mutating func purge() {
    for (place, board) in boards
    where board.state == .closed && place.end < now - settings.boardAge {
      boards[place]?.state = .gone
      boards[place]?.entries = [:]
      boards[place]?.standings = [:]
    }
  }

  // MARK: What tables hold

  /// Returns the user's id, or an invented id if the account was deleted.
  private static func shown(_ user: String) -> String {
    user.hasPrefix("former-") ? "former" : user
  }

  private var places: [(place: GroupWeek, board: ModelBoard)] {
    boards.filter { $0.value.state != .gone }.map { ($0.key, $0.value) }
  }

  /// The boards as lines of the form `group week state`.
  package var states: [String] {
    places.map { "\($0.place.group) \($0.place.week.text) \($0.board.state)" }.sorted()
  }

  /// The entries as lines of the form `group week type user value reached joined updated hidden`.
  ///
  /// Times are in microseconds since 1970.
  package var entries: [String] {
    places.flatMap { place, board in
      board.entries.flatMap { type, entries in
        entries.map { user, entry in
          """
          \(place.group) \(place.week.text) \(type.rawValue) \(Self.shown(user)) \(entry.value) \
          \(entry.reachedAt) \(entry.joinedAt) \(entry.lastUpdated) \(entry.isHidden)
          """
        }
      }
    }.sorted()
  }

  /// The standings as lines of the form `group week type user value rank position`.
  package var standings: [String] {
    places.flatMap { place, board in
      board.standings.flatMap { type, standings in
        standings.map { user, standing in
          """
          \(place.group) \(place.week.text) \(type.rawValue) \(Self.shown(user)) \(standing.value) \
          \(standing.rank) \(standing.position)
          """
        }
      }
    }.sorted()
  }
}

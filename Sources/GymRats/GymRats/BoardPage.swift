import ChallengesPostgres

/// Formats boards as text.
struct BoardPage {
  /// The text that is printed if there are no boards.
  static let none = "no standings\n"

  private let boards: [BoardText]

  init(_ standings: [Standing]) {
    var parts = BoardParts()
    boards = parts.add(standings) + parts.end()
  }

  /// The boards as text, separated by empty lines.
  var text: String {
    guard !boards.isEmpty else { return Self.none }
    let width = boards.map(\.width).max() ?? 0
    return boards.map { $0.text(width: width) }.joined(separator: "\n")
  }
}

/// Divides a list of standings into boards, page by page.
struct BoardParts {
  /// The standings of the current board, which may continue on the next page.
  private var started: [Standing] = []

  /// Adds a page, and returns the boards that end on this page.
  mutating func add(_ page: [Standing]) -> [BoardText] {
    var boards: [BoardText] = []
    for standing in page {
      if let first = started.first, !first.isOnBoard(of: standing) { boards += end() }
      started.append(standing)
    }
    return boards
  }

  /// Ends the current board, and returns it in a list.
  ///
  /// Call this method after the last page, to get the last board. If no standings were added, the
  /// list is empty.
  mutating func end() -> [BoardText] {
    guard !started.isEmpty else { return [] }
    defer { started = [] }
    return [BoardText(started)]
  }
}

/// Formats one board as text.
struct BoardText {
  private let standings: [Standing]
  private let names: [String]

  /// Creates the text for the standings of one board.
  fileprivate init(_ standings: [Standing]) {
    self.standings = standings
    // Names are compared with the `==` operator of `String`, which treats different encodings of
    // the same text as equal.
    let all = Dictionary(grouping: standings, by: \.member)
    names = standings.map { standing in
      all[standing.member]?.count == 1
        ? standing.member : "\(standing.member) (\(standing.userID))"
    }
  }

  /// The length of the longest name on the board.
  ///
  /// For members with the same name, the length includes the appended user id.
  var width: Int { names.map(\.count).max() ?? 0 }

  /// Returns the board's heading and one line for each member, with names padded to `width`.
  func text(width: Int) -> String {
    let heading = standings.prefix(1).map { "\($0.group) · week of \($0.weekStart) · \($0.type)" }
    let lines = zip(standings, names).map { line($0, $1, width: width) }
    return (heading + lines).joined(separator: "\n") + "\n"
  }

  private func line(_ standing: Standing, _ name: String, width: Int) -> String {
    let rank = String(standing.rank).leftPadded(to: 4)
    let member = name + String(repeating: " ", count: width - name.count)
    let value = String(standing.value).leftPadded(to: 4)
    let bar = String(repeating: "▪", count: min(max(0, Int(standing.value)), 30))
    return "\(rank)  \(member)  \(value) \(moved(standing)) \(bar)"
  }

  /// Returns the change in the member's rank since the previous week, as text.
  private func moved(_ standing: Standing) -> String {
    guard let before = standing.rankBefore else { return " new" }
    if before == standing.rank { return "   =" }
    let arrow = before > standing.rank ? "↑" : "↓"
    return "\(arrow)\(abs(before - standing.rank))".leftPadded(to: 4)
  }
}

extension Standing {
  /// Returns whether another standing belongs to the same board as this one.
  ///
  /// Ids are compared byte by byte.
  fileprivate func isOnBoard(of other: Standing) -> Bool {
    group.utf8.elementsEqual(other.group.utf8)
      && weekStart.utf8.elementsEqual(other.weekStart.utf8)
      && type.utf8.elementsEqual(other.type.utf8)
  }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

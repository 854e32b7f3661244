/// One member's place on one board, as `gymrats board --json` prints it.
package struct BoardRow: Hashable, Sendable {
  /// The type of a board; the raw value is the word in the JSON.
  package enum Kind: String, CaseIterable, Sendable, Comparable {
    /// The number of workouts in the week.
    case checkIns = "check-ins"
    /// The longest run of days.
    case streak

    /// Check-ins come first.
    package static func < (left: Kind, right: Kind) -> Bool {
      left == .checkIns && right == .streak
    }
  }

  /// The group's name.
  package let group: Name
  /// The Monday of the week, `YYYY-MM-DD`.
  package let weekStart: String
  /// What the board counts.
  package let type: Kind
  /// The member's name.
  package let member: Name
  /// Workouts, or days of a streak.
  package let value: Int
  /// Competition rank on the value alone.
  package let rank: Int
  /// Place in the list, 1...n, without ties.
  package let position: Int

  /// Puts a row together from its parts.
  package init(
    group: Name, weekStart: String, type: Kind, member: Name, value: Int, rank: Int, position: Int
  ) {
    self.group = group
    self.weekStart = weekStart
    self.type = type
    self.member = member
    self.value = value
    self.rank = rank
    self.position = position
  }
}

extension BoardRow: Comparable {
  /// Orders by group bytes, week, type and position.
  ///
  /// The rest takes part so that two different rows are never equal in order.
  package static func < (left: BoardRow, right: BoardRow) -> Bool {
    if left.group != right.group { return left.group < right.group }
    if left.weekStart != right.weekStart { return left.weekStart < right.weekStart }
    if left.type != right.type { return left.type < right.type }
    if left.position != right.position { return left.position < right.position }
    if left.member != right.member { return left.member < right.member }
    return (left.value, left.rank) < (right.value, right.rank)
  }
}

extension BoardRow: CustomStringConvertible {
  /// The row for a failure message, with names that cannot be mistaken.
  package var description: String {
    "\(group) \(weekStart) \(type.rawValue) \(member) \(standing)"
  }

  /// The part of the row that was computed.
  var standing: String { "value \(value) rank \(rank) position \(position)" }
}

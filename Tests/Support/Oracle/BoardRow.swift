/// One member's place on one board, as `gymrats board --json` prints it.
package struct BoardRow: Hashable, Sendable {
  /// The type of a board.
  ///
  /// The raw value is used in JSON.
  package enum Kind: String, CaseIterable, Sendable, Comparable {
    /// The number of workouts in the week.
    case checkIns = "check-ins"
    /// The longest run of consecutive days.
    case streak

    /// Orders `checkIns` before `streak`.
    package static func < (left: Kind, right: Kind) -> Bool {
      left == .checkIns && right == .streak
    }
  }

  /// The group's name.
  package let group: Name
  /// The Monday of the week, as `YYYY-MM-DD`.
  package let weekStart: String
  /// The quantity that the board counts.
  package let type: Kind
  /// The member's name.
  package let member: Name
  /// The number of workouts, or the number of days of a streak.
  package let value: Int
  /// The competition rank, which depends only on the value.
  package let rank: Int
  /// The unique position on the board, starting at 1.
  package let position: Int

  /// Creates a row from its parts.
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
  /// Orders rows by the bytes of the group, by week, by type and by position.
  ///
  /// The other properties are compared last, so that distinct rows always have a defined order.
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
  /// The row as text for failure messages, with escaped names.
  package var description: String {
    "\(group) \(weekStart) \(type.rawValue) \(member) \(standing)"
  }

  /// The computed part of the row as text.
  var standing: String { "value \(value) rank \(rank) position \(position)" }
}

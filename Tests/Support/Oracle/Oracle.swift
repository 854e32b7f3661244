/// What every board of a file of check-ins must be, by brute force from the rules alone.
///
/// It exists to disagree: it shares neither code nor ideas with the system under test, keeps
/// nothing between two boards, and prefers the wording of the rules to speed. Rule numbers are
/// those of the semantics.
package enum Oracle {
  /// Every board that a replay of these lines must leave behind.
  ///
  /// In a replay every line is a workout of its own, equal lines too, and is accepted on time;
  /// its UTC offset is its zone; a user is a (group, member) pair.
  ///
  /// - Parameters:
  ///   - lines: the lines replayed, in any order; those out of range are left out by the caller, so
  ///     that nobody joins with them and no streak is carried in from them.
  ///   - joinedAt: when everybody joined; nil: each with their earliest line.
  /// - Returns: the rows by group bytes, week, type (check-ins first) and position.
  package static func boards(of lines: [CheckInLine], joinedAt: Int64? = nil) -> [BoardRow] {
    let groups = Dictionary(grouping: lines) { Name($0.group) }
    return groups.keys.sorted().flatMap {
      boards(of: $0, with: groups[$0] ?? [], joinedAt)
    }
  }

  private static func boards(
    of group: Name, with lines: [CheckInLine], _ joinedAt: Int64?
  ) -> [BoardRow] {
    let members = Dictionary(grouping: lines) { Name($0.member) }
      .map { OracleMember(name: $0, lines: $1, joinedAt: joinedAt) }
    let weeks = Set(members.flatMap(\.workoutsByWeek.keys))
    return weeks.sorted().flatMap { week in
      BoardRow.Kind.allCases.flatMap { type in
        OracleBoard(group: group, week: week, type: type, members: members).rows()
      }
    }
  }
}

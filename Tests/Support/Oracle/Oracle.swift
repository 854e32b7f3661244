/// Computes the expected boards for a file of check-ins, directly from the rules and by brute
/// force.
///
/// The oracle detects mistakes of the tested system, and shares no code with the system. The oracle
/// stores nothing between two boards, and follows the wording of the rules even if the code is
/// slow. The rule numbers are the numbers in the specification.
package enum Oracle {
  /// Returns all boards that must exist after a replay of the given lines.
  ///
  /// In a replay, every line is a separate workout, even if two lines are equal, and every workout
  /// is accepted in time. The UTC offset of a line is the time zone of the workout. A user is a
  /// pair of a group and a member.
  ///
  /// - Parameters:
  ///   - lines: the replayed lines, in any order. The caller omits lines outside the replayed
  ///     range, so that the omitted lines do not affect memberships and streaks.
  ///   - joinedAt: the instant at which all members joined. If `joinedAt` is nil, each member joins
  ///     with the member's earliest line.
  /// - Returns: the rows, ordered by the bytes of the group, by week, by type (check-ins first) and
  ///   by position.
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

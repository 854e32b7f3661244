/// The rule for ranking members with equal values.
public enum RankPolicy: String, CaseIterable, Codable, Hashable, Sendable {
  /// Equal values share a rank, and the next rank is skipped: 1, 2, 2, 4.
  case competition
  /// Each member has a unique rank: 1, 2, 3, 4.
  ///
  /// Of members with equal values, the one who reached the value first is ranked higher.
  case unique
  /// Equal values share a rank, and no rank is skipped: 1, 2, 2, 3.
  case dense
}

/// Computes the ranks on a board from the members' values and the times that break ties.
public enum Ranking {
  /// A member's value and the times that break ties.
  public struct Contender: Hashable, Sendable {
    /// The user's id.
    public let id: String
    /// The member's value, where a higher value is better.
    ///
    /// A member with a value of 0 is not ranked.
    public let value: Int
    /// The time when the value was reached, and the time when the member joined, both in
    /// microseconds since 1970.
    public let reachedAt, joinedAt: Int64

    /// Creates a contender from a member's value.
    public init(id: String, value: Int, reachedAt: Int64, joinedAt: Int64) {
      self.id = id
      self.value = value
      self.reachedAt = reachedAt
      self.joinedAt = joinedAt
    }
  }

  /// Returns the contenders with their ranks, in display order.
  public static func ranked(
    _ contenders: [Contender], by policy: RankPolicy = .competition
  ) -> [(contender: Contender, rank: Int)] {
    let ordered = contenders.filter { $0.value > 0 }.sorted(by: isAhead)
    var ranked: [(contender: Contender, rank: Int)] = []
    for (index, contender) in ordered.enumerated() {
      let isTied = index > 0 && ordered[index - 1].value == contender.value
      let last = ranked.last?.rank ?? 0
      let rank =
        switch policy {
        case .unique: index + 1
        case .competition: isTied ? last : index + 1
        case .dense: isTied ? last : last + 1
        }
      ranked.append((contender, rank))
    }
    return ranked
  }

  private static func isAhead(_ one: Contender, _ other: Contender) -> Bool {
    let (left, right) = (
      (-one.value, one.reachedAt, one.joinedAt), (-other.value, other.reachedAt, other.joinedAt)
    )
    // The ids are compared by bytes, as in the database. The `<` operator for strings follows the
    // Unicode tables, which the database does not use.
    return left == right ? one.id.utf8.lexicographicallyPrecedes(other.id.utf8) : left < right
  }
}

/// How ties are ranked.
public enum RankPolicy: String, CaseIterable, Codable, Hashable, Sendable {
  /// 1, 2, 2, 4.
  case competition
  /// 1, 2, 3, 4: of two equal values, the one that was reached first is ranked higher.
  case unique
  /// 1, 2, 2, 3.
  case dense
}

/// Places on a board, from values alone.
public enum Ranking {
  /// What decides a member's place.
  public struct Contender: Hashable, Sendable {
    /// The user's id.
    public let id: String
    /// The more the better; 0 is not ranked.
    public let value: Int
    /// When the value was reached, and when the member joined, in microseconds since 1970.
    public let reachedAt, joinedAt: Int64

    /// A member with a value.
    public init(id: String, value: Int, reachedAt: Int64, joinedAt: Int64) {
      self.id = id
      self.value = value
      self.reachedAt = reachedAt
      self.joinedAt = joinedAt
    }
  }

  /// The contenders in the order in which they are shown, with their ranks.
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
    // By bytes: `<` of texts follows Unicode's tables, which the database does not.
    return left == right ? one.id.utf8.lexicographicallyPrecedes(other.id.utf8) : left < right
  }
}

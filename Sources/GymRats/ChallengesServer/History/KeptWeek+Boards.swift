public import Challenges

/// One place of a board as it was.
public struct KeptPlace: Sendable, Hashable, Decodable {
  /// What the board counts.
  public let type: ChallengeType
  /// The user's id, and the name of now; of a deleted account what its place says.
  public let user, name: String
  /// Workouts, or the length of the streak.
  public let value: Int
  /// As they were.
  public let rank, position: Int
}

extension KeptWeek {
  /// The week's boards as they were at an instant, check-ins first, each by position.
  ///
  /// A board that had been closed by then, and was not reopened later, is the one that is kept. Every other is
  /// derived from what the ledger said then, as if it had been published at once.
  ///
  /// - Parameter instant: microseconds since 1970.
  public func places(at instant: Int64) -> [KeptPlace] {
    ChallengeType.allCases.flatMap { type -> [KeptPlace] in
      guard let board = DerivedBoard(type, of: self, at: instant) else { return [] }
      guard !board.isFinal else { return standings.filter { $0.type == type } }
      return board.places.map {
        KeptPlace(
          type: type, user: $0.user, name: $0.name, value: $0.value, rank: $0.rank,
          position: $0.position)
      }
    }
  }
}

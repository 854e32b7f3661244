public import Challenges

/// A member's place on a board at a past time.
public struct KeptPlace: Sendable, Hashable, Decodable {
  /// The quantity that the board counts.
  public let type: ChallengeType
  /// The user's id and current name.
  ///
  /// If the account was deleted, the values are the id and the name in the stored standing.
  public let user, name: String
  /// The number of workouts, or the length of the streak in days.
  public let value: Int
  /// The member's rank and position on the board.
  public let rank, position: Int
}

extension KeptWeek {
  /// Returns the places on the week's boards at a given time.
  ///
  /// The places on the check-in board come before those on the streak board. The places on each
  /// board are ordered by position.
  ///
  /// If a board was closed at the given time and was not reopened later, its stored standings are
  /// returned. A board that was open at the given time, or was reopened later, is derived from the
  /// ledger. A derived board contains all changes that were in the ledger at the given time, even
  /// if they were published later.
  ///
  /// - Parameter instant: The time in microseconds since 1970.
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

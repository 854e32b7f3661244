public import Foundation

/// A group, a week and what is counted there; with its entries and standings it is a board.
public enum Challenge {
  /// The id of a challenge and of its board, the same whoever creates it.
  public struct ID: Hashable, Sendable, LosslessStringConvertible {
    /// A version 8 UUID.
    public let uuid: UUID

    /// An id by its UUID.
    public init(_ uuid: UUID) { self.uuid = uuid }

    /// An id from its text; nil where it is not a UUID.
    public init?(_ text: String) {
      guard let uuid = UUID(uuidString: text) else { return nil }
      self.uuid = uuid
    }

    /// For people and logs.
    public var description: String { uuid.uuidString.lowercased() }
  }
}

/// What a challenge counts.
///
/// The raw values are what goes over the wire.
public enum ChallengeType: String, CaseIterable, Codable, Hashable, Sendable {
  /// Workouts in the week.
  case checkIns = "check-ins"
  /// The longest run of consecutive local dates that reaches into the week.
  case streak
}

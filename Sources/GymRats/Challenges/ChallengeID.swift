public import Foundation
import SHA256

/// The id of a challenge and its board.
///
/// Every device and the server derive the same id for the same challenge.
public struct ChallengeID: Hashable, Sendable, LosslessStringConvertible {
  /// A version 8 UUID.
  public let uuid: UUID

  /// Creates an id from a UUID.
  public init(_ uuid: UUID) { self.uuid = uuid }

  /// Creates an id from a string, or returns nil if it is not a UUID.
  public init?(_ text: String) {
    guard let uuid = UUID(uuidString: text) else { return nil }
    self.uuid = uuid
  }

  /// The UUID in lower case, for display and logs.
  public var description: String { uuid.uuidString.lowercased() }
}

extension ChallengeID {
  /// Computes the id of a group's challenge without a query.
  ///
  /// The `challenge_id` SQL function derives the same id.
  public init(groupId: String, week: Week, type: ChallengeType) {
    // The type and the day contain no `/`, so each challenge has a different string.
    let text = "\(type.rawValue)/\(week.startDay)/\(groupId)"
    var bytes = SHA256Digest.bytes(of: text.utf8)
    bytes[6] = bytes[6] & 15 | 128
    bytes[8] = bytes[8] & 63 | 128
    self.init(
      UUID(
        uuid: (
          bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
          bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
        )))
  }
}

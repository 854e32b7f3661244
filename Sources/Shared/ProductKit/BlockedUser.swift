public import Foundation

/// A user whom the actor has blocked.
public struct BlockedUser: Codable, Hashable, Sendable, Identifiable {
  /// The id of the blocked user.
  public let id: String
  /// The name of the blocked user.
  public let displayName: String
  /// The address of the blocked user's photo, or nil if the user has no photo.
  public let photoURL: URL?
  /// The time when the actor blocked the user.
  public let blockedAt: Date

  /// Creates a value.
  public init(id: String, displayName: String, photoURL: URL? = nil, blockedAt: Date) {
    self.id = id
    self.displayName = displayName
    self.photoURL = photoURL
    self.blockedAt = blockedAt
  }
}

public import Foundation

/// A user of challenges, with all that the user themselves can see.
public struct SocialUser: Codable, Hashable, Sendable, Identifiable {
  /// What the provider of identities calls them.
  public let id: String
  /// What others read.
  public var displayName: String
  /// Whether the name was made up, because the provider did not send one: an app then asks for a name.
  public var asksForName: Bool
  /// Their address, if the provider sends it; other users never see it.
  public var email: String?
  /// Their picture.
  public var photoURL: URL?
  /// The identity provider that vouches for them.
  public var authProvider: AuthProvider
  /// The one group that they are in.
  public var currentGroupId: String?
  /// What they share.
  public var privacySettings: PrivacySettings
  /// When they signed in for the first time.
  public let createdAt: Date

  /// A user.
  public init(
    id: String, displayName: String, asksForName: Bool = false, email: String? = nil,
    photoURL: URL? = nil, authProvider: AuthProvider, currentGroupId: String? = nil,
    privacySettings: PrivacySettings = PrivacySettings(), createdAt: Date
  ) {
    self.id = id
    self.displayName = displayName
    self.asksForName = asksForName
    self.email = email
    self.photoURL = photoURL
    self.authProvider = authProvider
    self.currentGroupId = currentGroupId
    self.privacySettings = privacySettings
    self.createdAt = createdAt
  }
}

/// What a user shares with their group.
public struct PrivacySettings: Codable, Hashable, Sendable {
  /// Whether workouts leave the phone at all.
  public var shareWorkoutData: Bool

  /// Settings; a new user shares.
  public init(shareWorkoutData: Bool = true) { self.shareWorkoutData = shareWorkoutData }
}

/// The identity provider that vouches for a user.
public enum AuthProvider: String, CaseIterable, Codable, Hashable, Sendable {
  /// Sign in with Apple.
  case apple
  /// Google Sign-In.
  case google
  /// An address and a password, which only the provider knows.
  case email
}

/// People who compare their workouts.
public struct Group: Codable, Hashable, Sendable, Identifiable {
  /// A UUID that the phone chose, so that a repeated call makes no second group.
  public let id: String
  /// What its members call it.
  public var name: String
  /// When it was made.
  public let createdAt: Date
  /// The id of the user who made it; nil: the operator did, or the account is gone.
  public let createdBy: String?
  /// How many are in it now.
  public var memberCount: Int
  /// False once the group was deleted or all members have left.
  public var isActive: Bool

  /// A group.
  public init(
    id: String, name: String, createdAt: Date, createdBy: String?, memberCount: Int, isActive: Bool
  ) {
    self.id = id
    self.name = name
    self.createdAt = createdAt
    self.createdBy = createdBy
    self.memberCount = memberCount
    self.isActive = isActive
  }
}

/// A member of a group, as the other members see them.
public struct GroupMember: Codable, Hashable, Sendable, Identifiable {
  /// The user's id.
  public let id: String
  /// What others read.
  public var displayName: String
  /// Their picture.
  public var photoURL: URL?
  /// Since when their workouts count.
  public let joinedAt: Date
  /// What they may do.
  public var role: GroupRole
  /// False once they have left.
  public var isActive: Bool

  /// A member.
  public init(
    id: String, displayName: String, photoURL: URL? = nil, joinedAt: Date, role: GroupRole,
    isActive: Bool
  ) {
    self.id = id
    self.displayName = displayName
    self.photoURL = photoURL
    self.joinedAt = joinedAt
    self.role = role
    self.isActive = isActive
  }
}

/// What a member may do.
public enum GroupRole: String, CaseIterable, Codable, Hashable, Sendable {
  /// Remove members, promote them, delete the group.
  case admin
  /// Take part, invite, leave.
  case member
}

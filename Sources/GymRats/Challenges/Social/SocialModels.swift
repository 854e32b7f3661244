public import Foundation

/// A user of the app, including the data that only this user can see.
public struct SocialUser: Codable, Hashable, Sendable, Identifiable {
  /// The user's id at the identity provider.
  public let id: String
  /// The name that other users see.
  public var displayName: String
  /// Whether the name was generated because the provider did not send one.
  ///
  /// If the name was generated, an app asks the user for a name.
  public var asksForName: Bool
  /// The user's email address, if the provider sends it.
  ///
  /// Other users never see the address.
  public var email: String?
  /// The URL of the user's photo.
  public var photoURL: URL?
  /// The identity provider of the account.
  public var authProvider: AuthProvider
  /// The id of the user's group, or nil if the user is not in a group.
  public var currentGroupId: String?
  /// The settings for the data that the user shares.
  public var privacySettings: PrivacySettings
  /// The instant of the user's first sign-in.
  public let createdAt: Date

  /// Creates a user.
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

/// The settings for the data that a user shares with the group.
public struct PrivacySettings: Codable, Hashable, Sendable {
  /// Whether the phone sends workouts to the server.
  public var shareWorkoutData: Bool

  /// Creates settings, by default the settings of a new user, who shares workouts.
  public init(shareWorkoutData: Bool = true) { self.shareWorkoutData = shareWorkoutData }
}

/// An identity provider.
public enum AuthProvider: String, CaseIterable, Codable, Hashable, Sendable {
  /// Sign in with Apple.
  case apple
  /// Google Sign-In.
  case google
  /// Sign-in with an email address and a password, which only the provider stores.
  case email
}

/// A group of users who compare their workouts.
public struct Group: Codable, Hashable, Sendable, Identifiable {
  /// The group's id, a UUID that the phone chooses.
  ///
  /// If a call is repeated with the same id, no second group is created.
  public let id: String
  /// The group's name.
  public var name: String
  /// The instant at which the group was created.
  public let createdAt: Date
  /// The id of the user who created the group.
  ///
  /// The id is nil if the operator created the group or if the account was deleted.
  public let createdBy: String?
  /// The current number of members.
  public var memberCount: Int
  /// Whether the group is active.
  ///
  /// The value is false if the group was deleted or all members have left.
  public var isActive: Bool

  /// Creates a group.
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

/// A member of a group, with the data that the other members can see.
public struct GroupMember: Codable, Hashable, Sendable, Identifiable {
  /// The user's id.
  public let id: String
  /// The name that other members see.
  public var displayName: String
  /// The URL of the member's photo.
  public var photoURL: URL?
  /// The instant from which the member's workouts are counted in this group.
  public let joinedAt: Date
  /// The member's role.
  public var role: GroupRole
  /// Whether the member is still in the group.
  public var isActive: Bool

  /// Creates a member.
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

/// The role of a member, which determines the permitted calls.
public enum GroupRole: String, CaseIterable, Codable, Hashable, Sendable {
  /// An admin may remove members, promote members and delete the group.
  case admin
  /// A member may take part, invite users and leave.
  case member
}

public import Foundation
public import ProductKit

/// People who meet at a place.
public struct LocationGroup: Codable, Hashable, Sendable, Identifiable {
  /// A UUID that the phone chose, so that a repeated call makes no second group.
  public let id: String
  /// What its members call it.
  public var name: String
  /// Where they meet.
  public var shape: GroupShape
  /// Whether any user may find and join it.
  public var isPublic: Bool
  /// The name of the group's time zone; its dates are the group's dates.
  public var timeZone: String
  /// How many are in it now.
  public var memberCount: Int
  /// The most members that it may have.
  public var maxMembers: Int
  /// False once the group was deleted or all members have left.
  public var isActive: Bool
  /// When it was made.
  public let createdAt: Date
  /// The id of the user who made it; nil: the operator made it, or the account is gone.
  public let createdBy: String?

  /// A group.
  public init(
    id: String, name: String, shape: GroupShape, isPublic: Bool, timeZone: String, memberCount: Int,
    maxMembers: Int, isActive: Bool = true, createdAt: Date, createdBy: String? = nil
  ) {
    self.id = id
    self.name = name
    self.shape = shape
    self.isPublic = isPublic
    self.timeZone = timeZone
    self.memberCount = memberCount
    self.maxMembers = maxMembers
    self.isActive = isActive
    self.createdAt = createdAt
    self.createdBy = createdBy
  }

  /// Reads a group.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    id = try fields.id(.id)
    name = try fields.decode(String.self, forKey: .name)
    shape = try fields.decode(GroupShape.self, forKey: .shape)
    isPublic = try fields.decode(Bool.self, forKey: .isPublic)
    timeZone = try fields.timeZone(.timeZone)
    memberCount = try fields.count(.memberCount)
    maxMembers = try fields.count(.maxMembers)
    isActive = try fields.decode(Bool.self, forKey: .isActive)
    createdAt = try fields.decode(Date.self, forKey: .createdAt)
    createdBy = try fields.idIfPresent(.createdBy)
    try fields.require(maxMembers > 0, .maxMembers, "a group has room for somebody")
  }

  /// Whether the group is full, so that no other user can join.
  public var isFull: Bool { memberCount >= maxMembers }

  /// Whether a place is where they meet.
  public func contains(_ place: Coordinate) -> Bool { shape.contains(place) }

  /// The group's date at an instant; nil where this device does not know the time zone.
  public func localDate(at instant: Date) -> LocalDate? {
    TimeZone(identifier: timeZone).map { LocalDate(instant, in: $0) }
  }
}

/// What a member may do.
public enum GroupRole: String, CaseIterable, Codable, Hashable, Sendable {
  /// Change the group, remove members, promote them, make invites, delete the group.
  case admin
  /// Be there, talk, leave.
  case member
}

/// A member of a group, as the other members see them.
public struct GroupMember: Codable, Hashable, Sendable, Identifiable {
  /// The user's id.
  public let userId: String
  /// What others read.
  public var displayName: String
  /// Their picture.
  public var photoURL: URL?
  /// What they may do.
  public var role: GroupRole
  /// Since when they are in it.
  public let joinedAt: Date

  /// A member.
  public init(
    userId: String, displayName: String, photoURL: URL? = nil, role: GroupRole, joinedAt: Date
  ) {
    self.userId = userId
    self.displayName = displayName
    self.photoURL = photoURL
    self.role = role
    self.joinedAt = joinedAt
  }

  /// Reads a member.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    userId = try fields.id(.userId)
    displayName = try fields.decode(String.self, forKey: .displayName)
    photoURL = try fields.decodeIfPresent(URL.self, forKey: .photoURL)
    role = try fields.decode(GroupRole.self, forKey: .role)
    joinedAt = try fields.decode(Date.self, forKey: .joinedAt)
  }

  /// The user's.
  public var id: String { userId }

  /// Whether they are an admin.
  public var isAdmin: Bool { role == .admin }

  /// Up to two letters, shown if the picture is missing.
  public var initials: String { Initials.of(displayName) }
}

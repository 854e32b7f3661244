public import Foundation
public import ProductKit

/// A group of users who meet at a place.
public struct LocationGroup: Codable, Hashable, Sendable, Identifiable {
  /// The group's id, a UUID that the phone chooses.
  ///
  /// If a call is repeated with the same id, no second group is created.
  public let id: String
  /// The group's name.
  public var name: String
  /// The shape of the place where the group meets.
  public var shape: GroupShape
  /// Whether any user may find and join the group.
  public var isPublic: Bool
  /// The name of the time zone in which the group's dates are computed.
  public var timeZone: String
  /// The current number of members.
  public var memberCount: Int
  /// The maximum number of members.
  public var maxMembers: Int
  /// Whether the group is active.
  ///
  /// The value is false if the group was deleted or all members have left.
  public var isActive: Bool
  /// The time when the group was created.
  public let createdAt: Date
  /// The id of the user who created the group.
  ///
  /// The id is nil if the operator created the group or if the account was deleted.
  public let createdBy: String?

  /// Creates a group.
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

  /// Decodes a group.
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
    try fields.require(maxMembers > 0, .maxMembers, "a group has room for at least one member")
  }

  /// Whether the group is full, so no more users can join.
  public var isFull: Bool { memberCount >= maxMembers }

  /// Returns whether a place is inside the group's shape.
  public func contains(_ place: Coordinate) -> Bool { shape.contains(place) }

  /// Returns the group's date at a given time, or nil if this device does not know the group's time
  /// zone.
  public func localDate(at instant: Date) -> LocalDate? {
    TimeZone(identifier: timeZone).map { LocalDate(instant, in: $0) }
  }
}

/// A member's role, which determines the permitted calls.
public enum GroupRole: String, CaseIterable, Codable, Hashable, Sendable {
  /// An admin may change and delete the group, remove and promote members, and create invites.
  case admin
  /// A member may check in, send messages and leave.
  case member
}

/// A member of a group, with the data that the other members can see.
public struct GroupMember: Codable, Hashable, Sendable, Identifiable {
  /// The user's id.
  public let userId: String
  /// The name that other members see.
  public var displayName: String
  /// The URL of the member's photo.
  public var photoURL: URL?
  /// The member's role.
  public var role: GroupRole
  /// The time when the member joined.
  public let joinedAt: Date

  /// Creates a member.
  public init(
    userId: String, displayName: String, photoURL: URL? = nil, role: GroupRole, joinedAt: Date
  ) {
    self.userId = userId
    self.displayName = displayName
    self.photoURL = photoURL
    self.role = role
    self.joinedAt = joinedAt
  }

  /// Decodes a member.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    userId = try fields.id(.userId)
    displayName = try fields.decode(String.self, forKey: .displayName)
    photoURL = try fields.decodeIfPresent(URL.self, forKey: .photoURL)
    role = try fields.decode(GroupRole.self, forKey: .role)
    joinedAt = try fields.decode(Date.self, forKey: .joinedAt)
  }

  /// The user's id.
  public var id: String { userId }

  /// Whether the member is an admin.
  public var isAdmin: Bool { role == .admin }

  /// Up to two letters that are shown if the photo is missing.
  public var initials: String { Initials.of(displayName) }
}

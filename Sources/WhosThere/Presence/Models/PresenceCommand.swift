public import Foundation

/// A check-in or check-out that a phone or a watch requests.
public struct PresenceCommand: Codable, Hashable, Sendable, Identifiable {
  /// The command's id, which the device chooses.
  ///
  /// If a command is sent again with the same id, it takes effect only once.
  public let id: UUID
  /// The id of the group.
  public let groupId: String
  /// The requested action.
  public let action: PresenceAction
  /// The source of the command: the user, or a device that crossed the place's boundary.
  public let source: PresenceSource
  /// The device that created the command.
  public let device: PresenceDevice
  /// The time when the command was created, according to the device's clock.
  public let at: Date
  /// The device's position, or nil if a manual command contains no position.
  public let position: ClaimedPosition?
  /// The number of seconds until the server checks the user out automatically, or nil for no limit.
  public let stay: Int?

  /// The valid durations of a stay in seconds.
  ///
  /// The longest stay is 7 days.
  public static let stays = 1...604_800

  /// Creates a command.
  ///
  /// - Throws: `invalidInput` if the stay is not within ``stays``, or if a check-out has a stay.
  public init(
    id: UUID = UUID(), groupId: String, action: PresenceAction, source: PresenceSource,
    device: PresenceDevice = .phone, at: Date, position: ClaimedPosition? = nil, stay: Int? = nil
  ) throws(AppError) {
    guard Self.isStay(stay, of: action) else {
      throw .invalidInput("a stay is of a check-in, and from a second to 7 days")
    }
    self.id = id
    self.groupId = groupId
    self.action = action
    self.source = source
    self.device = device
    self.at = at
    self.position = position
    self.stay = stay
  }

  /// Decodes a command.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    id = try fields.decode(UUID.self, forKey: .id)
    groupId = try fields.id(.groupId)
    action = try fields.decode(PresenceAction.self, forKey: .action)
    source = try fields.decode(PresenceSource.self, forKey: .source)
    device = try fields.decode(PresenceDevice.self, forKey: .device)
    at = try fields.decode(Date.self, forKey: .at)
    position = try fields.decodeIfPresent(ClaimedPosition.self, forKey: .position)
    stay = try fields.decodeIfPresent(Int.self, forKey: .stay)
    try fields.require(
      Self.isStay(stay, of: action), .stay, "a stay is of a check-in, and from a second to 7 days")
  }

  private static func isStay(_ stay: Int?, of action: PresenceAction) -> Bool {
    stay.map { stays ~= $0 && action == .checkIn } ?? true
  }

  /// The time when the server checks the user out automatically, or nil if the command has no stay.
  public var deadline: Date? { stay.map { at.addingTimeInterval(TimeInterval($0)) } }
}

/// The action that a command requests.
public enum PresenceAction: String, CaseIterable, Codable, Hashable, Sendable {
  /// The user is at the place.
  case checkIn
  /// The user is no longer at the place.
  case checkOut
}

/// The kind of device that creates a command.
public enum PresenceDevice: String, CaseIterable, Codable, Hashable, Sendable {
  /// The command was created on a phone.
  case phone
  /// The command was created on a watch, which may send it through a phone.
  case watch
}

/// The server's decision about a command.
public enum PresenceOutcome: String, CaseIterable, Codable, Hashable, Sendable {
  /// The command took effect.
  case accepted
  /// The automatic command was ignored, because the last automatic change was less than 30 seconds
  /// ago.
  case throttled
  /// The automatic command was ignored, because a manual check-in overrides automatic changes.
  case overridden
  /// The position is outside the group's place, even if its accuracy is taken into account.
  case outside
  /// The position is implausible or too inaccurate.
  case implausible
  /// The command had no effect, because the user already had the requested state.
  case unchanged
}

/// The server's response to a command.
public struct PresenceAnswer: Codable, Hashable, Sendable {
  /// The server's decision.
  public let outcome: PresenceOutcome
  /// Whether an earlier command with the same id received the same response.
  public let isReplayed: Bool
  /// The current state, or nil if the user has never been at the place.
  public let presence: Presence?

  /// Creates a response.
  public init(outcome: PresenceOutcome, isReplayed: Bool = false, presence: Presence?) {
    self.outcome = outcome
    self.isReplayed = isReplayed
    self.presence = presence
  }

  /// Decodes a response.
  ///
  /// - Throws: `DecodingError` if the command was accepted but the response contains no state.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    outcome = try fields.decode(PresenceOutcome.self, forKey: .outcome)
    isReplayed = try fields.decode(Bool.self, forKey: .isReplayed)
    presence = try fields.decodeIfPresent(Presence.self, forKey: .presence)
    try fields.require(outcome != .accepted || presence != nil, .presence, "accepted, and nothing")
  }
}

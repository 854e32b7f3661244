public import Foundation

/// A check-in or a check-out that a phone or a watch asks for.
public struct PresenceCommand: Codable, Hashable, Sendable, Identifiable {
  /// Made where the button was pressed: a command with the same id takes effect once, however often it is sent.
  public let id: UUID
  /// Which group's place.
  public let groupId: String
  /// In or out.
  public let action: PresenceAction
  /// What asks for it: the user, or a device that noticed a change.
  public let source: PresenceSource
  /// Which device.
  public let device: PresenceDevice
  /// When it was asked for, by the device's clock.
  public let at: Date
  /// Where the device was; by hand it need not know.
  public let position: ClaimedPosition?
  /// Seconds until the user is checked out without doing anything; nil: never.
  public let stay: Int?

  /// The seconds that a stay may have: a week at most.
  public static let stays = 1...604_800

  /// A command.
  ///
  /// - Throws: `invalidInput` for a stay that is none of ``stays``, or of a check-out.
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

  /// Reads a command.
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

  /// When the user is to be checked out.
  public var deadline: Date? { stay.map { at.addingTimeInterval(TimeInterval($0)) } }
}

/// What a command does.
public enum PresenceAction: String, CaseIterable, Codable, Hashable, Sendable {
  /// The user is there.
  case checkIn
  /// The user is not.
  case checkOut
}

/// Where a command was made.
public enum PresenceDevice: String, CaseIterable, Codable, Hashable, Sendable {
  /// A phone.
  case phone
  /// A watch, directly or through its phone.
  case watch
}

/// What the server did with a command.
public enum PresenceOutcome: String, CaseIterable, Codable, Hashable, Sendable {
  /// What it asked for is so now.
  case accepted
  /// Automatic, within 30 seconds of the last automatic change.
  case throttled
  /// Automatic, while a manual check-in holds.
  case overridden
  /// The position is outside the group's place, even within its accuracy.
  case outside
  /// The position is impossible, or too inaccurate.
  case implausible
  /// It was so already.
  case unchanged
}

/// The server's answer to a command.
public struct PresenceAnswer: Codable, Hashable, Sendable {
  /// What was done.
  public let outcome: PresenceOutcome
  /// Whether it is the answer to an earlier sending of the same command.
  public let isReplayed: Bool
  /// How it is now; nil: the user was never there.
  public let presence: Presence?

  /// An answer.
  public init(outcome: PresenceOutcome, isReplayed: Bool = false, presence: Presence?) {
    self.outcome = outcome
    self.isReplayed = isReplayed
    self.presence = presence
  }

  /// Reads an answer; what was accepted has come to something.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    outcome = try fields.decode(PresenceOutcome.self, forKey: .outcome)
    isReplayed = try fields.decode(Bool.self, forKey: .isReplayed)
    presence = try fields.decodeIfPresent(Presence.self, forKey: .presence)
    try fields.require(outcome != .accepted || presence != nil, .presence, "accepted, and nothing")
  }
}

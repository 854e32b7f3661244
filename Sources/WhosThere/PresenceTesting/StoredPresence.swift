import Foundation
import Presence
import PresenceApp
import ProductKit

/// A user's state at one group's place, with the rules for changing it.
///
/// The page docs/whosthere/rules.md describes the rules for presences.
struct StoredPresence {
  let groupId: String
  let userId: String
  var isPresent: Bool
  var source: PresenceSource
  var since: Date
  var deadline: Date?
  var version: Int64
  var changedAt: Date
  /// The time when the state last changed automatically.
  var automaticAt: Date?
  /// The time of the last automatic check-in, even if it had no effect.
  var heardAt: Date
  /// The user's last position, which is stored only while the user is at the place.
  var position: ClaimedPosition?

  /// The number of seconds after which an automatic presence ends if no other automatic check-in
  /// arrives.
  static let silence: TimeInterval = 12 * 3_600
  /// The valid durations of a stay in seconds.
  static let stays = 1...7 * 86_400

  /// The state that other members see.
  var presence: Presence {
    Presence(
      groupId: groupId, userId: userId, isPresent: isPresent, source: source, since: since,
      deadline: deadline, version: version, changedAt: changedAt)
  }

  /// Whether a manual check-in is in force.
  private var isByHand: Bool { isPresent && source == .manual }

  /// The time when the state ends if no command arrives, and the departure time that is stored when
  /// the state ends.
  var end: (at: Date, departure: Date)? {
    guard isPresent else { return nil }
    let silentAt = source == .automatic ? heardAt.addingTimeInterval(Self.silence) : nil
    if let deadline, deadline <= silentAt ?? .distantFuture { return (deadline, deadline) }
    return silentAt.map { ($0, heardAt) }
  }

  /// Checks the user out automatically.
  mutating func leave(at departure: Date, changedAt: Date) {
    (isPresent, source, since, self.changedAt) = (false, .automatic, departure, changedAt)
    (deadline, position) = (nil, nil)
    version += 1
  }

  /// Returns the outcome of a command, but does not check the position.
  ///
  /// - Parameter state: The current state, or nil if the user has never been at the place.
  static func outcome(
    of command: PresenceCommand, from state: StoredPresence?, at now: Date
  ) -> PresenceOutcome {
    let isThere = state?.isPresent ?? false
    let isByHand = state?.isByHand ?? false
    let isIn = command.action == .checkIn
    guard command.source == .automatic else {
      let isSame = isIn ? isByHand && command.stay == nil : !isThere
      return isSame ? .unchanged : .accepted
    }
    if isByHand { return .overridden }
    if isThere == isIn { return .unchanged }
    let wait = state?.automaticAt.map { now.timeIntervalSince($0) }
    return wait.map { $0 < PresenceMachine.throttle } == true ? .throttled : .accepted
  }

  /// Returns the state after an accepted command.
  static func after(
    _ command: PresenceCommand, of userId: String, from state: StoredPresence?, at now: Date
  ) -> StoredPresence {
    let isIn = command.action == .checkIn
    return StoredPresence(
      groupId: command.groupId, userId: userId, isPresent: isIn, source: command.source,
      since: state.flatMap { $0.isPresent == isIn ? $0.since : nil } ?? now,
      deadline: command.stay.map { now.addingTimeInterval(TimeInterval($0)) },
      version: (state?.version ?? 0) + 1, changedAt: now,
      automaticAt: command.source == .automatic ? now : state?.automaticAt,
      heardAt: isIn ? now : state?.heardAt ?? now,
      position: isIn ? command.position ?? state?.position : nil)
  }
}

extension StoredPresence {
  /// Copies one user's state to another user.
  init(_ state: StoredPresence, of userId: String, version: Int64) {
    groupId = state.groupId
    self.userId = userId
    (isPresent, source, since) = (state.isPresent, state.source, state.since)
    (deadline, changedAt, self.version) = (state.deadline, state.changedAt, version)
    (automaticAt, heardAt, position) = (state.automaticAt, state.heardAt, state.position)
  }
}

/// A command to which the server has responded, with the response.
struct StoredCommand {
  let command: PresenceCommand
  let outcome: PresenceOutcome

  /// Returns whether another command repeats this one.
  ///
  /// A repeated command may contain a different device and position.
  func isSame(as other: PresenceCommand) -> Bool {
    command.groupId == other.groupId && command.action == other.action
      && command.source == other.source && command.at == other.at && command.stay == other.stay
  }
}

/// The last written summary of a group.
struct StoredSummary {
  var presentCount = 0
  /// The users who arrived last, newest first.
  var latest: [String] = []
  var first: String?
  var version: Int64 = 0
  var changedAt: Date
}

/// The key of a user's state in a group.
struct PlaceKey: Hashable {
  let groupId: String
  let userId: String
}

/// The key of a user's command.
struct CommandKey: Hashable {
  let userId: String
  let id: UUID
}

/// The key of a group and a date.
struct DateKey: Hashable {
  let groupId: String
  let date: LocalDate
}

import Foundation
import Presence
import PresenceApp
import ProductKit

/// A user's state at one group's place, and the rules by which it changes; docs/whosthere/server.md describes them.
struct StoredPresence {
  let groupId: String
  let userId: String
  var isPresent: Bool
  var source: PresenceSource
  var since: Date
  var deadline: Date?
  var version: Int64
  var changedAt: Date
  /// The last automatic change.
  var automaticAt: Date?
  /// The last automatic check-in, whether it changed something or not.
  var heardAt: Date
  /// The one position that is kept, while the user is there.
  var position: ClaimedPosition?

  /// After how many seconds without an automatic check-in a user is checked out who came automatically.
  static let silence: TimeInterval = 12 * 3_600
  /// The stays that may be asked for, in seconds.
  static let stays = 1...7 * 86_400

  /// As others see it.
  var presence: Presence {
    Presence(
      groupId: groupId, userId: userId, isPresent: isPresent, source: source, since: since,
      deadline: deadline, version: version, changedAt: changedAt)
  }

  /// Whether what was said by hand stands.
  private var isByHand: Bool { isPresent && source == .manual }

  /// When it is over without a command, and when the user has gone then.
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

  /// What a command comes to, as far as positions do not decide it.
  ///
  /// - Parameter state: nil: the user was never there.
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

  /// The state that an accepted command leads to.
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
  /// The same of another user.
  init(_ state: StoredPresence, of userId: String, version: Int64) {
    groupId = state.groupId
    self.userId = userId
    (isPresent, source, since) = (state.isPresent, state.source, state.since)
    (deadline, changedAt, self.version) = (state.deadline, state.changedAt, version)
    (automaticAt, heardAt, position) = (state.automaticAt, state.heardAt, state.position)
  }
}

/// A command that was answered.
struct StoredCommand {
  let command: PresenceCommand
  let outcome: PresenceOutcome

  /// Whether it is the same one again, over whichever device and from wherever.
  func isSame(as other: PresenceCommand) -> Bool {
    command.groupId == other.groupId && command.action == other.action
      && command.source == other.source && command.at == other.at && command.stay == other.stay
  }
}

/// The line of a group, as it was last written.
struct StoredSummary {
  var presentCount = 0
  /// Those who came last, newest first.
  var latest: [String] = []
  var first: String?
  var version: Int64 = 0
  var changedAt: Date
}

/// One user and group.
struct PlaceKey: Hashable {
  let groupId: String
  let userId: String
}

/// One command of a user.
struct CommandKey: Hashable {
  let userId: String
  let id: UUID
}

/// One date of a group.
struct DateKey: Hashable {
  let groupId: String
  let date: LocalDate
}

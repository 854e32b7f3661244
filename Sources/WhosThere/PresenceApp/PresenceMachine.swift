public import Foundation
public import Presence
import ProductKit

/// The state of a user at one group's place, as this device shows it.
///
/// A command changes the shown state before the server responds. If the command fails, the state of
/// the highest version that the server sent is shown again. Only a state with a higher version
/// replaces the shown state of the server. A phone and a watch that received the same changes show
/// the same state, in any order and with duplicates.
///
/// The table lists the next state after a command. A skipped command is not sent and changes
/// nothing.
///
/// | State | Manual check-in | Manual check-out | Automatic command |
/// |---|---|---|---|
/// | absent | checkingIn | skipped | checkingIn or skipped |
/// | present | checkingIn or skipped | checkingOut | checkingOut or skipped |
/// | checkingIn | checkingIn or skipped | checkingOut | skipped |
/// | checkingOut | checkingIn | checkingOut or skipped | skipped |
///
/// - A manual check-in without a stay is skipped if a manual check-in is in force or pending.
/// - A manual check-out is skipped if the user is absent or if a manual check-out is pending.
/// - An automatic command is skipped if the state would not change, or if a manual check-in is in
///   force. An automatic command is also skipped within 30 seconds of the last automatic change.
/// - The response to the last command, or its failure, ends `checkingIn` and `checkingOut`. The
///   next state is that of the highest version. A response to an earlier command can only provide a
///   newer version.
/// - When the deadline has passed, `present` becomes `absent`.
/// - While the state of the user is unknown, every command is sent, because only the server can
///   decide.
public struct PresenceMachine: Hashable, Sendable {
  /// The id of the group.
  public let groupId: String
  /// The id of the user who owns this device.
  public let userId: String
  /// The state with the highest version that the server has sent.
  public private(set) var confirmed: Presence?
  /// The last command, until the server responds to it.
  public private(set) var pending: PresenceCommand?
  /// The version whose deadline has passed on this device, although the server has not reported the
  /// check-out yet.
  private var overVersion: Int64?

  /// The minimum time between two automatic changes in seconds.
  public static let throttle: TimeInterval = 30

  /// The state that a view shows.
  public enum State: Hashable, Sendable {
    /// The user is not at the place.
    case absent
    /// The user is at the place.
    case present
    /// A check-in is pending, and a failure restores the given state.
    case checkingIn(before: Presence?)
    /// A check-out is pending, and a failure restores the given state.
    case checkingOut(before: Presence?)
  }

  /// An event that can change the state.
  public enum Event: Sendable {
    /// The user pressed a button, or the device crossed the border of the place.
    case command(PresenceCommand)
    /// The server responded to the command with the given id.
    case answer(PresenceAnswer, to: UUID)
    /// The command with the given id received no response.
    case failure(AppError, of: UUID)
    /// The server or the user's other device sent a state.
    case presence(Presence)
    /// The clock reached the given instant.
    case time(Date)
  }

  /// The action that the app has to perform.
  public enum Effect: Equatable, Sendable {
    /// The app does nothing.
    case nothing
    /// The app sends the command, and repeats it with the same id while the failure is retryable.
    case send(PresenceCommand)
    /// The app does nothing, because the server would respond with the given outcome.
    case skipped(PresenceOutcome)
    /// The app reports the outcome of the last command.
    case settled(PresenceOutcome)
    /// The app reports that the last command failed.
    case rolledBack(AppError)
  }

  /// Creates a machine with the last state from the server, or nil if no state is known.
  public init(groupId: String, userId: String, confirmed: Presence? = nil) {
    self.groupId = groupId
    self.userId = userId
    if let confirmed { adopt(confirmed) }
  }

  /// Applies an event and returns the action that the app has to perform.
  @discardableResult
  public mutating func apply(_ event: Event) -> Effect {
    switch event {
    case .command(let command): return begin(command)
    case .answer(let answer, let id):
      if let presence = answer.presence { adopt(presence) }
      return settle(id) ? .settled(answer.outcome) : .nothing
    case .failure(let error, let id): return settle(id) ? .rolledBack(error) : .nothing
    case .presence(let presence): adopt(presence)
    case .time(let now):
      if let confirmed, confirmed.isPresent, confirmed.isOver(at: now) {
        overVersion = confirmed.version
      }
    }
    return .nothing
  }

  private mutating func begin(_ command: PresenceCommand) -> Effect {
    guard command.groupId.hasSameBytes(as: groupId), command.id != pending?.id else {
      return .nothing
    }
    if let outcome = skipped(command) { return .skipped(outcome) }
    pending = command
    return .send(command)
  }

  private mutating func settle(_ id: UUID) -> Bool {
    guard pending?.id == id else { return false }
    pending = nil
    return true
  }

  private mutating func adopt(_ presence: Presence) {
    guard presence.groupId.hasSameBytes(as: groupId), presence.userId.hasSameBytes(as: userId),
      presence.replaces(confirmed)
    else { return }
    confirmed = presence
  }

  /// Returns the outcome that the server would send without a change, or nil if this device cannot
  /// know the outcome.
  private func skipped(_ command: PresenceCommand) -> PresenceOutcome? {
    let isIn = command.action == .checkIn
    if let pending {
      guard command.source == .manual else {
        return pending.source == .manual ? .overridden : .throttled
      }
      return pending.source == .manual && pending.action == command.action && command.stay == nil
        ? .unchanged : nil
    }
    guard let shown else { return nil }
    if command.source == .automatic {
      if shown.overridesAutomatic(at: command.at) { return .overridden }
      if shown.isPresent == isIn { return .unchanged }
      // If the device's clock is slower than the server's, the difference is negative and cannot be
      // used.
      let wait = shown.isManual ? -1 : command.at.timeIntervalSince(shown.changedAt)
      return 0..<Self.throttle ~= wait ? .throttled : nil
    }
    let isSame = shown.isPresent == isIn && (!isIn || shown.isManual && command.stay == nil)
    return isSame ? .unchanged : nil
  }
}

extension PresenceMachine {
  /// The current state.
  public var state: State {
    switch pending?.action {
    case .checkIn: .checkingIn(before: settled)
    case .checkOut: .checkingOut(before: settled)
    case nil: settled?.isPresent == true ? .present : .absent
    }
  }

  /// The presence that the device shows: the effect of the last command, or the last state from the
  /// server.
  public var shown: Presence? {
    guard let pending else { return settled }
    let isIn = pending.action == .checkIn
    let before = settled.flatMap { $0.isPresent == isIn ? $0 : nil }
    return Presence(
      groupId: groupId, userId: userId, isPresent: isIn, source: pending.source,
      since: before?.since ?? pending.at, deadline: pending.deadline,
      version: confirmed?.version ?? 0, changedAt: pending.at)
  }

  /// Whether the device shows the user as present.
  public var isPresent: Bool { shown?.isPresent ?? false }

  /// The instant at which the server checks the user out automatically, or nil if there is no
  /// deadline.
  public var deadline: Date? { shown?.deadline }

  /// Returns whether a manual check-in overrides automatic changes at an instant.
  public func isManualOverride(at now: Date) -> Bool {
    shown?.overridesAutomatic(at: now) ?? false
  }

  /// The last state from the server, changed to absent if its deadline has passed.
  private var settled: Presence? {
    guard let confirmed, let deadline = confirmed.deadline, confirmed.version == overVersion else {
      return confirmed
    }
    return Presence(
      groupId: groupId, userId: userId, isPresent: false, source: .automatic, since: deadline,
      version: confirmed.version, changedAt: deadline)
  }
}

extension [String: PresenceMachine] {
  /// Returns for each group whether a manual check-in overrides automatic changes.
  public func manualOverrides(at now: Date) -> [String: Bool] {
    mapValues { $0.isManualOverride(at: now) }
  }

  /// The deadlines for the automatic check-out, by group.
  public var autoCheckOutTimers: [String: Date] { compactMapValues(\.deadline) }
}

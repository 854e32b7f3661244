public import Foundation
public import Presence
import ProductKit

/// The state machine that determines which state a device shows for its user at a group's place.
///
/// A command changes the displayed state before the server responds. If the command fails, the
/// device again shows the state with the highest version that the server has sent. A state from the
/// server is ignored if `confirmed` has the same or a higher version. Two devices that have
/// received the same changes show the same state. The changes may arrive in any order, or several
/// times.
///
/// The following table lists the next state after each kind of command. A skipped command is not
/// sent to the server and does not change the state.
///
/// | State | Manual check-in | Manual check-out | Automatic command |
/// |---|---|---|---|
/// | absent | checkingIn | skipped | checkingIn or skipped |
/// | present | checkingIn or skipped | checkingOut | checkingOut or skipped |
/// | checkingIn | checkingIn or skipped | checkingOut | skipped |
/// | checkingOut | checkingIn | checkingOut or skipped | skipped |
///
/// - A manual check-in without a stay is skipped if another manual check-in is in force or pending.
/// - A manual check-out is skipped if the user is absent or if another manual check-out is pending.
/// - An automatic command is skipped if the state would not change, or if a manual check-in is in
///   force. An automatic command is also skipped within 30 seconds of the last automatic change.
/// - The `checkingIn` and `checkingOut` states end when the last command receives a response or
///   fails. When `checkingIn` or `checkingOut` ends, the device shows the state with the highest
///   version. A response to an earlier command does not end `checkingIn` or `checkingOut`, but may
///   contain a state with a higher version.
/// - When the deadline passes, `present` changes to `absent`.
/// - While the user's state is unknown, every command is sent, because only the server knows
///   whether the command has an effect.
public struct PresenceMachine: Hashable, Sendable {
  /// The id of the group.
  public let groupId: String
  /// The id of this device's user.
  public let userId: String
  /// The state with the highest version that the server has sent, or nil if no state is known.
  public private(set) var confirmed: Presence?
  /// The last command, or nil if the server has already responded to it.
  public private(set) var pending: PresenceCommand?
  /// The version of a state whose deadline has passed according to this device's clock.
  ///
  /// The server has not yet reported the check-out that follows the deadline.
  private var overVersion: Int64?

  /// The minimum time between two automatic changes, in seconds.
  public static let throttle: TimeInterval = 30

  /// The user's state that a view shows.
  public enum State: Hashable, Sendable {
    /// The user is not at the place.
    case absent
    /// The user is at the place.
    case present
    /// A check-in is pending.
    ///
    /// If the check-in fails, the `before` state is shown again.
    case checkingIn(before: Presence?)
    /// A check-out is pending.
    ///
    /// If the check-out fails, the `before` state is shown again.
    case checkingOut(before: Presence?)
  }

  /// An event that can change the state.
  public enum Event: Sendable {
    /// The user pressed a button, or the device crossed the place's boundary.
    case command(PresenceCommand)
    /// The server responded to the command with the given id.
    case answer(PresenceAnswer, to: UUID)
    /// The command with the given id failed and received no response.
    case failure(AppError, of: UUID)
    /// The server or another of the user's devices sent a state.
    case presence(Presence)
    /// The clock reached the given time.
    case time(Date)
  }

  /// The action that the app has to perform after an event.
  public enum Effect: Equatable, Sendable {
    /// The app does nothing.
    case nothing
    /// The app sends the command.
    ///
    /// After a retryable failure, the app sends the command again with the same id.
    case send(PresenceCommand)
    /// The app does not send the command, because the server would respond with the given outcome.
    case skipped(PresenceOutcome)
    /// The app reports the outcome of the last command.
    case settled(PresenceOutcome)
    /// The app reports that the last command failed.
    case rolledBack(AppError)
  }

  /// Creates a machine.
  ///
  /// The `confirmed` argument is the last state that the server has sent, or nil if no state is
  /// known.
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

  /// Returns a command's outcome if the server would certainly not execute it.
  ///
  /// If the command has to be sent to the server, the result is nil.
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
      // If the device's clock is slow, `wait` may be negative. A command with a negative `wait` is
      // not skipped.
      let wait = shown.isManual ? -1 : command.at.timeIntervalSince(shown.changedAt)
      return 0..<Self.throttle ~= wait ? .throttled : nil
    }
    let isSame = shown.isPresent == isIn && (!isIn || shown.isManual && command.stay == nil)
    return isSame ? .unchanged : nil
  }
}

extension PresenceMachine {
  /// The state that is currently shown.
  public var state: State {
    switch pending?.action {
    case .checkIn: .checkingIn(before: settled)
    case .checkOut: .checkingOut(before: settled)
    case nil: settled?.isPresent == true ? .present : .absent
    }
  }

  /// The presence that the device shows: the expected effect of the pending command, or the last
  /// state from the server.
  public var shown: Presence? {
    guard let pending else { return settled }
    let isIn = pending.action == .checkIn
    let before = settled.flatMap { $0.isPresent == isIn ? $0 : nil }
    return Presence(
      groupId: groupId, userId: userId, isPresent: isIn, source: pending.source,
      since: before?.since ?? pending.at, deadline: pending.deadline,
      version: confirmed?.version ?? 0, changedAt: pending.at)
  }

  /// Whether the device shows that the user is present.
  public var isPresent: Bool { shown?.isPresent ?? false }

  /// The time when the server checks the user out automatically, or nil if the visit has no
  /// deadline.
  public var deadline: Date? { shown?.deadline }

  /// Returns whether a manual check-in overrides automatic changes at a given time.
  public func isManualOverride(at now: Date) -> Bool {
    shown?.overridesAutomatic(at: now) ?? false
  }

  /// The last state from the server.
  ///
  /// If the state's deadline has passed, the state is changed to absent.
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
  /// Returns whether a manual check-in overrides automatic changes, for each group.
  public func manualOverrides(at now: Date) -> [String: Bool] {
    mapValues { $0.isManualOverride(at: now) }
  }

  /// The deadline for the automatic check-out in each group, keyed by the group's id.
  public var autoCheckOutTimers: [String: Date] { compactMapValues(\.deadline) }
}

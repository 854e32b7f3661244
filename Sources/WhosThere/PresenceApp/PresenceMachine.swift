public import Foundation
public import Presence

/// Whether the user is at one group's place, as this device shows it: at once, and right in the end.
///
/// A command shows its effect before the server has it; a failure takes it back to what the server said last,
/// and that only a higher version replaces. So a phone and a watch that saw the same changes in any order, and
/// any of them twice, show the same.
///
///     state        by hand in   by hand out   automatic     answer, failure       presence   time
///     absent       checkingIn   unchanged     checkingIn 2  by version            by version -
///     present      checkingIn 1 checkingOut   checkingOut 2 by version            by version absent 3
///     checkingIn   unchanged    checkingOut   skipped       absent or present 4   by version -
///     checkingOut  checkingIn   unchanged     skipped       absent or present 4   by version -
///
/// 1. Unchanged, if it was by hand already and no stay is asked for. 2. Skipped, where it is so already, where
/// what was said by hand stands, or within 30 seconds of the last automatic change. 3. Where the deadline has
/// passed. 4. As the highest version has it; the answer to another command than the last one, or its failure,
/// changes no state. Where nothing is known of the user yet, every command is sent: the server knows.
public struct PresenceMachine: Hashable, Sendable {
  /// Which group's place.
  public let groupId: String
  /// The user whose device it is.
  public let userId: String
  /// The state with the highest version that the server has sent.
  public private(set) var confirmed: Presence?
  /// The last command, while it has no answer.
  public private(set) var pending: PresenceCommand?
  /// The version whose deadline has passed here, before the server has reported it.
  private var overVersion: Int64?

  /// How far apart automatic changes are, in seconds.
  public static let throttle: TimeInterval = 30

  /// What a view switches on.
  public enum State: Hashable, Sendable {
    /// The user is not there.
    case absent
    /// The user is there.
    case present
    /// Shown as there, and the state to return to after a failure.
    case checkingIn(before: Presence?)
    /// Shown as not there, and the state to return to after a failure.
    case checkingOut(before: Presence?)
  }

  /// What can happen.
  public enum Event: Sendable {
    /// A button, or a border that was crossed.
    case command(PresenceCommand)
    /// The server's answer to the command of an id.
    case answer(PresenceAnswer, to: UUID)
    /// The command of an id had no answer.
    case failure(AppError, of: UUID)
    /// A state from the server, or from the other device.
    case presence(Presence)
    /// The clock moved on.
    case time(Date)
  }

  /// What the app has to do.
  public enum Effect: Equatable, Sendable {
    /// Nothing.
    case nothing
    /// Send the command, and again under its id as long as that fails and helps.
    case send(PresenceCommand)
    /// Nothing: the server would answer this.
    case skipped(PresenceOutcome)
    /// Report the outcome of the last command.
    case settled(PresenceOutcome)
    /// Report that the last command failed.
    case rolledBack(AppError)
  }

  /// A machine that knows what the server said last, if it did.
  public init(groupId: String, userId: String, confirmed: Presence? = nil) {
    self.groupId = groupId
    self.userId = userId
    if let confirmed { adopt(confirmed) }
  }

  /// Takes an event in.
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
    guard command.groupId == groupId, command.id != pending?.id else { return .nothing }
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
    guard presence.groupId == groupId, presence.userId == userId, presence.replaces(confirmed)
    else { return }
    confirmed = presence
  }

  /// What the server would answer without doing anything, as far as this device can know.
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
      // If the device's clock lags the server's, the difference is negative and says nothing.
      let wait = shown.isManual ? -1 : command.at.timeIntervalSince(shown.changedAt)
      return 0..<Self.throttle ~= wait ? .throttled : nil
    }
    let isSame = shown.isPresent == isIn && (!isIn || shown.isManual && command.stay == nil)
    return isSame ? .unchanged : nil
  }
}

extension PresenceMachine {
  /// The state.
  public var state: State {
    switch pending?.action {
    case .checkIn: .checkingIn(before: settled)
    case .checkOut: .checkingOut(before: settled)
    case nil: settled?.isPresent == true ? .present : .absent
    }
  }

  /// What the device shows: the last command's effect, or what the server said last.
  public var shown: Presence? {
    guard let pending else { return settled }
    let isIn = pending.action == .checkIn
    let before = settled.flatMap { $0.isPresent == isIn ? $0 : nil }
    return Presence(
      groupId: groupId, userId: userId, isPresent: isIn, source: pending.source,
      since: before?.since ?? pending.at, deadline: pending.deadline,
      version: confirmed?.version ?? 0, changedAt: pending.at)
  }

  /// Whether the user is shown as there.
  public var isPresent: Bool { shown?.isPresent ?? false }

  /// When the user is checked out without doing anything; nil: never.
  public var deadline: Date? { shown?.deadline }

  /// Whether automatic changes are ignored now, because of a manual check-in.
  public func isManualOverride(at now: Date) -> Bool {
    shown?.overridesAutomatic(at: now) ?? false
  }

  /// What the server said last, without a presence whose deadline has passed.
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
  /// By group, whether a manual check-in overrides automatic changes.
  public func manualOverrides(at now: Date) -> [String: Bool] {
    mapValues { $0.isManualOverride(at: now) }
  }

  /// By group, when the user is checked out without doing anything.
  public var autoCheckOutTimers: [String: Date] { compactMapValues(\.deadline) }
}

import Foundation
import Presence

/// The position that a device reports in a check.
enum Claim {
  /// The position is the center of the group's circle, with an accuracy of 10 m.
  case inside
  /// The position is 122 m outside the group's circle.
  case near(accuracy: Double)
  /// The position is 500 km away from the group's circle.
  case far
  /// The position is the center of the group's circle, but is too inaccurate, too old, or too far
  /// in the future.
  case vague, old, early

  func position(at now: Date) throws -> ClaimedPosition {
    let (latitude, accuracy, seconds) =
      switch self {
      case .inside: (52.5, 10.0, 0.0)
      case .near(let accuracy): (52.502, accuracy, 0)
      case .far: (48.0, 10, 0)
      case .vague: (52.5, 200.5, 0)
      case .old: (52.5, 10, -120.5)
      case .early: (52.5, 10, 120.5)
      }
    return try ClaimedPosition(
      coordinate: Coordinate(latitude: latitude, longitude: 13.4), accuracy: accuracy,
      at: now.addingTimeInterval(seconds))
  }
}

/// A member of a group, for use in checks.
struct Visitor: Sendable {
  let environment: any PresenceEnvironment
  let user: String?
  let group: String
  let presences: any PresenceRepository

  /// Moves the clock to the given number of seconds after the check starts.
  func move(to seconds: Double) async throws {
    try await environment.moveClock(to: PresenceContract.beginning.addingTimeInterval(seconds))
  }

  func snapshot() async throws -> PresenceSnapshot { try await presences.presences(of: group) }

  /// Sends a command.
  ///
  /// The command's time is the current time, or the given number of seconds after the check starts.
  ///
  /// - Returns: The response as one line of text, with times in seconds after the check starts.
  func send(
    _ action: PresenceAction, _ source: PresenceSource = .manual, id: UUID = UUID(),
    device: PresenceDevice = .phone, at asked: Double? = nil, from claim: Claim? = nil,
    stay: Int? = nil
  ) async throws -> String {
    let now = try await environment.now()
    let command = try PresenceCommand(
      id: id, groupId: group, action: action, source: source, device: device,
      at: asked.map { PresenceContract.beginning.addingTimeInterval($0) } ?? now,
      position: try claim?.position(at: now), stay: stay)
    let answer = try await presences.send(command)
    let outcome = answer.outcome.rawValue + (answer.isReplayed ? " again" : "")
    guard let presence = answer.presence else { return outcome }
    func seconds(_ date: Date) -> Int { Int(date.timeIntervalSince(PresenceContract.beginning)) }
    return outcome + (presence.isPresent ? " in" : " out") + " by \(presence.source)"
      + " since \(seconds(presence.since))"
      + (presence.deadline.map { " until \(seconds($0))" } ?? "") + ", version \(presence.version)"
  }
}

extension PresenceEnvironment {
  /// Returns a user who is a member of a group.
  ///
  /// If the group does not exist, the user creates the group around the given position.
  func member(_ user: String, _ id: String = "g", at place: Claim = .inside) async throws -> Visitor
  {
    try await addUser(user)
    let groups = try await groups(for: user)
    if try await groups.getGroup(id) == nil {
      let center = try place.position(at: PresenceContract.beginning).coordinate
      _ = try await groups.createGroup(
        id: id, name: "Chess", shape: .circle(center: center, radius: 100), isPublic: true,
        timeZone: "Europe/Berlin")
    } else {
      _ = try await groups.joinPublicGroup(id)
    }
    return Visitor(
      environment: self, user: user, group: id, presences: try await presences(for: user))
  }
}

import Foundation
import Presence

/// Where a device of a check says that it is.
enum Claim {
  /// In the middle of the group's circle, to 10 m.
  case inside
  /// 122 m outside of it.
  case near(accuracy: Double)
  /// 500 km off.
  case far
  /// In the middle, too coarsely, too long ago, or too early.
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

/// A member of a group in a check.
struct Visitor: Sendable {
  let environment: any PresenceEnvironment
  let user: String?
  let group: String
  let presences: any PresenceRepository

  /// Moves the clock to so many seconds after the beginning.
  func move(to seconds: Double) async throws {
    try await environment.moveClock(to: PresenceContract.beginning.addingTimeInterval(seconds))
  }

  func snapshot() async throws -> PresenceSnapshot { try await presences.presences(of: group) }

  /// Sends a command of this moment, or of so many seconds after the beginning.
  ///
  /// - Returns: the answer in a line, with times in seconds.
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
  /// A member of a group at a place, which the first one makes.
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

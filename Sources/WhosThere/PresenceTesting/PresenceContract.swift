public import Foundation
import Presence

/// The rules that every repository implementation must follow.
///
/// Each rule has one check.
///
/// Each check runs in a separate environment, whose clock starts at ``beginning``.
public enum PresenceContract {
  /// The time when each check starts: a Wednesday at noon UTC.
  public static let beginning = Date(timeIntervalSince1970: 1_768_392_000)
}

extension PlaceEnvironment {
  /// Creates a public group in Berlin, whose shape is a circle with a 100 m radius.
  func group(
    _ id: String, of members: String..., name: String = "Chess", zone: String = "Europe/Berlin"
  ) async throws {
    for member in members {
      try await addUser(member)
      let groups = try await groups(for: member)
      guard member != members[0] else {
        _ = try await groups.createGroup(
          id: id, name: name,
          shape: .circle(center: try Coordinate(latitude: 52.5, longitude: 13.4), radius: 100),
          isPublic: true, timeZone: zone)
        continue
      }
      _ = try await groups.joinPublicGroup(id)
    }
  }

  /// Returns the time that is the given number of hours after the check starts.
  func hours(_ hours: Double) -> Date {
    PresenceContract.beginning.addingTimeInterval(hours * 3_600)
  }

  /// Returns the actor's achievements as strings, in which an asterisk marks a new achievement.
  func earned(_ user: String) async throws -> [String] {
    try await settle()
    return try await achievements(for: user).earned().map {
      $0.type.rawValue + ($0.isNew ? "*" : "")
    }
  }
}

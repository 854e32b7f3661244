public import Foundation
import Presence

/// What every implementation of the repositories promises, one check a promise.
///
/// A program runs all of them, each in an environment of its own that begins at ``beginning``.
public enum PresenceContract {
  /// When each check begins: a Wednesday at noon, UTC.
  public static let beginning = Date(timeIntervalSince1970: 1_768_392_000)
}

extension PlaceEnvironment {
  /// A public circle of 100 m in Berlin; the first member made it.
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

  /// So many hours after the beginning.
  func hours(_ hours: Double) -> Date {
    PresenceContract.beginning.addingTimeInterval(hours * 3_600)
  }

  /// What an actor has achieved, with a star where it is new.
  func earned(_ user: String) async throws -> [String] {
    try await settle()
    return try await achievements(for: user).earned().map {
      $0.type.rawValue + ($0.isNew ? "*" : "")
    }
  }
}

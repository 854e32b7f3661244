public import Foundation
public import Presence
import ProductKit

/// A server on which the contract checks run: an in-memory server, or a real server whose clock a
/// test can set.
///
/// Each check gets a new environment without users and groups.
public protocol PlaceEnvironment: Sendable {
  /// Creates an account in the same way as a sign-in.
  func addUser(_ id: String) async throws
  /// Returns one actor's group repository.
  func groups(for actor: String?) async throws -> any GroupRepository
  /// Returns one actor's account repository.
  func users(for actor: String?) async throws -> any UserRepository
  /// Returns the repository for one actor's blocks and reports.
  func safety(for actor: String?) async throws -> any SafetyRepository
  /// Returns the repository for one actor's statistics and achievements.
  func achievements(for actor: String?) async throws -> any AchievementRepository
  /// Returns the repository for the data that one actor's smartwatch shows.
  func watch(for actor: String?) async throws -> any WatchRepository

  /// Lets a member stay at a group's place.
  ///
  /// The clock is moved to the arrival, and the member is checked in. The member is checked out
  /// after the given number of seconds.
  ///
  /// If the number of seconds is nil, the member is not checked out.
  func stay(_ user: String, at groupId: String, from arrival: Date, for seconds: Int?) async throws

  /// Returns the domain clock's current time.
  func now() async throws -> Date
  /// Moves the domain clock forward.
  func moveClock(to time: Date) async throws
  /// Waits until summaries, achievements and the effects of elapsed time are visible.
  func settle() async throws
}

/// An environment whose server also accepts check-ins and check-outs.
public protocol PresenceEnvironment: PlaceEnvironment {
  /// Returns the repository for the presences that one actor may read and change.
  func presences(for actor: String?) async throws -> any PresenceRepository
}

extension PresenceEnvironment {
  /// Lets a member stay at a group's place, with a manual check-in and a manual check-out.
  public func stay(
    _ user: String, at groupId: String, from arrival: Date, for seconds: Int?
  ) async throws {
    try await moveClock(to: arrival)
    let presences = try await presences(for: user)
    _ = try await presences.send(
      PresenceCommand(groupId: groupId, action: .checkIn, source: .manual, at: arrival))
    guard let seconds else { return }
    let departure = arrival.addingTimeInterval(TimeInterval(seconds))
    try await moveClock(to: departure)
    _ = try await presences.send(
      PresenceCommand(groupId: groupId, action: .checkOut, source: .manual, at: departure))
  }
}

/// An environment with an in-memory server.
public struct InMemoryPlaces: PresenceEnvironment {
  /// The in-memory server.
  public let server: InMemoryPresence
  private let clock: ManualClock

  /// Creates an empty server whose clock starts at the given time.
  public init(at time: Date) {
    let clock = ManualClock(at: time)
    self.clock = clock
    server = InMemoryPresence { clock.now }
  }

  /// Creates an account.
  public func addUser(_ id: String) async throws { await server.addUser(id, displayName: id) }

  /// Returns one actor's group repository.
  public func groups(for actor: String?) async throws -> any GroupRepository {
    server.groups(for: actor)
  }

  /// Returns the repository for one actor's blocks and reports.
  public func safety(for actor: String?) async throws -> any SafetyRepository {
    server.safety(for: actor)
  }

  /// Returns one actor's account repository.
  public func users(for actor: String?) async throws -> any UserRepository {
    server.users(for: actor)
  }

  /// Returns the repository for the presences that one actor may read and change.
  public func presences(for actor: String?) async throws -> any PresenceRepository {
    server.presences(for: actor)
  }

  /// Returns the repository for one actor's statistics and achievements.
  public func achievements(for actor: String?) async throws -> any AchievementRepository {
    server.achievements(for: actor)
  }

  /// Returns the repository for the data that one actor's smartwatch shows.
  public func watch(for actor: String?) async throws -> any WatchRepository {
    server.watch(for: actor)
  }

  /// Returns the clock's current time.
  public func now() async throws -> Date { clock.now }

  /// Moves the clock.
  public func moveClock(to time: Date) async throws {
    clock.move(to: time)
    await server.refresh()
  }

  /// Refreshes the streams.
  ///
  /// Except for the effects of elapsed time, all changes in the in-memory server are visible
  /// immediately.
  public func settle() async throws { await server.refresh() }
}

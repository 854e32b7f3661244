public import Foundation
public import Presence
import ProductKit

/// A server as the contract's checks need it: one of memory, or a real one with a clock that can be set.
///
/// Each check gets one of its own, without users and groups.
public protocol PlaceEnvironment: Sendable {
  /// Makes an account, as signing in does.
  func addUser(_ id: String) async throws
  /// The groups of one actor.
  func groups(for actor: String?) async throws -> any GroupRepository
  /// The account of one actor.
  func users(for actor: String?) async throws -> any UserRepository
  /// What one actor has done and achieved.
  func achievements(for actor: String?) async throws -> any AchievementRepository
  /// What the watch of one actor shows.
  func watch(for actor: String?) async throws -> any WatchRepository

  /// A member is at a group's place from an instant on, which the clock is moved to, and goes after some seconds; nil:
  /// is there still.
  func stay(_ user: String, at groupId: String, from arrival: Date, for seconds: Int?) async throws

  /// Domain time.
  func now() async throws -> Date
  /// Moves domain time, forward.
  func moveClock(to time: Date) async throws
  /// Waits until all that was written can be seen: summaries, achievements, what time alone ends.
  func settle() async throws
}

/// A server that takes commands too.
public protocol PresenceEnvironment: PlaceEnvironment {
  /// Who is where, for one actor.
  func presences(for actor: String?) async throws -> any PresenceRepository
}

extension PresenceEnvironment {
  /// Checks in by hand, and out again.
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

/// A server of memory, for the contract.
public struct InMemoryPlaces: PresenceEnvironment {
  /// The server.
  public let server: InMemoryPresence
  private let clock: ManualClock

  /// An empty server, whose clock stands at an instant.
  public init(at time: Date) {
    let clock = ManualClock(at: time)
    self.clock = clock
    server = InMemoryPresence { clock.now }
  }

  /// Makes an account.
  public func addUser(_ id: String) async throws { await server.addUser(id, displayName: id) }

  /// The groups of one actor.
  public func groups(for actor: String?) async throws -> any GroupRepository {
    server.groups(for: actor)
  }

  /// The account of one actor.
  public func users(for actor: String?) async throws -> any UserRepository {
    server.users(for: actor)
  }

  /// Who is where, for one actor.
  public func presences(for actor: String?) async throws -> any PresenceRepository {
    server.presences(for: actor)
  }

  /// What one actor has done and achieved.
  public func achievements(for actor: String?) async throws -> any AchievementRepository {
    server.achievements(for: actor)
  }

  /// What the watch of one actor shows.
  public func watch(for actor: String?) async throws -> any WatchRepository {
    server.watch(for: actor)
  }

  /// Where the clock stands.
  public func now() async throws -> Date { clock.now }

  /// Moves the clock.
  public func moveClock(to time: Date) async throws {
    clock.move(to: time)
    await server.refresh()
  }

  /// Everything is seen at once here.
  public func settle() async throws { await server.refresh() }
}

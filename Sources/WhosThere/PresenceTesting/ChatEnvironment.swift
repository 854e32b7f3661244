public import Foundation
public import Presence
import ProductKit

/// A server for the checks of chat, either in memory or a real server whose clock a test can set.
///
/// Each check gets its own environment without users and groups, whose clock shows
/// ``ChatContract/beginning``.
public protocol ChatEnvironment: Sendable {
  /// Creates an account in the same way as a sign-in.
  func addUser(_ id: String) async throws
  /// Returns the account of one actor.
  func users(for actor: String?) async throws -> any UserRepository
  /// Returns the groups of one actor.
  func groups(for actor: String?) async throws -> any GroupRepository
  /// Returns the messages that one actor may read and send.
  func chat(for actor: String?) async throws -> any ChatRepository
  /// Moves the domain clock forward.
  func moveClock(to time: Date) async throws
}

/// A server in memory for the checks of chat.
public struct InMemoryChat: ChatEnvironment {
  /// The server in memory.
  public let server: InMemoryPresence
  private let clock: ManualClock

  /// Creates an empty server whose clock starts at the given instant.
  public init(at time: Date) {
    let clock = ManualClock(at: time)
    self.clock = clock
    server = InMemoryPresence { clock.now }
  }

  /// Creates an account.
  public func addUser(_ id: String) async throws { await server.addUser(id, displayName: id) }

  /// Returns the account of one actor.
  public func users(for actor: String?) async throws -> any UserRepository {
    server.users(for: actor)
  }

  /// Returns the groups of one actor.
  public func groups(for actor: String?) async throws -> any GroupRepository {
    server.groups(for: actor)
  }

  /// Returns the messages that one actor may read and send.
  public func chat(for actor: String?) async throws -> any ChatRepository {
    server.chat(for: actor)
  }

  /// Moves the clock.
  public func moveClock(to time: Date) async throws { clock.move(to: time) }
}

public import Foundation
public import Presence
import ProductKit

/// A server as the checks of chat need it: one of memory, or a real one with a clock that can be set.
///
/// Each check gets one of its own, without users and groups, whose clock stands at ``ChatContract/beginning``.
public protocol ChatEnvironment: Sendable {
  /// Makes an account, as signing in does.
  func addUser(_ id: String) async throws
  /// The account of one actor.
  func users(for actor: String?) async throws -> any UserRepository
  /// The groups of one actor.
  func groups(for actor: String?) async throws -> any GroupRepository
  /// What one actor writes and reads.
  func chat(for actor: String?) async throws -> any ChatRepository
  /// Moves domain time, forward.
  func moveClock(to time: Date) async throws
}

/// A server of memory, for the checks of chat.
public struct InMemoryChat: ChatEnvironment {
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

  /// The account of one actor.
  public func users(for actor: String?) async throws -> any UserRepository {
    server.users(for: actor)
  }

  /// The groups of one actor.
  public func groups(for actor: String?) async throws -> any GroupRepository {
    server.groups(for: actor)
  }

  /// What one actor writes and reads.
  public func chat(for actor: String?) async throws -> any ChatRepository {
    server.chat(for: actor)
  }

  /// Moves the clock.
  public func moveClock(to time: Date) async throws { clock.move(to: time) }
}

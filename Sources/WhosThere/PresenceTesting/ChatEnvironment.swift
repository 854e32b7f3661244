public import Foundation
public import Presence
import ProductKit

/// A server on which the chat checks run: an in-memory server, or a real server whose clock a test
/// can set.
///
/// Each check gets a new environment without users and groups, whose clock starts at
/// ``ChatContract/beginning``.
public protocol ChatEnvironment: Sendable {
  /// Creates an account in the same way as a sign-in.
  func addUser(_ id: String) async throws
  /// Returns one actor's account repository.
  func users(for actor: String?) async throws -> any UserRepository
  /// Returns the repository for one actor's blocks and reports.
  func safety(for actor: String?) async throws -> any SafetyRepository
  /// Returns one actor's group repository.
  func groups(for actor: String?) async throws -> any GroupRepository
  /// Returns the repository for the messages that one actor may read and send.
  func chat(for actor: String?) async throws -> any ChatRepository
  /// Moves the domain clock forward.
  func moveClock(to time: Date) async throws
}

/// An environment for the chat checks, with an in-memory server.
public struct InMemoryChat: ChatEnvironment {
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

  /// Returns the repository for one actor's blocks and reports.
  public func safety(for actor: String?) async throws -> any SafetyRepository {
    server.safety(for: actor)
  }

  /// Returns one actor's account repository.
  public func users(for actor: String?) async throws -> any UserRepository {
    server.users(for: actor)
  }

  /// Returns one actor's group repository.
  public func groups(for actor: String?) async throws -> any GroupRepository {
    server.groups(for: actor)
  }

  /// Returns the repository for the messages that one actor may read and send.
  public func chat(for actor: String?) async throws -> any ChatRepository {
    server.chat(for: actor)
  }

  /// Moves the clock.
  public func moveClock(to time: Date) async throws { clock.move(to: time) }
}

import Foundation
import Presence
import Synchronization
import TestSupport

/// Commands that a phone has sent, so that another phone can also send them.
final class StormCommands: Sendable {
  struct Sent: Sendable {
    let user: String
    let command: PresenceCommand
  }

  private let all = Mutex<[Sent]>([])

  func add(_ sent: Sent) { all.withLock { $0.append(sent) } }

  /// Returns one of the last commands.
  func any(using dice: inout SeededGenerator) -> Sent? {
    all.withLock { $0.suffix(10) }.randomElement(using: &dice)
  }

  subscript(id: UUID) -> Sent? { all.withLock { $0.first { $0.command.id == id } } }
}

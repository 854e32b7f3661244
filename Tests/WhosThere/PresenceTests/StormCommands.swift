import Foundation
import Presence
import Synchronization
import TestSupport

/// Commands that some phone has sent, so that another one can send them too.
final class StormCommands: Sendable {
  struct Sent: Sendable {
    let user: String
    let command: PresenceCommand
  }

  private let all = Mutex<[Sent]>([])

  func add(_ sent: Sent) { all.withLock { $0.append(sent) } }

  /// One of the last.
  func any(using dice: inout SeededGenerator) -> Sent? {
    all.withLock { $0.suffix(10) }.randomElement(using: &dice)
  }

  subscript(id: UUID) -> Sent? { all.withLock { $0.first { $0.command.id == id } } }
}

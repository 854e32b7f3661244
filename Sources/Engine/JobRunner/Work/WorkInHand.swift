import Foundation
import Synchronization

/// The current work of a worker, and how to cancel it.
final class WorkInHand: Sendable {
  private struct Work {
    let claim: Claim
    let cancel: @Sendable () -> Void
  }

  private struct State {
    var next = 0
    var works: [Int: Work] = [:]
  }

  private let state = Mutex(State())

  /// Registers work; call it before the work begins.
  ///
  /// - Parameters:
  ///   - claim: the claim; effects of one claim share its token.
  ///   - cancel: ends the work, from any thread; may be called several times until ``end(_:)``.
  /// - Returns: the number for ``end(_:)``.
  func begin(_ claim: Claim, cancel: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.next += 1
      state.works[state.next] = Work(claim: claim, cancel: cancel)
      return state.next
    }
  }

  /// Call it when the work has ended.
  func end(_ work: Int) { _ = state.withLock { $0.works.removeValue(forKey: work) } }

  /// Cancels the work on these runs.
  ///
  /// Work that has not begun yet is not known here; the requests are read again at each poll.
  func cancel(_ runs: [CancelledRun]) {
    let works = state.withLock { Array($0.works.values) }
    for work in works where work.claim.holdsAny(of: runs) { work.cancel() }
  }
}

/// A running run whose cancellation was requested.
struct CancelledRun: Sendable, Hashable {
  let token: UUID
  let id: Int64
}

extension Claim {
  fileprivate func holdsAny(of cancelled: [CancelledRun]) -> Bool {
    let ids = Set(cancelled.lazy.filter { $0.token == token }.map(\.id))
    return !ids.isEmpty && runs.contains { ids.contains($0.id) }
  }
}

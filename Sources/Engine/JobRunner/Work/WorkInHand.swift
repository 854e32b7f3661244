import Foundation
import Synchronization

/// What a worker works at this moment, and how each of it is ended.
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

  /// Before the work begins.
  ///
  /// - Parameters:
  ///   - claim: what is worked; work outside of transactions has a token in common with other runs.
  ///   - cancel: ends the work, from any thread; called again and again until ``end(_:)``.
  /// - Returns: what ``end(_:)`` takes.
  func begin(_ claim: Claim, cancel: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.next += 1
      state.works[state.next] = Work(claim: claim, cancel: cancel)
      return state.next
    }
  }

  /// When it has ended.
  func end(_ work: Int) { _ = state.withLock { $0.works.removeValue(forKey: work) } }

  /// Ends the work on these runs.
  ///
  /// Of what has not begun yet nothing is known here: requests are read again at each poll.
  func cancel(_ runs: [CancelledRun]) {
    let works = state.withLock { Array($0.works.values) }
    for work in works where work.claim.holdsAny(of: runs) { work.cancel() }
  }
}

/// A run that is being worked and that somebody cancelled.
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

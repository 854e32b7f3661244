import Foundation
import Synchronization

/// The attempts that a worker is processing, each with a way to cancel it.
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

  /// Registers an attempt before it begins.
  ///
  /// - Parameters:
  ///   - claim: the claim, whose token is shared if several effects belong to the claim.
  ///   - cancel: cancels the attempt. The closure may be called from any thread, and several times
  ///     until ``end(_:)``.
  /// - Returns: the number to pass to ``end(_:)``.
  func begin(_ claim: Claim, cancel: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.next += 1
      state.works[state.next] = Work(claim: claim, cancel: cancel)
      return state.next
    }
  }

  /// Removes an attempt that has ended.
  func end(_ work: Int) { _ = state.withLock { $0.works.removeValue(forKey: work) } }

  /// Cancels the attempts that process these runs.
  ///
  /// An attempt that has not begun yet is not registered here, but each poll reads the requests
  /// again.
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

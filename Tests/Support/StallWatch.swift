import Foundation
import Synchronization

/// Notices when the machine keeps threads waiting: what is measured then says nothing of the program.
package final class StallWatch: Sendable {
  private struct State {
    var isOver = false
    var stalls: [ClosedRange<ContinuousClock.Instant>] = []
  }

  private let state = Mutex(State())

  /// Begins to watch: a thread that sleeps for 10 ms, again and again, and oversleeps by as much.
  package init(oversleep: Duration = .milliseconds(200)) {
    Thread.detachNewThread { [self] in
      while !state.withLock(\.isOver) {
        let began = ContinuousClock.now
        Thread.sleep(forTimeInterval: 0.01)
        let ended = ContinuousClock.now
        guard began.duration(to: ended) > .milliseconds(10) + oversleep else { continue }
        state.withLock { $0.stalls.append(began...ended) }
      }
    }
  }

  /// Ends the thread.
  package func stop() { state.withLock { $0.isOver = true } }

  /// Whether threads were kept waiting at any time between these instants.
  package func stalled(_ time: ClosedRange<ContinuousClock.Instant>) -> Bool {
    state.withLock { $0.stalls.contains { $0.overlaps(time) } }
  }
}

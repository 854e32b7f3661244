import Foundation
import Synchronization

/// Detects periods in which the machine delays threads.
///
/// Measurements during a delay say nothing about the program.
package final class StallWatch: Sendable {
  private struct State {
    var isOver = false
    var stalls: [ClosedRange<ContinuousClock.Instant>] = []
  }

  private let state = Mutex(State())

  /// Starts a thread that repeatedly sleeps for 10 ms.
  ///
  /// A delay is detected if the thread wakes up more than `oversleep` too late.
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

  /// Stops the thread.
  package func stop() { state.withLock { $0.isOver = true } }

  /// Returns whether threads were delayed at any time in a time range.
  package func stalled(_ time: ClosedRange<ContinuousClock.Instant>) -> Bool {
    state.withLock { $0.stalls.contains { $0.overlaps(time) } }
  }
}

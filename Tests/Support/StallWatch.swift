import Foundation
import Synchronization
package import Testing

/// Detects periods in which the machine delays threads.
///
/// Measurements during a delay say nothing about the program.
package final class StallWatch: Sendable {
  /// The sleepers whose delays are recorded.
  private enum Sleeper: Int, CaseIterable { case thread, task }

  private struct Stall {
    let sleeper: Sleeper
    let time: ClosedRange<ContinuousClock.Instant>
  }

  private struct State {
    var isOver = false
    var stalls: [Stall] = []
    /// The start of each sleep that has not ended.
    var asleep: [Sleeper: ContinuousClock.Instant] = [:]
  }

  private static let pause = Duration.milliseconds(10)
  private let oversleep: Duration
  private let state = Mutex(State())

  /// Starts a thread and a task that repeatedly sleep for 10 ms.
  ///
  /// A delay is detected if the thread or the task wakes up more than `oversleep` too late. The
  /// task wakes up late if other tests occupy all threads of Swift's cooperative pool.
  package init(oversleep: Duration = .milliseconds(200)) {
    self.oversleep = oversleep
    Thread.detachNewThread { [self] in
      while !state.withLock(\.isOver) {
        fallAsleep(.thread)
        Thread.sleep(forTimeInterval: 0.01)
        wakeUp(.thread)
      }
    }
    Task { [self] in
      while !state.withLock(\.isOver) {
        fallAsleep(.task)
        try? await Task.sleep(for: Self.pause)
        wakeUp(.task)
      }
    }
  }

  private func fallAsleep(_ sleeper: Sleeper) {
    state.withLock { $0.asleep[sleeper] = .now }
  }

  private func wakeUp(_ sleeper: Sleeper) {
    state.withLock { state in
      guard let began = state.asleep.removeValue(forKey: sleeper) else { return }
      if let stall = stall(of: sleeper, since: began) { state.stalls.append(stall) }
    }
  }

  /// Returns the delay of a sleep that began at an instant, if the sleep has lasted too long.
  private func stall(of sleeper: Sleeper, since began: ContinuousClock.Instant) -> Stall? {
    let now = ContinuousClock.now
    guard began.duration(to: now) > Self.pause + oversleep else { return nil }
    return Stall(sleeper: sleeper, time: began...now)
  }

  /// Returns all delays, including the delay of a sleeper that has not woken up yet.
  private var stalls: [Stall] {
    state.withLock { state in
      state.stalls + state.asleep.compactMap { stall(of: $0.key, since: $0.value) }
    }
  }

  /// Stops the thread and the task.
  package func stop() { state.withLock { $0.isOver = true } }

  /// Returns whether the thread was delayed at any time in a time range.
  package func stalled(_ time: ClosedRange<ContinuousClock.Instant>) -> Bool {
    stalls.contains { $0.sleeper == .thread && $0.time.overlaps(time) }
  }

  /// Returns how much of a time range is covered by delays of the thread or the task.
  package func delay(in time: ClosedRange<ContinuousClock.Instant>) -> Duration {
    var (delay, counted) = (Duration.zero, time.lowerBound)
    for stall in stalls.map(\.time).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let (begin, end) = (max(stall.lowerBound, counted), min(stall.upperBound, time.upperBound))
      guard begin < end else { continue }
      delay += begin.duration(to: end)
      counted = end
    }
    return delay
  }
}

/// Expects that an action takes less than a time limit.
///
/// Periods in which the machine delays threads do not count. The limit should be a small multiple
/// of the time on a machine without other load.
///
/// - Parameters:
///   - limit: the time limit, which is not extended on a busy machine.
///   - what: the action, for the error message.
/// - Throws: the error of `body`.
@discardableResult
package func expectTime<R>(
  below limit: Duration, _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> R
) async throws -> R {
  let watch = StallWatch()
  defer { watch.stop() }
  let began = ContinuousClock.now
  let result = try await body()
  let ended = ContinuousClock.now
  let (took, delay) = (began.duration(to: ended), watch.delay(in: began...ended))
  #expect(
    took - delay < limit, "\(what) took \(took), of which the machine delayed threads for \(delay)",
    sourceLocation: sourceLocation)
  return result
}

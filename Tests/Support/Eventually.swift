/// Waits until a condition is true, and checks the condition frequently.
///
/// Tests must wait only with this function.
///
/// Any thread of a busy machine can stop for a minute. A check of the condition and the following
/// pause therefore count as at most 2 s of the time limit. After a stop, the condition gets the
/// rest of its time.
///
/// - Parameters:
///   - what: the expected event, for the error message.
///   - limit: the time limit on a machine without other load.
/// - Throws: `TestFailure` if the condition does not become true in time, or the error of
///   `condition`.
package func eventually(
  _ what: String, within limit: Duration = .seconds(30), _ condition: () async throws -> Bool
) async throws {
  var wait = PatientWait(within: limit)
  // The pause is short at first and grows, so that a long wait does not occupy the cores.
  var pause = Duration.milliseconds(2)
  while try await !condition() {
    guard !wait.isOver else {
      throw TestFailure("\(what) did not come within \(limit * patience)")
    }
    try await Task.sleep(for: pause)
    pause = min(pause * 1.25, .milliseconds(25))
    wait.step()
  }
}

/// The time that a test has waited, in which each step counts as at most 2 s.
package struct PatientWait {
  private let limit: Duration
  private var waited = Duration.zero
  private var last = ContinuousClock.now

  /// Whether the time limit has been reached.
  package var isOver: Bool { waited >= limit }

  /// Starts a wait.
  ///
  /// - Parameter limit: the time limit on a machine without other load.
  package init(within limit: Duration) { self.limit = limit * patience }

  /// Counts the time since the last step.
  package mutating func step() {
    let now = ContinuousClock.now
    waited += min(last.duration(to: now), .seconds(2))
    last = now
  }
}

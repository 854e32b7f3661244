import BatonPostgres
import RunnerSQL

/// A run's state, as returned by the `run_state` SQL function.
package struct StateOfRun: Sendable {
  /// The state of the run, which is `waiting`, `running`, `sleeping`, `ended`, `dead` or
  /// `cancelled`.
  ///
  /// The state is nil if no record of the run exists.
  package let state: String?
  /// The JSON of `run_state`, or nil if no record of the run exists.
  package let json: String?

  /// The output as JSON, or nil if no output is stored.
  package let output: String?

  /// Whether the run has ended.
  package var hasEnded: Bool {
    !["waiting", "running", "sleeping"].contains(state)
  }
}

extension Queue {
  /// Waits until a run has ended, and returns its last state.
  ///
  /// The method searches for the id only once, and then polls by job and key. No index contains the
  /// ids of all runs.
  ///
  /// - Parameters:
  ///   - id: the run's id, or one of its earlier ids.
  ///   - limit: the maximum time to wait.
  /// - Returns: nil if no record of the run exists. If the run has not ended after the maximum
  ///   wait, the method returns its current state.
  /// - Throws: `PostgresError`, or `CancellationError` if the task is cancelled while the method is
  ///   waiting.
  package func waitForEnd(of id: Int64, atMost limit: Duration) async throws -> StateOfRun? {
    guard let run = try await find(id) else { return nil }
    let read = Call.row(SQL.Runs.readState, id, run.job, run.key) { (row) throws(PostgresError) in
      let (json, state, output) = try row.decode(String?.self, String?.self, String?.self)
      return StateOfRun(state: state, json: json, output: output)
    }
    let deadline = ContinuousClock.now + limit
    var pause = Duration.milliseconds(10)
    while true {
      let state: StateOfRun = try await session.freely.atomically(read)
      if state.hasEnded || .now >= deadline { return state }
      try await Task.sleep(for: min(pause, ContinuousClock.now.duration(to: deadline)))
      pause = min(pause * 2, .milliseconds(200))
    }
  }
}

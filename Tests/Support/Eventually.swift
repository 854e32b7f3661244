/// Waits for something that happens by itself, looking often; the only way in which tests wait.
///
/// - Parameters:
///   - what: what is waited for, for the message.
///   - limit: when to give up on a quiet machine.
/// - Throws: `TestFailure` where it did not happen in time; what `condition` throws.
package func eventually(
  _ what: String, within limit: Duration = .seconds(30), _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + limit * patience
  // Often at first, when it is likely; whoever waits for seconds leaves the cores to the others.
  var pause = Duration.milliseconds(2)
  while try await !condition() {
    guard ContinuousClock.now < deadline else {
      throw TestFailure("\(what) did not come within \(limit * patience)")
    }
    try await Task.sleep(for: pause)
    pause = min(pause * 1.25, .milliseconds(25))
  }
}

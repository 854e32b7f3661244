import Testing

@testable import JobRunner

/// Decisions of executors about quarantined runs.
struct QuarantineTurnTests {
  @Test func `under load, quarantined runs are claimed first once per second`() async throws {
    var turn = QuarantineTurn()
    turn.othersWereClaimed()
    try await Task.sleep(for: QuarantineTurn.patience)
    #expect(turn.hasCome)
    turn.wereAskedFor(found: false)
    #expect(!turn.hasCome)
  }

  @Test func `after an idle second, other runs are claimed first`() async throws {
    var turn = QuarantineTurn()
    try await Task.sleep(for: QuarantineTurn.patience)
    turn.wasIdle()
    #expect(!turn.hasCome)
  }

  @Test func `an idle second does not take the turn of known quarantined runs`() {
    var turn = QuarantineTurn()
    turn.wereAskedFor(found: true)
    turn.othersWereClaimed()
    turn.wasIdle()
    #expect(turn.hasCome)
  }
}

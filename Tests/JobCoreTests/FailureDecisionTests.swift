import JobCore
import Testing

@Suite struct FailureDecisionTests {
  static let retry = Retry.attempts(3, exponentialFrom: .seconds(1), to: .seconds(60))

  @Test(arguments: [
    (
      FailureDecision.Cause.interrupted, 7, 3,
      FailureDecision.release(attemptsOff: 1, wait: .zero, batchLimit: nil)
    ),
    (.interrupted, 1, 3, .release(attemptsOff: 1, wait: .zero, batchLimit: nil)),
    (.transient, 7, 1, .release(attemptsOff: 0, wait: .seconds(1), batchLimit: nil)),
    (.transient, 7, 3, .release(attemptsOff: 1, wait: .zero, batchLimit: 3)),
    (.transient, 1, 3, .deadLetter),
    (.failed, 7, 1, .release(attemptsOff: 1, wait: .zero, batchLimit: 3)),
    (.failed, 2, 3, .release(attemptsOff: 1, wait: .zero, batchLimit: 1)),
    (.failed, 1, 2, .release(attemptsOff: 0, wait: .seconds(2), batchLimit: nil)),
    (.failed, 1, 3, .deadLetter),
    (.permanent, 4, 1, .release(attemptsOff: 1, wait: .zero, batchLimit: 2)),
    (.permanent, 1, 1, .deadLetter),
    (.snoozed(.seconds(9)), 5, 3, .release(attemptsOff: 1, wait: .seconds(9), batchLimit: nil)),
  ])
  func `a batch is released, split or dead-lettered by its cause`(
    cause: FailureDecision.Cause, runs: Int, attempt: Int, expected: FailureDecision
  ) {
    #expect(
      FailureDecision(on: cause, runs: runs, attempt: attempt, retry: Self.retry, jitter: 1)
        == expected)
  }

  @Test func `waits double up to the longest and lose at most half to jitter`() {
    let waits = (1...8).map { Self.retry.wait(after: $0, jitter: 1) / .seconds(1) }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60])
    #expect(Self.retry.wait(after: 3, jitter: 0) == .seconds(2))
    #expect(Self.retry.wait(after: 1_000_000, jitter: 1) == .seconds(60))
  }
}

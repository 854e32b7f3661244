import BatonJobs
import TestSupport
import Testing

@testable import JobRunner

@Suite struct FailureDecisionTests {
  static let retry = Retry.attempts(3, exponentialFrom: .seconds(1), to: .seconds(60))

  @Test(arguments: [
    (
      FailureDecision.Cause.interrupted, 7, 3,
      FailureDecision.release(attemptsOff: 1, wait: .zero, batchLimit: nil)
    ),
    (.interrupted, 1, 3, .release(attemptsOff: 1, wait: .zero, batchLimit: nil)),
    (.transient, 7, 1, .release(attemptsOff: 0, wait: .seconds(1), batchLimit: nil)),
    (.transient, 7, 3, .release(attemptsOff: 1, wait: .seconds(4), batchLimit: 3)),
    (.transient, 1, 3, .deadLetter),
    (.failed, 7, 1, .release(attemptsOff: 1, wait: .zero, batchLimit: 3)),
    (.failed, 2, 3, .release(attemptsOff: 1, wait: .zero, batchLimit: 1)),
    (.failed, 1, 2, .release(attemptsOff: 0, wait: .seconds(2), batchLimit: nil)),
    (.failed, 1, 3, .deadLetter),
    (.permanent, 4, 1, .release(attemptsOff: 1, wait: .zero, batchLimit: 2)),
    (.permanent, 1, 1, .deadLetter),
    (.snoozed(.seconds(9)), 5, 3, .release(attemptsOff: 1, wait: .seconds(9), batchLimit: nil)),
    (.retryAfter(.seconds(9)), 5, 1, .release(attemptsOff: 0, wait: .seconds(9), batchLimit: nil)),
    // The wait also applies if the batch is split, because the attempt is the last one of a run.
    (.retryAfter(.seconds(9)), 4, 3, .release(attemptsOff: 1, wait: .seconds(9), batchLimit: 2)),
    (.retryAfter(.seconds(9)), 1, 3, .deadLetter),
  ])
  func `a batch is released, split or dead-lettered by its cause`(
    cause: FailureDecision.Cause, runs: Int, attempt: Int, expected: FailureDecision
  ) {
    #expect(
      FailureDecision(
        on: cause, TestFailure("-"), runs: runs, attempt: attempt, retry: Self.retry, jitter: 1)
        == expected)
  }

  /// The time of the server's recovery is not known.
  ///
  /// Its clients notice the recovery within a minute, for as long as they would have retried
  /// anyway.
  @Test func `a transient error of the server is waited for a minute at most`() {
    func decision(_ attempt: Int, runs: Int = 1) -> FailureDecision {
      FailureDecision(
        on: .transient, TestFailure("-"), runs: runs, attempt: attempt, retry: .usual, jitter: 1)
    }
    #expect(decision(20) == .release(attemptsOff: 0, wait: .seconds(60), batchLimit: nil))
    #expect(decision(3_000) == .release(attemptsOff: 0, wait: .seconds(60), batchLimit: nil))
    #expect(decision(5_000) == .deadLetter)
    // A batch is retried as a whole for two minutes, and then in halves, because one of its runs
    // may be the cause.
    #expect(
      decision(7, runs: 9) == .release(attemptsOff: 0, wait: .seconds(60), batchLimit: nil))
    #expect(
      decision(8, runs: 9) == .release(attemptsOff: 1, wait: .seconds(60), batchLimit: 4))
    // If an author wants one attempt, a transient error adds no further attempt.
    let once = Retry.attempts(1, exponentialFrom: .zero, to: .zero)
    #expect(
      FailureDecision(on: .transient, TestFailure("-"), runs: 1, attempt: 1, retry: once, jitter: 1)
        == .deadLetter)
  }

  @Test func `the usual retry takes about two days, and capped as long`() {
    func hours(_ retry: Retry) -> Double {
      (1..<retry.attempts).reduce(0) { $0 + retry.wait(after: $1, jitter: 0.5) / .seconds(3_600) }
    }
    #expect(Retry.usual.attempts == 25)
    #expect((40...56).contains(hours(.usual)), "\(hours(.usual)) h")
    let capped = Retry.usual.capped(at: .seconds(60))
    #expect(capped.longest == .seconds(60))
    #expect(abs(hours(capped) - hours(.usual)) < 0.1, "\(hours(capped)) h")
    #expect(Self.retry.capped(at: .seconds(60)) == Self.retry)
    #expect(Self.retry.capped(at: .milliseconds(1)).longest == .milliseconds(1))
  }

  @Test(arguments: [1, 2, 1_000, 1_000_000_000])
  func `no number of attempts is too many to be capped`(attempts: Int) {
    let retry = Retry.attempts(attempts, exponentialFrom: .zero, to: .seconds(1_000_000))
    #expect(retry.capped(at: .seconds(1)).attempts >= attempts)
    let long = Retry.attempts(attempts, exponentialFrom: .seconds(1), to: .seconds(1_000_000))
    #expect(long.capped(at: .nanoseconds(1)).attempts >= attempts)
  }

  @Test func `waits double up to the longest and lose at most half to jitter`() {
    let waits = (1...8).map { Self.retry.wait(after: $0, jitter: 1) / .seconds(1) }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60])
    #expect(Self.retry.wait(after: 3, jitter: 0) == .seconds(2))
    #expect(Self.retry.wait(after: 1_000_000, jitter: 1) == .seconds(60))
  }
}

import BatonJobs
import BatonPostgres
import Logging

extension FailedAttempt {
  /// Stores the decision about the runs, and returns the number of cancelled runs.
  ///
  /// The method returns nil if the decision could not be stored. Runs whose cancellation was
  /// requested end as cancelled, regardless of the decision.
  func write(
    _ decision: FailureDecision, of part: Claim, because error: any Error,
    on reconnecting: ReconnectingSession
  ) async -> Int? {
    var (text, report) = (Self.text(error), unrecorded.report)
    // After the maximum snooze time, a `Snooze` counts as a failure.
    let isSnoozed = error is Snooze && decision.isPostponement
    var pause = ReconnectPause(upTo: .seconds(2))
    for _ in 0..<Self.mostTries {
      do throws(PostgresError) {
        let cancelled = try await write(
          decision, of: part, text, report, isSnoozed: isSnoozed, on: reconnecting.session())
        metrics?.settle(
          part.runs.count, cancelled: cancelled, by: decision, isSnoozed: isSnoozed)
        if case .release = decision {
          worker.undone?.note(part, because: text)
        } else {
          worker.undone?.forget(part)
        }
        return cancelled
      } catch {
        worker.failures.note(
          error, "cannot settle yet", of: job.name, with: worker.logger.about(part))
        if error.sqlState.failure.mayBeOfValue {
          // The database encoding may be unable to represent a character in the error text or the
          // report.
          (text, report) = (Self.plain(text), Report())
        }
        try? await Task.sleep(for: pause.next())
        await reconnecting.reconnect(while: { !Task.isCancelled })
      }
    }
    metrics?.lose(part.runs.count)
    return nil
  }

  /// The maximum number of attempts to store a decision.
  ///
  /// All attempts together take about half a minute.
  private static let mostTries = 20

  private func write(
    _ decision: FailureDecision, of part: Claim, _ text: String, _ report: Report,
    isSnoozed: Bool, on session: Session
  ) async throws(PostgresError) -> Int {
    let settle: Call<Int>
    let recorded: String?
    switch decision {
    case .release(let off, let wait, let limit):
      recorded = off == 0 || isSnoozed ? text : nil
      settle = QueueCalls.release(
        part, attemptsOff: off, wait: wait, batchLimit: limit,
        error: off > 0 && limit == nil && (isSnoozed || wait == .zero) ? nil : text)
    case .deadLetter:
      recorded = text
      settle = QueueCalls.deadLetter(part, error: text, took: unrecorded.took)
    }
    let record = QueueCalls.recordFailed(
      part, took: elapsed, error: recorded, isSnoozed: isSnoozed)
    let end = QueueCalls.endCancelled(part, report: report, took: unrecorded.took)
    guard isSnoozed, !waits.isEmpty else {
      let (_, _, _, cancelled, _) = try await session.atomically(
        QueueCalls.waitForClaimed(part), QueueCalls.lockCancellations, record, end, settle)
      return cancelled
    }
    let (_, _, _, cancelled, _, _) = try await session.atomically(
      QueueCalls.waitForClaimed(part), QueueCalls.lockCancellations, record, end, settle,
      QueueCalls.parkWaits(waits, of: part))
    return cancelled
  }

  /// Returns the beginning of a string, reduced to characters that every database can store.
  private static func plain(_ text: String) -> String {
    let characters = text.unicodeScalars.prefix(1_000).map { scalar in
      (0x20...0x7E).contains(scalar.value) ? Character(scalar) : "?"
    }
    return String(characters)
  }
}

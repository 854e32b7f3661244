import Foundation
import JobCore
import Postgres
import SQLFiles

/// How a lane looks for the next batch of one job: from where, and with how much care.
struct ClaimScan {
  /// The due where the last full batch began; nil: from the beginning.
  private var mark: (from: Timestamp, since: ContinuousClock.Instant)?
  /// How long a claim from the beginning took, the last time.
  private var wholeScan = Duration.zero
  /// Until when keys that run are looked for ahead of the claim.
  private var carefulUntil = ContinuousClock.now

  /// Claims up to a batch of runs that are due.
  ///
  /// That a key runs already is rare, and looking for it costs a fifth of the claim. So it is left
  /// to the primary key; where that finds one, the next claims look first.
  mutating func claim(
    _ job: Definition, token: UUID, worker: UUID, on connection: Connection, in schema: Schema
  ) async throws(PostgresError) -> [ClaimedRun] {
    let began = ContinuousClock.now
    let from = lowWaterMark(at: began)
    let runs: [ClaimedRun]
    do throws(PostgresError) {
      runs = try await Self.claim(
        job, token, worker, from, besideRunning: began < carefulUntil, connection, schema)
    } catch {
      guard began >= carefulUntil, error.meetsRunning else { throw error }
      carefulUntil = .now + .seconds(1)
      runs = try await Self.claim(
        job, token, worker, from, besideRunning: true, connection, schema)
    }
    moveMark(after: runs, isFull: runs.count == job.batch, began: began)
    return runs
  }

  private static func claim(
    _ job: Definition, _ token: UUID, _ worker: UUID, _ from: Timestamp, besideRunning: Bool,
    _ connection: Connection, _ schema: Schema
  ) async throws(PostgresError) -> [ClaimedRun] {
    let call = QueueCalls.claim(
      job, token: token, worker: worker, from: from, besideRunning: besideRunning)
    return try await connection.atomically(
      in: schema, planning: .byIndex, .run(SQL.Queue.limitClaim), call
    ).1
  }

  /// Runs with an earlier due can appear behind the mark, so it is forgotten every second; later
  /// where looking from the beginning is dear, so that it takes a twentieth of the time at most.
  private mutating func lowWaterMark(at now: ContinuousClock.Instant) -> Timestamp {
    guard let mark, mark.since.duration(to: now) < max(.seconds(1), wholeScan * 20) else {
      self.mark = nil
      return Timestamp(microseconds: 0)
    }
    return mark.from
  }

  private mutating func moveMark(
    after runs: [ClaimedRun], isFull: Bool, began: ContinuousClock.Instant
  ) {
    if mark == nil { wholeScan = began.duration(to: .now) }
    guard isFull, let earliest = runs.lazy.map(\.due).min() else {
      mark = nil
      return
    }
    mark = (earliest, mark?.since ?? began)
  }
}

extension PostgresError {
  /// Whether a claim met a key that runs: its row is there, or work in progress is ending it.
  fileprivate var meetsRunning: Bool {
    sqlState == .uniqueViolation || sqlState == .lockNotAvailable
  }
}

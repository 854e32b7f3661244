import BatonPostgres
import Foundation
import RunnerSQL

/// What became of a wish to cancel a run.
package enum Cancellation: Sendable, Equatable {
  /// It waited or was dead, or it ran and was waited for, and is cancelled; under this id.
  case cancelled(Int64)
  /// It runs, and whoever works it ends it soon; under this id.
  case cancelling(Int64)
  /// It had ended: `done`, or `ended` where nobody knows how.
  case ended(Int64, String)
  /// There is no such run.
  case missing
}

extension Queue {
  /// Cancels a run, whatever it does: one that waits or is dead is taken out, of one that runs its worker is asked.
  ///
  /// The audit has a row of either.
  ///
  /// - Parameters:
  ///   - id: its id, or one of its earlier ones.
  ///   - patience: how long to wait for the end of one that runs; nil: not at all.
  /// - Throws: `PostgresError`; `CancellationError` while it waits.
  package func cancel(_ id: Int64, patience: Duration? = nil) async throws -> Cancellation {
    var hasFolded = false
    while let run = try await find(id) {
      switch run.state {
      case "ready", "dead":
        if try await takeOut(run) { return .cancelled(run.id) }
      case "running":
        guard try await request(run) else { continue }
        guard let patience else { return .cancelling(run.id) }
        return try await end(of: run, within: patience)
      case "unfolded":
        // What nobody has folded is no run yet. Once: an event that stays is no job's.
        guard !hasFolded else { return .missing }
        hasFolded = true
        try await Queue(session.freely).foldAfterOthers()
      // Twice is once.
      case "cancelled": return .cancelled(run.id)
      default: return .ended(run.id, run.state)
      }
      // It is something else by now: a claim, a release or an end came between two looks.
    }
    return .missing
  }

  /// Runs of a worker that somebody wants to be cancelled.
  ///
  /// Requests whose runs had ended before are removed.
  func cancelled(of worker: UUID) async throws(PostgresError) -> [CancelledRun] {
    let list = Call.rows(SQL.Queue.listCancelled, worker) { (row) throws(PostgresError) in
      let (token, id) = try row.decode(UUID.self, Int64.self)
      return CancelledRun(token: token, id: id)
    }
    return try await session.atomically(list, .count(SQL.Queue.sweepCancellations)).0
  }

  // MARK: Parts

  /// Where a run is.
  struct Found: Sendable {
    let id: Int64
    let job, key, state: String

    func entry(after end: String) -> AuditEntry {
      AuditEntry(
        "runs cancel", .run(id, job, key), before: ["state": .text(state)],
        after: ["state": .text(end)])
    }
  }

  /// Where a run is, by its id or one of its earlier ones.
  func find(_ id: Int64) async throws(PostgresError) -> Found? {
    let find = Call.rows(SQL.Runs.find, id) { (row) throws(PostgresError) in
      let (id, job, key, state) = try row.decode(
        Int64.self, String.self, String.self, String.self)
      return Found(id: id, job: job, key: key, state: state)
    }
    let found: [Found] = try await session.freely.atomically(find)
    return found.first
  }

  private func takeOut(_ run: Found) async throws -> Bool {
    try await session.transaction { transaction in
      let count = try await transaction.run(.count(SQL.Runs.cancel, run.id, run.job, run.key))
      guard count > 0 else { return false }
      try await transaction.record(run.entry(after: "cancelled"))
      return true
    }
  }

  /// Whether its worker is asked to end it; false where it does not run any more.
  ///
  /// Those who settle runs are waited for, in short turns: behind this the others would wait too.
  private func request(_ run: Found) async throws -> Bool {
    let ask = Call.rows(SQL.Runs.requestCancellation, run.id, run.job, run.key) {
      (row) throws(PostgresError) in try row.decode(Bool.self)
    }
    var tries = 20
    while true {
      tries -= 1
      do {
        return try await session.transaction { transaction in
          let (_, _, asked) = try await transaction.run(
            .run(SQL.Runs.limitRequest), .run(SQL.Runs.lockSettling), ask)
          // Twice is once.
          if asked.first == true { try await transaction.record(run.entry(after: "cancelling")) }
          return !asked.isEmpty
        }
      } catch let error as PostgresError where error.sqlState == .lockNotAvailable && tries > 0 {
        continue
      }
    }
  }

  private func end(of run: Found, within patience: Duration) async throws -> Cancellation {
    let deadline = ContinuousClock.now + patience
    let isRunning = Call.row(SQL.Runs.isRunning, run.id, run.job, run.key) {
      (row) throws(PostgresError) in try row.decode(Bool.self)
    }
    while try await session.atomically(isRunning) {
      guard .now < deadline else { return .cancelling(run.id) }
      try await Task.sleep(for: .milliseconds(50))
    }
    guard let end = try await find(run.id) else { return .ended(run.id, "ended") }
    return end.state == "cancelled" ? .cancelled(run.id) : .ended(run.id, end.state)
  }
}

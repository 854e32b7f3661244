import BatonJobs
import BatonPostgres
import Foundation

@testable import JobRunner

extension Session {
  /// Inserts running runs, as after a claim, and returns them in the order of their rows.
  func insertRunning(
    _ keys: [String], of job: RegisteredJob, token: UUID, payload: String? = nil
  ) async throws -> [ClaimedRun] {
    let insert = Statement(
      "test/running",
      """
      insert into run (job, key, state, due, run_at, attempt, token, worker, payload)
      select $2, k, 'running', now(), now(), 1, $3, gen_random_uuid(), $4::text::jsonb
      from unnest($1) k
      returning id, key, ctid
      """)
    let rows = Call.rows(insert, keys, job.definition.name, token, payload) {
      (row) throws(PostgresError) in
      let (id, key, place) = try row.decode(Int64.self, String.self, RowPlace.self)
      return ClaimedRun(
        id: id, key: key, payload: payload, attempt: 1, due: Timestamp(microseconds: 0),
        firstEventAt: Timestamp(microseconds: 0), place: place)
    }
    return try await atomically(rows)
  }
}

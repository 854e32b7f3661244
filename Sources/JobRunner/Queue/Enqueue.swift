import JobCore
public import Postgres
import RunnerSQL

/// A run that its job cannot read: no attempt would get anywhere.
public struct UnreadableRun: Error, Sendable, Equatable {
  /// The job's name.
  public let job: String
  /// The key that was given.
  public let key: String
  /// What the job has against it.
  public let reason: String
}

extension Queue {
  /// Lets a job read a run before anybody asks for it or works it.
  ///
  /// - Parameter payload: what the run will have; nil: what its ready run has, if there is one.
  /// - Throws: ``UnreadableRun``, `PostgresError`; nothing was done.
  public func check(_ job: RegisteredJob, key: String, payload: String?) async throws {
    var payload = payload
    if payload == nil {
      let read = Call.rows(SQL.Runs.readPayload, job.definition.name, key) {
        (row) throws(PostgresError) in try row.decode(String?.self)
      }
      let ready: [String?] = try await session.freely.atomically(read)
      payload = ready.first ?? nil
    }
    do {
      try job.read(key, payload)
    } catch {
      throw UnreadableRun(job: job.definition.name, key: key, reason: "\(error)")
    }
  }

  /// Asks for a run, as any program does with the SQL function `enqueue`.
  ///
  /// - Throws: `PostgresError`: ZB005 unknown job, ZB006 malformed key, 22P02 malformed payload.
  public func enqueue(_ job: String, key: String, payload: String?) async throws(PostgresError) {
    try await session.freely.atomically(.run(SQL.Runs.enqueue, job, key, payload))
  }
}

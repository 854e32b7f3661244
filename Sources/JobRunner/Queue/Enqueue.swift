import JobCore
public import Postgres
import RunnerSQL

/// A run that its job cannot read: no attempt would get anywhere.
public struct UnreadableRun: Error, Sendable, Equatable {
  /// The job's name.
  public let job: String
  /// The key that was given.
  public let key: String
  /// Whether it is the payload that the job cannot read, not the key.
  public let isOfPayload: Bool
  /// What the job has against it.
  public let reason: String
}

extension Queue {
  /// Lets a job read a run before anybody asks for it or works it.
  ///
  /// - Parameter payload: what the run will have; nil: what its ready run has, if there is one.
  /// - Throws: ``UnreadableRun``; `PostgresError`: 22P02 or 22P05 for a payload that is not JSON; nothing was
  ///   done.
  public func check(_ job: RegisteredJob, key: String, payload: String?) async throws {
    let read =
      if let payload {
        Call.rows(SQL.Runs.checkPayload, payload, decode: Self.payload)
      } else {
        Call.rows(SQL.Runs.readPayload, job.definition.name, key, decode: Self.payload)
      }
    let found: [String?] = try await session.freely.atomically(read)
    do {
      try job.read(key, found.first ?? nil)
    } catch {
      throw UnreadableRun(
        job: job.definition.name, key: key, isOfPayload: !(error is UnreadableKey),
        reason: "\(error)")
    }
  }

  private static func payload(_ row: Row) throws(PostgresError) -> String? {
    try row.decode(String?.self)
  }

  /// Asks for a run, as any program does with the SQL function `enqueue`.
  ///
  /// - Throws: `PostgresError`: ZB005 unknown job, ZB006 malformed key, 22P02 malformed payload.
  public func enqueue(_ job: String, key: String, payload: String?) async throws(PostgresError) {
    try await session.freely.atomically(.run(SQL.Runs.enqueue, job, key, payload))
  }
}

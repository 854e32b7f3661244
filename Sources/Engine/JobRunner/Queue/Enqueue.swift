public import BatonJobs
public import BatonPostgres
package import Foundation
import RunnerSQL

/// A run that its job cannot read; no attempt at it could succeed.
package struct UnreadableRun: Error, Sendable, Equatable {
  /// The job's name.
  package let job: String
  /// The given key.
  package let key: String
  /// Whether the job cannot read the payload; false if it cannot read the key.
  package let isOfPayload: Bool
  /// The job's reason.
  package let reason: String
}

extension Queue {
  /// Checks that the job can read a run, before the run is enqueued or worked.
  ///
  /// - Parameter payload: the payload of the future run; nil: the payload of its ready run, if there is one.
  /// - Throws: ``UnreadableRun``; `PostgresError`: 22P02 or 22P05 for a payload that is not JSON; nothing was
  ///   changed.
  package func check(_ job: RegisteredJob, key: String, payload: String?) async throws {
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

  /// Enqueues a run.
  ///
  /// - Returns: the id by which ``run(_:)`` finds it, also after it was merged with others.
  /// - Throws: `PostgresError`: ZB005 unknown job, ZB006 malformed key, ZB007 payload too large, ZB008 invalid
  ///   instant, ZB012 invalid priority, 22P02 malformed payload; nothing was enqueued.
  @discardableResult
  package func enqueue(_ request: RunRequest) async throws(PostgresError) -> Int64 {
    try await session.freely.atomically(request.call)
  }

  /// Enqueues a run for a person; the audit log gets a row, without the payload.
  ///
  /// - Returns: the id of the run.
  /// - Throws: the errors of ``enqueue(_:)-(RunRequest)``.
  package func enqueueByHand(_ request: RunRequest) async throws -> Int64 {
    try await session.freely.transaction { transaction in
      let id = try await transaction.enqueue(request)
      var asked: [String: AuditValue] = ["run": .number(id), "replaces": .flag(request.replaces)]
      asked["at"] = request.runAt.map { .text($0.formatted(.iso8601)) }
      asked["priority"] = request.priority.map { .number(Int64($0)) }
      var subject: [String: AuditValue] = ["job": .text(request.job)]
      subject["key"] = request.key.map { .text($0) }
      try await transaction.record(AuditEntry("enqueue", subject, after: asked))
      return id
    }
  }

  /// Enqueues runs, all or none, in one round trip.
  ///
  /// - Returns: their ids, in the order of the requests.
  /// - Throws: the errors of ``enqueue(_:)-(RunRequest)``.
  @discardableResult
  package func enqueue(_ requests: [RunRequest]) async throws -> [Int64] {
    try await session.freely.transaction { try await $0.enqueue(requests) }
  }

  /// Returns the current domain time, which delays of runs refer to; in a development schema it is not the server's
  /// time.
  ///
  /// - Throws: `PostgresError`.
  package func domainTime() async throws(PostgresError) -> Date {
    let now = Call.row(SQL.Schedules.now) { (row) throws(PostgresError) in
      try row.decode(Timestamp.self)
    }
    let time: Timestamp = try await session.freely.atomically(now)
    return time.date
  }
}

extension Transaction {
  /// Enqueues a run, if this transaction commits.
  ///
  /// The transaction must be in Baton's schema, such as a job's own.
  ///
  /// - Returns: the id by which `Queue.run` finds it.
  /// - Throws: `PostgresError`, as `Queue.enqueue`.
  @discardableResult
  public func enqueue(_ request: RunRequest) async throws(PostgresError) -> Int64 {
    try await run(request.call)
  }

  /// Enqueues runs, if this transaction commits, in one round trip.
  ///
  /// - Returns: their ids, in the order of the requests.
  /// - Throws: `PostgresError`, as `Queue.enqueue`.
  @discardableResult
  public func enqueue(_ requests: [RunRequest]) async throws(PostgresError) -> [Int64] {
    let jobs = Dictionary(grouping: requests.indices) { requests[$0].job }.sorted {
      $0.key < $1.key
    }
    let calls = jobs.map { job, places in
      let asked = places.map { requests[$0] }
      return Call.rows(
        SQL.Runs.enqueueMany, job, asked.map(\.key), asked.map(\.payload), asked.map(\.instant),
        asked.map { $0.priority.map(Int32.init(clamping:)) }, asked.map(\.replaces)
      ) { (row) throws(PostgresError) in try row.decode(Int64.self) }
    }
    var ids = [Int64](repeating: 0, count: requests.count)
    for (job, answer) in zip(jobs, try await run(calls)) {
      for (place, id) in zip(job.value, answer) { ids[place] = id }
    }
    return ids
  }
}

extension RunRequest {
  var call: Call<Int64> {
    .row(
      SQL.Runs.enqueue, job, key, payload, instant, priority.map(Int32.init(clamping:)), replaces
    ) { (row) throws(PostgresError) in try row.decode(Int64.self) }
  }

  fileprivate var instant: Timestamp? {
    runAt.map { Timestamp(microseconds: Int64(($0.timeIntervalSince1970 * 1_000_000).rounded())) }
  }

  /// The statement by which another client enqueues this run in its own transaction; it returns one row, the id.
  ///
  /// Its parameters are ``parameters``, all of them texts or NULL.
  package static func sql(in schema: Schema) -> String {
    """
    select \(schema).enqueue($1::text, $2::text, $3::text::jsonb, $4::text::timestamptz, $5::text::integer,
      $6::text::boolean)
    """
  }

  /// The parameters of ``sql(in:)``, in its order.
  package var parameters: [String?] {
    let instant = runAt?.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return [
      job, key, payload, instant, priority.map(String.init), replaces ? "true" : "false",
    ]
  }
}

public import BatonJobs
public import BatonPostgres
import CivilTime
package import Foundation
import RunnerSQL

/// The error for a run that the job cannot decode.
///
/// No attempt to process an undecodable run could succeed.
package struct UnreadableRun: Error, Sendable, Equatable {
  /// The job's name.
  package let job: String
  /// The run's key.
  package let key: String
  /// Whether the job cannot decode the payload.
  ///
  /// If ``isOfPayload`` is false, the job cannot decode the key.
  package let isOfPayload: Bool
  /// The reason that the job's decoder reported.
  package let reason: String
}

extension Queue {
  /// Checks that the job can decode a run, before the run is enqueued or processed.
  ///
  /// - Parameter payload: the payload of the run to enqueue, or nil for the payload of the ready
  ///   run with this key.
  /// - Throws: ``UnreadableRun``, or `PostgresError` with SQLSTATE 22P02 or 22P05 if the payload is
  ///   not valid JSON.
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
  /// - Returns: the run's id. ``run(_:)`` finds the run by this id even if the run was merged
  ///   with other runs.
  /// - Throws: `PostgresError` with one of the following codes. If the method throws, nothing is
  ///   enqueued.
  ///   - ZB005: The job is unknown.
  ///   - ZB006: The key is malformed.
  ///   - ZB007: The payload is too large.
  ///   - ZB008: The time is invalid.
  ///   - ZB012: The priority is invalid.
  ///   - 22P02: The payload is malformed.
  @discardableResult
  package func enqueue(_ request: RunRequest) async throws(PostgresError) -> Int64 {
    try await session.freely.atomically(request.call)
  }

  /// Enqueues a run for a user, and adds a row, which does not contain the payload, to the audit
  /// log.
  ///
  /// - Returns: the run's id.
  /// - Throws: the same errors as ``enqueue(_:)-(RunRequest)``.
  package func enqueueByHand(_ request: RunRequest) async throws -> Int64 {
    try await session.freely.transaction { transaction in
      let id = try await transaction.enqueue(request)
      var asked: [String: AuditValue] = ["run": .number(id), "replaces": .flag(request.replaces)]
      asked["at"] = request.runAt.map { .text($0.secondsText) }
      asked["priority"] = request.priority.map { .number(Int64($0)) }
      var subject: [String: AuditValue] = ["job": .text(request.job)]
      subject["key"] = request.key.map { .text($0) }
      try await transaction.record(AuditEntry("enqueue", subject, after: asked))
      return id
    }
  }

  /// Enqueues either all of the runs or none of them, in one round trip.
  ///
  /// - Returns: the ids of the runs, in the order of the requests.
  /// - Throws: the same errors as ``enqueue(_:)-(RunRequest)``.
  @discardableResult
  package func enqueue(_ requests: [RunRequest]) async throws -> [Int64] {
    try await session.freely.transaction { try await $0.enqueue(requests) }
  }

  /// Returns the current domain time.
  ///
  /// A run's delay is relative to domain time.
  ///
  /// In a development schema, domain time can differ from the server's time.
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
  /// Enqueues a run in this transaction.
  ///
  /// The run exists only if the transaction commits.
  ///
  /// The transaction must use Baton's schema. A job's transaction always uses Baton's schema.
  ///
  /// - Returns: the run's id, as accepted by `Queue.run`.
  /// - Throws: `PostgresError`, with the same codes as `Queue.enqueue`.
  @discardableResult
  public func enqueue(_ request: RunRequest) async throws(PostgresError) -> Int64 {
    try await run(request.call)
  }

  /// Enqueues runs in this transaction, in one round trip.
  ///
  /// ```swift
  /// try await transaction.enqueue(chunks, batch: "export-7")
  /// ```
  ///
  /// - Parameter batch: the name of an open batch to which the runs belong, or nil. A request that
  ///   is merged into another run also belongs to the batch, and ends when that run ends.
  /// - Returns: the ids of the runs, in the order of the requests.
  /// - Throws: `PostgresError`, with the same codes as `Queue.enqueue`, or ZB019 if no open batch
  ///   has this name.
  @discardableResult
  public func enqueue(
    _ requests: [RunRequest], batch: String? = nil
  ) async throws(PostgresError) -> [Int64] {
    let jobs = Dictionary(grouping: requests.indices) { requests[$0].job }.sorted {
      $0.key < $1.key
    }
    let calls = jobs.map { job, places in
      RunRequest.call(job, places.map { requests[$0] }, batch: batch)
    }
    var ids = [Int64](repeating: 0, count: requests.count)
    for (job, answer) in zip(jobs, try await run(calls)) {
      for (place, id) in zip(job.value, answer) { ids[place] = id }
    }
    return ids
  }
}

extension RunRequest {
  /// Enqueues several runs of one job.
  fileprivate static func call(
    _ job: String, _ requests: [RunRequest], batch: String?
  ) -> Call<[Int64]> {
    let (keys, payloads) = (requests.map(\.key), requests.map(\.payload))
    let (instants, replaces) = (requests.map(\.instant), requests.map(\.replaces))
    let priorities = requests.map { $0.priority.map(Int32.init(clamping:)) }
    guard let batch else {
      return .rows(
        SQL.Runs.enqueueMany, job, keys, payloads, instants, priorities, replaces, decode: id)
    }
    return .rows(
      SQL.Batches.enqueue, batch, job, keys, payloads, instants, priorities, replaces, decode: id)
  }

  private static func id(_ row: Row) throws(PostgresError) -> Int64 {
    try row.decode(Int64.self)
  }

  var call: Call<Int64> {
    .row(
      SQL.Runs.enqueue, job, key, payload, instant, priority.map(Int32.init(clamping:)), replaces
    ) { (row) throws(PostgresError) in try row.decode(Int64.self) }
  }

  fileprivate var instant: Timestamp? {
    runAt.map { Timestamp(clamping: $0) }
  }

  /// Returns the SQL statement that a client can use to enqueue this run in its own transaction.
  ///
  /// The statement returns one row with the run's id. The statement's parameters are the values of
  /// ``parameters``, each of which is a string or NULL.
  package static func sql(in schema: Schema) -> String {
    """
    select \(schema).enqueue($1::text, $2::text, $3::text::jsonb, $4::text::timestamptz, $5::text::integer,
      $6::text::boolean)
    """
  }

  /// The parameters of the statement that ``sql(in:)`` returns, in order.
  package var parameters: [String?] {
    let instant = instant?.isoText
    return [
      job, key, payload, instant, priority.map(String.init), replaces ? "true" : "false",
    ]
  }
}

extension Timestamp {
  /// The time in UTC, in ISO 8601 format, to the second.
  ///
  /// As in PostgreSQL, and unlike in Foundation, the Gregorian calendar applies to all dates.
  package var secondsText: String { Schedule.text(of: floorDivide(microseconds, 1_000_000)) }
}

extension Date {
  /// The date in the format of ``Timestamp/secondsText``.
  var secondsText: String { Timestamp(clamping: self).secondsText }
}

import JobCore
public import Postgres
import RunnerSQL

/// One run as a list shows it.
public struct ListedRun: Sendable, Encodable {
  /// Stays the same through retries; a run that is enqueued again gets a new one.
  public let id: Int64
  /// The job's name.
  public let job: String
  /// What the run is debounced by.
  public let key: String
  /// `ready`, `running` or `dead`.
  public let state: String
  /// Attempts so far.
  public let attempt: Int32
  /// When it is due, was claimable, or died; ISO 8601 in UTC.
  public let at: String
  /// The last error, if there was one.
  public let error: String?
}

/// A run that is ready again after it was dead.
public struct RetriedRun: Sendable, Equatable {
  /// The run's id.
  public let id: Int64
  /// How many dead runs of its key go on in it.
  public let dead: Int
}

/// Runs that are not dead, or are not there.
public struct NotDead: Error, Sendable, Equatable {
  /// Their ids.
  public let ids: [Int64]
}

/// What became of a wish to cancel a run.
public enum Cancellation: Sendable, Equatable {
  /// It was ready or dead and is taken out.
  case done
  /// It is running, and is not touched.
  case running
  /// There is no such run.
  case missing
}

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
      let ready: [String?] = try await connection.atomically(in: schema, read)
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
    try await connection.atomically(in: schema, .run(SQL.Runs.enqueue, job, key, payload))
  }

  /// Runs that are waiting, running or dead, newest first.
  ///
  /// - Throws: `PostgresError`.
  public func runs(
    of job: String?, state: String?, limit: Int
  ) async throws(PostgresError) -> [ListedRun] {
    try await connection.atomically(
      in: schema, .rows(SQL.Runs.list, job, state, Int64(limit), decode: Self.listed))
  }

  /// Everything about one run as JSON; nil where there is none.
  ///
  /// - Throws: `PostgresError`.
  public func run(_ id: Int64) async throws(PostgresError) -> String? {
    let show = Call.rows(SQL.Runs.show, id) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    let found: [String] = try await connection.atomically(in: schema, show)
    return found.first
  }

  /// Lets dead runs be tried again: one of them, those of a job, or all.
  ///
  /// - Returns: the runs that are ready now, under the ids of the dead ones where those were alone.
  /// - Throws: `PostgresError`.
  public func retry(id: Int64?, job: String?) async throws(PostgresError) -> [RetriedRun] {
    let retry = Call.rows(SQL.Runs.retry, id, job) { (row) throws(PostgresError) in
      let (id, dead) = try row.decode(Int64.self, Int64.self)
      return RetriedRun(id: id, dead: Int(dead))
    }
    return try await connection.atomically(in: schema, retry)
  }

  /// Forgets dead runs: all of these ids or none, those of a job, or all.
  ///
  /// - Parameters:
  ///   - ids: the runs; nil: all.
  ///   - job: only those of this job; nil: of any.
  ///   - isDryRun: only says which they are.
  /// - Returns: the runs.
  /// - Throws: ``NotDead``, `PostgresError`; nothing was forgotten then.
  public func discard(
    ids: [Int64]?, job: String?, isDryRun: Bool
  ) async throws -> [ListedRun] {
    try await connection.transaction(in: schema) { transaction in
      let dead = try await transaction.run(
        .rows(SQL.Runs.lockDead, ids, job, decode: Self.listed))
      let missing = Set(ids ?? []).subtracting(dead.map(\.id))
      guard missing.isEmpty else { throw NotDead(ids: missing.sorted()) }
      if !isDryRun { try await transaction.run(.count(SQL.Runs.discard, dead.map(\.id))) }
      return dead
    }
  }

  private static func listed(_ row: Row) throws(PostgresError) -> ListedRun {
    let (id, job, key, state, attempt, at, error) = try row.decode(
      Int64.self, String.self, String.self, String.self, Int32.self, String.self, String?.self)
    return ListedRun(
      id: id, job: job, key: key, state: state, attempt: attempt, at: at, error: error)
  }

  /// Takes one run out that is ready or dead.
  ///
  /// - Throws: `PostgresError`.
  public func cancel(_ id: Int64) async throws(PostgresError) -> Cancellation {
    let cancel = Call.row(SQL.Runs.cancel, id) { (row) throws(PostgresError) in
      try row.decode(Bool.self, String?.self)
    }
    let (isDone, state): (Bool, String?) = try await connection.atomically(in: schema, cancel)
    if isDone { return .done }
    return state == nil ? .missing : .running
  }

  /// Pauses or resumes a job; false where there is none of this name.
  ///
  /// - Throws: `PostgresError`.
  public func setPaused(_ isPaused: Bool, job: String) async throws(PostgresError) -> Bool {
    try await connection.atomically(in: schema, .count(SQL.Workers.setPaused, job, isPaused)) == 1
  }

  /// Where the definitions, the triggers and the schema do not agree.
  ///
  /// - Throws: `PostgresError`.
  public func drift(_ jobs: [RegisteredJob]) async throws(PostgresError) -> Drift {
    let definitions = jobs.map(\.definition)
    let list = Call.rows(
      SQL.Workers.listDrift, definitions.map(\.name),
      definitions.map { $0.trigger.topic?.name ?? "" },
      definitions.map(\.debounce.quiet.milliseconds),
      definitions.map(\.debounce.atMost.milliseconds), definitions.map(\.keepsHistory),
      definitions.map { $0.schedule?.expression ?? "" },
      definitions.map { $0.schedule?.timeZone ?? "" },
      definitions.map { $0.schedule?.missed.rawValue ?? "" }
    ) { (row) throws(PostgresError) in try row.decode(String.self, Bool.self) }
    let gaps: [(text: String, isOfTriggers: Bool)] = try await connection.atomically(
      in: schema, list)
    // No trigger is missing because this node does not have it.
    let nodes = gaps.contains(where: \.isOfTriggers) ? try await nodesOfTables() : []
    return Drift(
      gaps: gaps.filter { nodes.isEmpty || !$0.isOfTriggers }.map(\.text), nodes: nodes)
  }

  /// The nodes of a distributed database that hold the schema's tables, where this is another one.
  private func nodesOfTables() async throws(PostgresError) -> [String] {
    let isDistributed = Call.row(SQL.Workers.isDistributed) { (row) throws(PostgresError) in
      try row.decode(Bool.self)
    }
    guard try await connection.atomically(in: schema, isDistributed) else { return [] }
    let nodes = Call.rows(SQL.Workers.listNodes) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    return try await connection.atomically(in: schema, nodes)
  }
}

/// Where the jobs of a binary, the triggers and the schema do not agree.
public struct Drift: Sendable, Equatable {
  /// What does not agree, a sentence each.
  public let gaps: [String]
  /// The nodes, `host:port`, on which triggers are that cannot be seen over this connection; empty where
  /// all can be seen.
  public let nodes: [String]
}

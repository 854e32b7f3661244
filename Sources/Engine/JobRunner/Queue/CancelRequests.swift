import BatonPostgres
import RunnerSQL

extension Queue {
  /// The maximum number of cancellation requests that one call to ``cancelRequested()`` processes.
  private static let mostRequests: Int64 = 100

  /// A request, made by `cancel_run`, that has not been processed yet.
  private struct Request: Sendable {
    let id: Int64
    let run: Found
  }

  /// Processes the requests made by the `cancel_run` SQL function, oldest first.
  ///
  /// Several dispatchers can process the same request at the same time. Processing a request twice
  /// has the same effect as processing it once. A request stays stored until the run's event is
  /// dispatched and the run can be locked. A later call processes the requests that are still
  /// stored. If more than ``mostRequests`` requests are stored, the next call begins after the last
  /// request of this call, so that requests that must wait do not delay all later requests.
  ///
  /// - Throws: `PostgresError`.
  func cancelRequested() async throws {
    let list = Call.rows(SQL.Queue.listRequested, Self.mostRequests, front.lastRequest) {
      (row) throws(PostgresError) in
      let (id, run, job, key, state) = try row.decode(
        Int64.self, Int64.self, String.self, String.self, String.self)
      return Request(id: id, run: Found(id: run, job: job, key: key, state: state))
    }
    let requests: [Request] = try await session.atomically(list)
    let hasMore = requests.count == Int(Self.mostRequests)
    front.note(lastRequest: hasMore ? requests.last?.id ?? 0 : 0)
    let byState = Dictionary(grouping: requests, by: \.run.state)
    if let ended = byState["ended"] {
      try await session.atomically(.count(SQL.Queue.endRequests, ended.map(\.id)))
    }
    var wait = Duration.milliseconds(50)
    for request in requests where ["ready", "dead"].contains(request.run.state) {
      // A dry run can lock many runs. Only the first locked run delays the dispatcher for long.
      if try await !remove(request, within: wait) { wait = .milliseconds(1) }
    }
    if let running = byState["running"] { try await request(running) }
  }

  /// Removes a waiting or dead run, or returns false if another transaction has locked the run.
  ///
  /// Each run is removed in a separate transaction. A transaction that locks several runs could
  /// deadlock with a dispatch.
  ///
  /// A dry run locks its run until the dry run ends. If the run is locked, the next call repeats
  /// the removal so that the dispatcher does not wait for a dry run.
  ///
  /// - Parameter wait: the maximum time to wait for locks held by other transactions.
  private func remove(_ request: Request, within wait: Duration) async throws -> Bool {
    let isRemoved = try await unlessLocked(within: wait) { transaction in
      let removed = try await Self.remove([request.run], in: transaction)
      try await transaction.run(Self.end([request]) { removed.contains($0) })
      return true
    }
    return isRemoved ?? false
  }

  private func request(_ requests: [Request]) async throws {
    do {
      _ = try await request(requests.map(\.run), attempts: 1) { transaction, running in
        let running = Set(running.map(\.id))
        try await transaction.run(Self.end(requests) { running.contains($0) })
      }
    } catch let error as PostgresError where Self.lockErrors.contains(error.sqlState) {
      // Another transaction holds a lock, so the next call processes the requests.
    }
  }

  /// Deletes the requests whose runs satisfy `isDone`.
  private static func end(_ requests: [Request], where isDone: (Int64) -> Bool) -> Call<Int> {
    .count(SQL.Queue.endRequests, requests.filter { isDone($0.run.id) }.map(\.id))
  }
}

package import BatonPostgres
import Foundation
import RunnerSQL

extension Queue {
  /// Returns a page of runs.
  ///
  /// The method usually takes milliseconds, regardless of the number of runs.
  ///
  /// A search without a state, or a search for waiting or running runs by key, reads up to 10,000
  /// runs per job. Reading these runs takes about 100 ms.
  ///
  /// A role with the rights of `dashboard` may call the method, because keys and errors are
  /// redacted.
  ///
  /// - Throws: `PostgresError`.
  package func runs(_ filter: RunFilter) async throws(PostgresError) -> RunList {
    var filter = filter
    filter.job = try await storedName(of: filter.job)
    switch (filter.state, filter.key) {
    case (.dead?, _): return Self.page(try await look(RunCalls.dead(filter)))
    case (.ended?, _): return Self.page(try await look(RunCalls.ended(filter)))
    case (.ready?, nil): return Self.page(try await look(RunCalls.waiting(filter, isDue: true)))
    case (.delayed?, nil): return Self.page(try await look(RunCalls.waiting(filter, isDue: false)))
    case (.running?, nil): return Self.page(try await look(RunCalls.running(filter)))
    case (_, let key):
      let found = try await look(RunCalls.keyed(filter, key ?? ""))
      return RunList(
        runs: Array(found.prefix(RunList.most)), next: nil, isCut: found.count > RunList.most)
    }
  }

  /// Returns the details and the timeline of a run, or nil if no record of the run exists.
  ///
  /// The method also finds completed and dead runs. If the caller passes job and key, the run is
  /// found through an index. If job and key are not passed, all waiting and running runs are
  /// searched.
  ///
  /// - Parameters:
  ///   - id: the run's id, or one of its earlier ids.
  ///   - job: the job of the run, or nil if unknown.
  ///   - key: the run's key, or nil if unknown.
  /// - Throws: `PostgresError`, with 57014 if the search takes longer than 5 s.
  package func life(
    of id: Int64, job: String? = nil, key: String? = nil
  ) async throws -> RunLife? {
    let job = try await storedName(of: job)
    let read = Call.row(SQL.Observation.readLife, id, job, key) { (row) throws(PostgresError) in
      try row.decode(String?.self)
    }
    guard let text = try await look(read) else { return nil }
    return try JSONDecoder().decode(RunLife.self, from: Data(text.utf8))
  }

  /// Returns the 20,000 most recent dead runs, grouped by their errors.
  ///
  /// - Throws: `PostgresError`.
  package func deadGroups() async throws(PostgresError) -> DeadGroups {
    let list = Call.rows(SQL.Observation.groupDeadRuns) { (row) throws(PostgresError) in
      let (id, job, line, runs, newest, oldest, run) = try row.decode(
        String.self, String.self, String.self, Int64.self, Timestamp.self, Timestamp.self,
        Int64.self)
      return DeadGroup(
        id: id, job: job, error: line, count: Int(runs), newestAt: newest, oldestAt: oldest,
        newestRun: run)
    }
    let count = Call.row(SQL.Observation.countAllDead) { (row) throws(PostgresError) in
      let (counted, about) = try row.decode(Int64.self, Int64.self)
      return (counted, about)
    }
    let (_, groups, dead) = try await session.atomically(ObservationCalls.limit, list, count)
    let isSample = dead.0 > DeadGroups.most
    return DeadGroups(
      groups: groups,
      dead: Count(
        value: Int(isSample ? max(dead.0, dead.1) : dead.0), isEstimate: isSample),
      isSample: isSample)
  }

  /// Creates a page of runs from the rows that were found.
  ///
  /// If `found` contains one more row than fits on a page, there is a next page.
  private static func page(_ found: [RunCalls.Placed]) -> RunList {
    let rows = found.prefix(RunList.most)
    return RunList(
      runs: rows.map(\.row), next: found.count > RunList.most ? rows.last?.cursor : nil,
      isCut: false)
  }
}

import BatonJobs
package import BatonPostgres
import RunnerSQL

/// Differences between the jobs of a binary, the triggers and the schema.
package struct Drift: Sendable, Equatable {
  /// The differences, one sentence each.
  package let differences: [String]
  /// The nodes, `host:port`, whose triggers cannot be seen over this connection; empty if all can be seen.
  package let nodes: [String]
}

extension Queue {
  /// Returns the differences between the definitions, the triggers and the schema.
  ///
  /// Without jobs, as for `baton`, it takes the stored definitions as correct and checks the triggers of all jobs.
  ///
  /// - Parameter tables: the table triggers to check as well; `ofOthers` says whether triggers of other programs are
  ///   checked.
  /// - Throws: `PostgresError`.
  package func drift(
    _ jobs: [RegisteredJob], tables: TableTriggers? = nil, ofOthers: Bool = false
  ) async throws(PostgresError) -> Drift {
    let definitions = jobs.map(\.definition)
    let schedules = definitions.flatMap { job in job.schedules.map { (job.name, $0) } }
    let list = Call.rows(
      SQL.Workers.listDrift, definitions.map(\.name),
      definitions.map { $0.topics.map(\.name).joined(separator: "\n") },
      definitions.map(\.debounce.quiet.milliseconds),
      definitions.map(\.debounce.atMost.milliseconds), definitions.map(\.keepsHistory),
      definitions.map { $0.debounce.every?.milliseconds ?? 0 },
      schedules.map(\.0), schedules.map { $0.1.name ?? "" },
      schedules.map(\.1.schedule.expression), schedules.map { $0.1.schedule.timeZone ?? "" },
      schedules.map(\.1.schedule.missed.rawValue), schedules.map(\.1.payload),
      as: String.self)
    let listTriggers = Call.rows(
      SQL.Workers.listTriggerDrift, jobs.isEmpty ? nil : definitions.map(\.name), as: String.self)
    var (differences, ofTriggers) = try await session.freely.atomically(list, listTriggers)
    if let tables {
      ofTriggers += try await tables.differences(session, ofOthers: ofOthers)
    }
    // A trigger is not missing just because this node does not have it.
    let nodes = ofTriggers.isEmpty ? [] : try await nodesOfTables()
    if nodes.isEmpty { differences += ofTriggers }
    return Drift(differences: differences, nodes: nodes)
  }

  /// The nodes of a distributed database that hold the schema's tables, if this is another node.
  private func nodesOfTables() async throws(PostgresError) -> [String] {
    let isDistributed = Call.row(SQL.Workers.isDistributed, as: Bool.self)
    guard try await session.freely.atomically(isDistributed) else { return [] }
    return try await session.freely.atomically(Call.rows(SQL.Workers.listNodes, as: String.self))
  }
}

import BatonJobs
package import BatonPostgres
import RunnerSQL

/// The differences between a program's job definitions and the schema, including the schema's
/// triggers.
package struct Drift: Sendable, Equatable {
  /// The differences, each described in one sentence.
  package let differences: [String]
  /// The nodes, as `host:port`, whose triggers cannot be checked over this connection.
  ///
  /// The list of nodes is empty if all triggers can be checked.
  package let nodes: [String]
}

extension Queue {
  /// Returns the differences between the program's job definitions and the schema, including the
  /// schema's triggers.
  ///
  /// The `baton` program calls the method without jobs. If no jobs are given, the method assumes
  /// that the stored definitions are correct and checks the triggers of all jobs.
  ///
  /// - Parameters:
  ///   - tables: the table triggers that are checked in addition to the job definitions.
  ///   - ofOthers: whether other programs' table triggers are checked too.
  ///   - release: the program's release, or nil to ignore releases. If another release is current,
  ///     the stored definitions and triggers are not compared with the given jobs.
  /// - Throws: `PostgresError`.
  package func drift(
    _ jobs: [RegisteredJob], tables: TableTriggers? = nil, ofOthers: Bool = false,
    of release: ProgramRelease? = nil
  ) async throws(PostgresError) -> Drift {
    let isCurrent = try await session.freely.otherRelease(than: release) == nil
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
    if !isCurrent { differences = [] }
    if let tables {
      ofTriggers += try await tables.differences(
        session, ofOthers: ofOthers, isCurrent: isCurrent)
    }
    // In a distributed database, a trigger that does not exist on this node may exist on another
    // node.
    let nodes = ofTriggers.isEmpty ? [] : try await nodesOfTables()
    if nodes.isEmpty { differences += ofTriggers }
    return Drift(differences: differences, nodes: nodes)
  }

  /// Returns the other nodes that contain the schema's tables, or none if the database is not
  /// distributed.
  private func nodesOfTables() async throws(PostgresError) -> [String] {
    let isDistributed = Call.row(SQL.Workers.isDistributed, as: Bool.self)
    guard try await session.freely.atomically(isDistributed) else { return [] }
    return try await session.freely.atomically(Call.rows(SQL.Workers.listNodes, as: String.self))
  }
}

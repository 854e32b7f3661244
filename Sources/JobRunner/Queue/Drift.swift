import JobCore
public import Postgres
import RunnerSQL

extension Queue {
  /// Where the definitions, the triggers and the schema do not agree, a sentence each.
  ///
  /// - Throws: `PostgresError`.
  public func drift(_ jobs: [RegisteredJob]) async throws(PostgresError) -> [String] {
    let definitions = jobs.map(\.definition)
    let list = Call.rows(
      SQL.Workers.listDrift, definitions.map(\.name),
      definitions.map { $0.trigger.topic?.name ?? "" },
      definitions.map(\.debounce.quiet.milliseconds),
      definitions.map(\.debounce.atMost.milliseconds), definitions.map(\.keepsHistory),
      definitions.map { $0.schedule?.expression ?? "" },
      definitions.map { $0.schedule?.timeZone ?? "" },
      definitions.map { $0.schedule?.missed.rawValue ?? "" }
    ) { (row) throws(PostgresError) in try row.decode(String.self) }
    return try await session.freely.atomically(list)
  }
}

import BatonJobs
import BatonPostgres
import RunnerSQL

/// The error for a declared table that does not meet the requirements of table triggers.
package struct UnfitTable: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name of the job that declares the table.
  package let job: String
  /// The name of the table in the job's declaration.
  package let table: String
  /// The problem, as the end of a sentence that begins with "the table" and the name.
  package let problem: String

  /// A message such as `the table orders has no column state`.
  package var description: String { "the table \(table) \(problem)" }
}

/// The error for a table trigger's condition that `migrate` rejects.
package struct UnfitCondition: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name of the job that declares the table.
  package let job: String
  /// The name of the table in the job's declaration.
  package let table: String
  /// The condition in the job's declaration.
  package let condition: String
  /// The problem, as the end of a sentence that begins with "the condition".
  package let problem: String

  /// A message such as `the condition of job bill for the table orders contains a comment`.
  package var description: String {
    "the condition of job \(job) for the table \(table) \(problem)"
  }
}

/// A table that a job declares.
struct TableDeclaration: Sendable {
  let job: String
  let trigger: TableTrigger

  static func all(of jobs: [RegisteredJob]) -> [TableDeclaration] {
    jobs.flatMap { job in
      job.definition.tables.map { TableDeclaration(job: job.definition.name, trigger: $0) }
    }
  }

  typealias Described = (TableDeclaration, Result<TableTriggerText.Table, UnfitTable>)

  /// Describes the given declarations' tables, in the same order.
  static func describe(_ all: [TableDeclaration]) -> Call<[Described]> {
    let triggers = all.map(\.trigger)
    return .rows(
      SQL.Tables.describe, triggers.map { $0.schema ?? "" }, triggers.map(\.table),
      triggers.map { $0.columns.joined(separator: "\n") },
      triggers.map { ([$0.key] + $0.payload.columns).joined(separator: "\n") },
      triggers.map { $0.operations.contains { $0.kind == .update } },
      triggers.map { trigger in
        trigger.condition.map { TableCondition($0).names.sorted().joined(separator: "\n") } ?? ""
      }
    ) { (row) throws(PostgresError) in
      let (place, problem, schema, identity, dependsOnSettings, conditional) = try row.decode(
        Int64.self, String?.self, String.self, String.self, Bool.self, String.self)
      func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
      let declaration = all[Int(place) - 1]
      if let problem {
        let unfit = UnfitTable(
          job: declaration.job, table: declaration.trigger.name, problem: problem)
        return (declaration, .failure(unfit))
      }
      let table = TableTriggerText.Table(
        schema: schema, identity: lines(identity), dependsOnSettings: dependsOnSettings,
        conditional: lines(conditional))
      return (declaration, .success(table))
    }
  }
}

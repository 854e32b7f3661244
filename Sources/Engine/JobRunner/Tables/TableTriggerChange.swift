import BatonJobs
import BatonPostgres
import RunnerSQL

/// A declaration's existing triggers, and their state.
struct MadeTableTrigger: Sendable {
  let name: String
  let program: String
  /// The current schema and name of the table with the triggers, or nil if no table has them.
  let table: (schema: String, name: String)?
  let operations: [String]
  /// The operations for which a trigger exists, and those for which it is correct.
  let there, right: Set<String>
  /// Whether the triggers match this binary's declaration.
  ///
  /// The value is nil if this binary does not declare any triggers with this name.
  let isOwn: Bool?
  /// The faults of the triggers, each described in one sentence.
  let faults: [String]

  static func list(_ own: [TableTriggerText]) -> Call<[MadeTableTrigger]> {
    .rows(SQL.Tables.list, own.map(\.name), own.map(\.text)) { (row) throws(PostgresError) in
      let (name, program, schema, table, operations, there, right, isOwn, faults) =
        try row.decode(
          String.self, String.self, String?.self, String?.self, String.self, String.self,
          String.self, Bool?.self, String.self)
      func parts(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }
      return MadeTableTrigger(
        name: name, program: program,
        table: schema.flatMap { schema in table.map { (schema, $0) } },
        operations: parts(operations), there: Set(parts(there)), right: Set(parts(right)),
        isOwn: isOwn, faults: faults.split(separator: "\n").map(String.init))
    }
  }
}

/// The statements that update one declaration's triggers.
struct TableTriggerChange {
  let name: String
  /// The quoted name of the table to lock, or an empty string if none is locked.
  let table: String
  /// The change's statements, divided into four steps.
  ///
  /// The first step drops old triggers, and locks the table against readers and writers. The second
  /// step creates or replaces the triggers' functions, and needs no lock on the table. The third
  /// step creates or replaces triggers, and locks the table against writers. The fourth step drops
  /// functions without a trigger, and replaces or drops the declaration's view.
  private let steps: [[Statement]]
  /// The call that stores the result of the change.
  let entry: Call<Int>

  /// Creates the change from the existing triggers to the declared triggers, or returns nil if the
  /// triggers are up to date.
  init?(to text: TableTriggerText, from made: MadeTableTrigger?, by program: String) {
    if let made, made.isOwn == true, made.faults.isEmpty, made.program == program { return nil }
    name = text.name
    table = text.quotedTable
    let old = Set(made?.operations ?? []).subtracting(text.operations).sorted()
    steps = [
      Self.drops(made, old), text.operations.map(text.function),
      // If a trigger is correct, only its function is replaced, so the table is not locked.
      text.operations.filter { made?.right.contains($0) != true }.map(text.makeTrigger),
      old.map { TableTriggerText.dropFunction(text.name, $0) } + [text.view],
    ]
    entry = .count(
      SQL.Tables.record, text.name, program, text.job, text.table.schema, text.trigger.table,
      text.columns, text.operations, text.text)
  }

  init(removing made: MadeTableTrigger) {
    name = made.name
    table = made.table.map { TableTriggerText.quoted($0.schema, $0.name) } ?? ""
    steps = [
      Self.drops(made, made.operations), [], [],
      made.operations.map { TableTriggerText.dropFunction(made.name, $0) }
        + [TableTriggerText.dropView(made.name)],
    ]
    entry = .count(SQL.Tables.forget, made.name)
  }

  /// Returns the statements for one table, with the strongest lock first.
  ///
  /// A later lock upgrade could cause a deadlock.
  static func statements(of changes: [TableTriggerChange]) -> [Statement] {
    (0..<4).flatMap { step in changes.flatMap { $0.steps[step] } }
  }

  private static func drops(_ made: MadeTableTrigger?, _ operations: [String]) -> [Statement] {
    guard let made, let table = made.table else { return [] }
    return operations.filter(made.there.contains).map {
      TableTriggerText.dropTrigger(
        made.name, $0, on: TableTriggerText.quoted(table.schema, table.name))
    }
  }
}

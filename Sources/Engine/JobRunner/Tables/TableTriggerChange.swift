import BatonJobs
import BatonPostgres
import RunnerSQL

/// The triggers that were made for a declaration, and their state.
struct MadeTableTrigger: Sendable {
  let name: String
  let program: String
  /// The table that has its triggers, with its current name; nil if there is none.
  let table: (schema: String, name: String)?
  let operations: [String]
  /// The operations whose trigger exists, and those of them whose trigger is unchanged.
  let there, right: Set<String>
  /// Whether it is what this binary declares; nil if this binary declares none of this name.
  let isOwn: Bool?
  /// The faults, one sentence each.
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

/// The change for one declaration.
struct TableTriggerChange {
  let name: String
  /// The table to lock, as SQL names it; empty if no table is locked.
  let table: String
  /// The statements that lock the table against readers, those without a lock, those that lock it against writers,
  /// and the rest.
  private let steps: [[Statement]]
  /// The statement that stores the result.
  let entry: Call<Int>

  /// Returns nil if there is nothing to do.
  init?(to text: TableTriggerText, from made: MadeTableTrigger?, by program: String) {
    if let made, made.isOwn == true, made.faults.isEmpty, made.program == program { return nil }
    name = text.name
    table = text.quotedTable
    let old = Set(made?.operations ?? []).subtracting(text.operations).sorted()
    steps = [
      Self.drops(made, old), text.operations.map(text.function),
      // A correct trigger stays: only its function is replaced, and the table is not locked.
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

  /// The statements for one table, the strongest lock first: a lock upgrade could cause a deadlock.
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

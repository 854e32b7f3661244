import BatonJobs
import BatonPostgres
import RunnerSQL

/// What was made of a declaration, and how much of it is there.
struct MadeTableTrigger: Sendable {
  let name: String
  let program: String
  /// The table that has its triggers, whatever it is called by now; nil: none.
  let table: (schema: String, name: String)?
  let operations: [String]
  /// Those whose trigger is there, and those of them whose trigger is as it was made.
  let there, right: Set<String>
  /// Whether it is what this binary declares; nil: it declares none of this name.
  let isOwn: Bool?
  /// What is wrong with it, a sentence each.
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

/// What is to be done for one declaration.
struct TableTriggerChange {
  let name: String
  /// The table that is locked, as SQL names it; empty where none is.
  let table: String
  /// What locks the table against readers, what locks nothing, what locks it against writers, and the rest.
  private let steps: [[Statement]]
  /// What is written into the books.
  let entry: Call<Int>

  /// Nil where there is nothing to do.
  init?(to text: TableTriggerText, from made: MadeTableTrigger?, by program: String) {
    if let made, made.isOwn == true, made.faults.isEmpty, made.program == program { return nil }
    name = text.name
    table = text.quotedTable
    let old = Set(made?.operations ?? []).subtracting(text.operations).sorted()
    steps = [
      Self.drops(made, old), text.operations.map(text.function),
      // A trigger that is right stays: its function is replaced beneath it, and the table is not locked.
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

  /// What is run for one table, the strongest lock first: a lock that grows can be half of a deadlock.
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

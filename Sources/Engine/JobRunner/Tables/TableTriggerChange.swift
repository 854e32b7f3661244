import BatonJobs
import BatonPostgres
import RunnerSQL

/// A declaration's existing triggers on one table, and their state.
///
/// If a table was renamed and another table got its name, both tables can have triggers of one
/// declaration.
struct MadeTableTrigger: Sendable {
  let name: String
  let program: String
  /// The current schema and name of the table with the triggers, or nil if no table has them.
  let table: (schema: String, name: String)?
  let operations: [String]
  /// The operations for which the table has a trigger, and those for which the declared table has a
  /// correct trigger.
  let there, right: Set<String>
  /// Whether the triggers match this binary's declaration.
  ///
  /// The value is nil if this binary does not declare any triggers with this name.
  let isOwn: Bool?
  /// The faults of the triggers, each described in one sentence.
  let faults: [String]
  /// The quoted name of the table with the triggers, or nil if no table has them.
  var quotedTable: String? { table.map { TableTriggerText.quoted($0.schema, $0.name) } }

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

/// The statements that update one declaration's triggers on one table.
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
  /// The call that stores the result of the change, or nil if the change only drops triggers on a
  /// table other than the declared one.
  let entry: Call<Int>?
  /// Whether the change only drops triggers on a table other than the declared one.
  var isStray: Bool { entry == nil }

  /// Creates the change from the existing triggers to the declared triggers, or returns nil if the
  /// triggers are up to date.
  init?(to text: TableTriggerText, from made: MadeTableTrigger?, by program: String) {
    if let made, made.isOwn == true, made.faults.isEmpty, made.program == program { return nil }
    name = text.name
    table = text.quotedTable
    let old = Set(made?.operations ?? []).subtracting(text.operations).sorted()
    steps = [
      made?.quotedTable == text.quotedTable ? Self.drops(made, old) : [],
      text.operations.map(text.function),
      // If a trigger is correct, only its function is replaced, so the table is not locked.
      text.operations.filter { made?.right.contains($0) != true }.map(text.makeTrigger),
      old.map { TableTriggerText.dropFunction(text.name, $0) } + [text.view],
    ]
    entry = Call<Int>.count(
      SQL.Tables.record, text.name, program, text.job, text.table.schema, text.trigger.table,
      text.columns, text.operations, text.text)
  }

  init(removing made: MadeTableTrigger) {
    name = made.name
    table = made.quotedTable ?? ""
    steps = [
      Self.drops(made, made.operations), [], [],
      made.operations.map { TableTriggerText.dropFunction(made.name, $0) }
        + [TableTriggerText.dropView(made.name)],
    ]
    entry = Call<Int>.count(SQL.Tables.forget, made.name)
  }

  /// Creates the change that drops triggers on a table other than the declared one.
  ///
  /// The triggers' functions remain.
  init(droppingStray made: MadeTableTrigger) {
    name = made.name
    table = made.quotedTable ?? ""
    steps = [Self.drops(made, made.there.sorted()), [], [], []]
    entry = nil
  }

  /// Returns the statements for one table, with the strongest lock first.
  ///
  /// A later lock upgrade could cause a deadlock.
  static func statements(of changes: [TableTriggerChange]) -> [Statement] {
    (0..<4).flatMap { step in changes.flatMap { $0.steps[step] } }
  }

  private static func drops(_ made: MadeTableTrigger?, _ operations: [String]) -> [Statement] {
    guard let made, let table = made.quotedTable else { return [] }
    return operations.filter(made.there.contains).map {
      TableTriggerText.dropTrigger(made.name, $0, on: table)
    }
  }
}

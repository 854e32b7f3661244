import BatonJobs
import BatonPostgres
import RunnerSQL

/// The SQL of one table declaration, which `migrate` generates from templates.
///
/// The SQL quotes table and column names, because a name can be a keyword such as `order` or
/// contain capital letters. ``TableTrigger`` checks that names consist of letters, digits and `_`.
struct TableTriggerText {
  /// A table as described by the catalog.
  struct Table: Sendable {
    let schema: String
    /// The columns of the primary key.
    let identity: [String]
    /// Whether the text form of a recorded value depends on session settings.
    let dependsOnSettings: Bool
    /// The columns named in the condition, sorted.
    let conditional: [String]
  }

  let job: String
  let trigger: TableTrigger
  let table: Table
  /// The name of the declaration's view.
  ///
  /// The name of a function or trigger is the view's name followed by the operation.
  let name: String

  init(job: String, trigger: TableTrigger, table: Table, in schema: Schema) {
    self.job = job
    self.trigger = trigger
    self.table = table
    name = Self.name(job: job, trigger: trigger, schema: schema)
  }

  /// Returns a name that is unique across all schemas, because several schemas can have triggers on
  /// one table.
  ///
  /// The name does not depend on operations, watched columns or payload.
  static func name(job: String, trigger: TableTrigger, schema: Schema) -> String {
    let identity = [schema.name, job, trigger.name, trigger.key].joined(separator: "\n")
    return
      "wake_\(job.prefix(36).replacing("-", with: "_"))_\(StableHash.digits(of: identity).suffix(12))"
  }

  var operations: [String] { trigger.operations.map(\.kind.rawValue) }
  /// The columns that the declaration's SQL reads by name.
  var columns: [String] {
    Set(trigger.columns + table.conditional + (isUpdated ? table.identity : [])).sorted()
  }
  var quotedTable: String { Self.quoted(table.schema, trigger.table) }
  private var isUpdated: Bool { trigger.operations.contains { $0.kind == .update } }

  /// The settings that can affect the text form of a value, except the server's language settings.
  private static let settings =
    " set timezone = 'UTC' set datestyle = 'ISO, YMD' set intervalstyle = 'postgres'"
    + " set extra_float_digits = 1 set bytea_output = 'hex' set lc_monetary = 'C'"

  /// The settings for the trigger's functions.
  ///
  /// Without these settings, the writer's session settings would determine the text of recorded
  /// values and the meaning of times in a condition.
  private var pinnedSettings: String {
    table.dependsOnSettings || trigger.condition != nil ? Self.settings : ""
  }

  /// The PL/pgSQL option that makes each name in a condition a column, even if a variable has the
  /// same name.
  private var options: String {
    trigger.condition == nil ? "" : "\n#variable_conflict use_column"
  }

  // MARK: Statements

  /// All statements as one string, for comparison with the stored string.
  var text: String {
    let made = operations.flatMap { [function($0), makeTrigger($0)] } + [view]
    return made.map(\.text).joined(separator: ";\n")
  }

  func function(_ operation: String) -> Statement {
    Self.filled(
      (operation == "update" || trigger.condition != nil) && !hasPayload
        ? SQL.Tables.updateFunction : SQL.Tables.function,
      [
        "function": Self.quoted("\(name)_\(operation)"), "columns": insertedColumns,
        "topic": topic,
        "settings": pinnedSettings, "options": options,
        "events": events(of: operation, new: "new_row", old: "old_row")
          .replacing("\n", with: "\n    "),
      ])
  }

  func makeTrigger(_ operation: String) -> Statement {
    let transition =
      switch operation {
      case "insert": "new table as new_row"
      case "delete": "old table as old_row"
      default: "old table as old_row new table as new_row"
      }
    return Self.filled(
      SQL.Tables.trigger,
      [
        "function": Self.quoted("\(name)_\(operation)"), "operation": operation,
        "table": quotedTable, "transition": transition,
      ])
  }

  /// The statement that creates the declaration's view.
  ///
  /// If the declaration includes updates, the view reads the columns that the update trigger reads.
  /// The update trigger reads all columns that the triggers for inserts and deletes read.
  var view: Statement {
    let operation = isUpdated ? "update" : operations.first ?? ""
    return Self.filled(
      SQL.Tables.view,
      [
        "view": Self.quoted(name), "job": job, "plain_table": trigger.name,
        "events": events(of: operation, new: quotedTable, old: quotedTable),
      ])
  }

  static func dropTrigger(_ name: String, _ operation: String, on table: String) -> Statement {
    filled(
      SQL.Tables.dropTrigger, ["function": quoted("\(name)_\(operation)"), "table": table])
  }

  static func dropFunction(_ name: String, _ operation: String) -> Statement {
    filled(SQL.Tables.dropFunction, ["function": quoted("\(name)_\(operation)")])
  }

  static func dropView(_ name: String) -> Statement {
    filled(SQL.Tables.dropView, ["view": quoted(name)])
  }

  // MARK: Events

  /// The topic of the events from all of the job's tables.
  ///
  /// If a declaration changes, the topic stays the same, so recorded events are still dispatched.
  private var topic: String { "table/\(job)" }
  private var hasPayload: Bool { !trigger.payload.columns.isEmpty }
  private var insertedColumns: String { hasPayload ? "topic, key, payload" : "topic, key" }

  private func events(of operation: String, new: String, old: String) -> String {
    let template =
      switch operation {
      case "insert": SQL.Tables.inserted
      case "delete": SQL.Tables.deleted
      default: SQL.Tables.updated
      }
    return Self.filled(
      template,
      [
        // If events have no payloads, `distinct` reduces rows with the same key to one event. If
        // the key is the table's primary key, no two rows have the same key, so `distinct` is
        // omitted.
        "distinct": hasPayload || table.identity == [trigger.key] ? "" : " distinct",
        "topic": topic, "key": Self.quoted(trigger.key), "new_row": new, "old_row": old,
        "new_key": checked("n.\(Self.quoted(trigger.key))::text"), "changed_key": checked("k.key"),
        "new": payload(of: operation, isNew: true),
        "old": payload(of: operation, isNew: false),
        "payload": hasPayload ? ", k.payload" : "",
        "payload_name": hasPayload ? ", payload" : "",
        "identity": table.identity.map { Self.quoted($0) }.joined(separator: ", "),
        "changed": changed, "condition": condition(of: operation),
      ]
    ).text
  }

  /// The expression for an event's key.
  ///
  /// If the key is invalid, the expression raises an error that names the column. Without this
  /// error, the write would fail because of an internal constraint on the event log.
  private func checked(_ key: String) -> String {
    "case when is_key(\(key)) then \(key) else refuse_key(\(key), "
      + "'the column \(trigger.key) of \(trigger.name), which triggers the job \(job),') end"
  }

  private var changed: String {
    guard let update = trigger.operations.first(where: { $0.kind == .update }) else { return "" }
    // If the old or the new row is missing, the comparison is NULL, which `is not false` treats as
    // a change.
    if update.columns.isEmpty { return "(n.* *<> o.*) is not false" }
    let watched = Set(update.columns + [trigger.key]).sorted()
    // The `record_image_ne` function compares two ROW expressions as a whole. The `*<>` operator
    // compares two ROW expressions as a whole only after a cast to `record`, and a dump omits that
    // cast.
    let differs =
      "record_image_ne(row(\(values(watched, of: "n"))), row(\(values(watched, of: "o"))))"
    return oldCondition.map { "(\(differs) or \($0) is not true)" } ?? differs
  }

  private func payload(of operation: String, isNew: Bool) -> String {
    guard hasPayload else { return "" }
    return ", \(change(of: operation, isNew: isNew))"
  }

  private func change(of operation: String, isNew: Bool) -> String {
    let row = isNew ? limited(object(of: "n")) : object(of: "o")
    guard trigger.payload.isChange else { return row }
    guard isNew else { return "jsonb_build_object('before', \(row), 'after', null)" }
    let key = Self.quoted(trigger.key)
    let before =
      operation == "update"
      ? "case when o.\(key)::text = n.\(key)::text then \(object(of: "o")) end" : "null"
    return "jsonb_build_object('before', \(before), 'after', \(row))"
  }

  /// The payload of a new row, or an error if it is too large.
  ///
  /// The size of an old row's payload is not limited. Rows that are older than the trigger may
  /// exceed the payload limit. Users must be able to delete or shorten a row that exceeds the
  /// limit.
  private func limited(_ payload: String) -> String {
    let columns = Set(trigger.payload.columns).sorted().joined(separator: ", ")
    return "limited_payload(\(payload), "
      + "'\(trigger.name), which triggers the job \(job) with \(columns),')"
  }

  private func object(of row: String) -> String {
    let fields = Set(trigger.payload.columns).sorted().map { "'\($0)', \(row).\(Self.quoted($0))" }
    return "jsonb_build_object(\(fields.joined(separator: ", ")))"
  }

  private func values(_ columns: [String], of row: String) -> String {
    columns.map { "\(row).\(Self.quoted($0))" }.joined(separator: ", ")
  }

  // MARK: Templates

  /// Returns a template without its header, with the values filled in.
  static func filled(_ template: Statement, _ values: [String: String]) -> Statement {
    var text = ""
    var rest = template.text.split(separator: "\n").drop { $0.hasPrefix("--") }
      .joined(separator: "\n")[...]
    while let start = rest.firstIndex(of: "{"), let end = rest.firstIndex(of: "}") {
      text += rest[..<start]
      guard let value = values[String(rest[rest.index(after: start)..<end])] else {
        preconditionFailure("\(template.name): nothing fills \(rest[start...end])")
      }
      text += value
      rest = rest[rest.index(after: end)...]
    }
    return Statement(template.name, text + rest)
  }

  /// Returns the names in double quotes, separated by dots.
  ///
  /// A name from the catalog may contain any character, including a double quote.
  static func quoted(_ names: String...) -> String {
    names.map { name in
      // A `Character` can contain a quote together with a combining mark, so scalars are compared.
      let scalars = name.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
      return "\"\(String(String.UnicodeScalarView(scalars)))\""
    }.joined(separator: ".")
  }
}

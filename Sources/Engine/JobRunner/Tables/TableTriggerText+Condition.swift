import BatonJobs
import BatonPostgres
import RunnerSQL

extension TableTriggerText {
  /// Returns the end of a WHERE clause for the rows that satisfy the declared condition, or an
  /// empty string.
  func condition(of operation: String) -> String {
    guard let condition = trigger.condition else { return "" }
    guard operation == "update", let identity = table.identity.first else {
      return "\n  and (\(condition))"
    }
    // If an update changes a row's primary key, no new row matches the old row. The condition is
    // then evaluated for the old row, as for a deleted row.
    let isGone = "n.\(Self.quoted(identity)) is null"
    return "\n  and "
      + evaluated(condition) { column in
        "case when \(isGone) then o.\(column) else n.\(column) end as \(column)"
      }
  }

  /// The expression that is true if the old row of an update satisfied the condition, or nil if
  /// there is no condition.
  var oldCondition: String? {
    trigger.condition.map { condition in evaluated(condition) { "o.\($0)" } }
  }

  /// Returns an expression that evaluates the condition for one row.
  ///
  /// In an update, a column name alone could mean the old or the new row. The expression's subquery
  /// contains only the columns named in the condition. Therefore the declaration's view does not
  /// depend on other columns.
  private func evaluated(_ condition: String, over value: (String) -> String) -> String {
    let values = table.conditional.map { value(Self.quoted($0)) }.joined(separator: ", ")
    return "(select (\(condition)) from (select \(values)) r)"
  }

  /// Checks the condition on the server.
  ///
  /// After an error, the transaction must be rolled back.
  ///
  /// - Throws: ``UnfitCondition`` if the condition is rejected, or ``PostgresError``.
  func checkCondition(in transaction: Transaction) async throws {
    guard let condition = trigger.condition else { return }
    let parsed = TableCondition(condition)
    if let fault = parsed.fault { throw refusal(of: condition, fault) }
    guard !parsed.names.contains(Self.scratch) else {
      throw refusal(of: condition, "contains the name \(Self.scratch), which the check uses")
    }
    let scratch = Self.quoted(Self.scratch)
    let listColumns = Call.row(
      SQL.Tables.listColumns, table.schema, trigger.table, table.conditional, as: String.self)
    let roles = try await transaction.run(Migrator.readRoles).first
    let columns: String = try await transaction.run(listColumns)
    let values: [String: String] = [
      "scratch": scratch, "columns": columns,
      "condition": condition, "definer": roles.map { Self.quoted($0.name("definer")) } ?? "",
    ]
    // The script applies the settings for the trigger's functions. The `endReading` script later
    // drops the table on which the condition is checked.
    try await transaction.script(SQL.Migrator.beginReading)
    try await check(SQL.Tables.checkCondition, with: values, of: condition, in: transaction)
    let stored: String = try await transaction.run(
      .row(SQL.Tables.readCondition, scratch, as: String.self))
    if let roles {
      try await check(
        SQL.Tables.checkConditionRights, with: values, of: condition,
        as: roles.name("definer"), in: transaction)
    }
    try await transaction.script(SQL.Migrator.endReading)
    // PostgreSQL has replaced a time word in the condition, such as 'now', with a constant.
    if let word = parsed.timeWords.subtracting(TableCondition.timeWords(in: stored)).min() {
      throw refusal(of: condition, "contains the time '\(word)', which the server reads only once")
    }
    guard !table.conditional.isEmpty else {
      throw refusal(of: condition, "names no column of the table")
    }
  }

  private func check(
    _ template: Statement, with values: [String: String], of condition: String,
    as role: String? = nil, in transaction: Transaction
  ) async throws {
    do throws(PostgresError) {
      try await transaction.script(Self.filled(template, values))
    } catch {
      let isMissingRight = role != nil && error.sqlState == .insufficientPrivilege
      guard isMissingRight || Self.isOfCondition(error.sqlState) else { throw error }
      let message = error.message.replacing("index predicate", with: "condition")
      throw refusal(
        of: condition, "is refused\(role.map { " for the role \($0)" } ?? ""): \(message)")
    }
  }

  /// The name of the empty table that the server uses to check a condition.
  private static let scratch = "wake_check"

  private func refusal(of condition: String, _ problem: String) -> UnfitCondition {
    UnfitCondition(job: job, table: trigger.name, condition: condition, problem: problem)
  }

  /// Returns whether an error with this SQLSTATE was caused by the condition.
  ///
  /// The condition can cause syntax, name, type or value errors, and errors about features that the
  /// server rejects in conditions.
  private static func isOfCondition(_ state: SQLState) -> Bool {
    ["42", "22", "0A", "3F"].contains(state.code.prefix(2)) && state != "42501" && state != "42P07"
  }
}

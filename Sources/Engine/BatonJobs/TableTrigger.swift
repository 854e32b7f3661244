/// A table whose writes trigger a job, with the key and payload of the job's runs.
///
/// The names of tables and columns are case-sensitive, because `migrate` quotes each name.
package struct TableTrigger: Sendable, Hashable {
  /// The table's schema, or nil for the program's schema.
  package let schema: String?
  /// The table's name.
  package let table: String
  /// The kinds of writes that trigger the job, without duplicates.
  package let operations: [TableOperation]
  /// The column whose value becomes the key of a run.
  package let key: String
  /// The SQL condition that a row must satisfy to record an event, or nil for all rows.
  ///
  /// `migrate` checks the condition on the server.
  package let condition: String?
  /// The columns of the row that are passed to a run as its payload.
  package let payload: TablePayload

  /// Creates the trigger, and stops the program if a name is invalid or a kind of write is
  /// repeated.
  init(
    _ name: String, on operations: [TableOperation], key: String, when condition: String? = nil,
    payload: TablePayload
  ) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    precondition(
      parts.count <= 2 && parts.allSatisfy(Self.isName),
      "'\(name)' is not the name of a table: letters, digits and _, 63 at most, a schema before it")
    precondition(!operations.isEmpty, "\(name): which writes wake the job?")
    precondition(
      Set(operations.map(\.kind)).count == operations.count, "\(name): each kind of write once")
    for column in operations.flatMap(\.columns) + [key] + payload.columns {
      precondition(Self.isName(column), "\(name): '\(column)' is not the name of a column")
    }
    schema = parts.count == 2 ? parts[0] : nil
    table = parts[parts.count - 1]
    self.operations = operations.sorted { $0.kind < $1.kind }
    self.key = key
    self.condition = condition
    self.payload = payload
  }

  /// The table's qualified name, such as `shop.orders`, or `orders` in the program's schema.
  package var name: String { schema.map { "\($0).\(table)" } ?? table }

  /// The trigger as readable text on one line, such as
  /// `orders by id: insert, update of status, when total > 0`.
  package var text: String {
    let writes = operations.map { operation in
      operation.kind.rawValue
        + (operation.columns.isEmpty ? "" : " of \(operation.columns.joined(separator: " "))")
    }
    let filter = condition.map {
      ", when \($0.split(whereSeparator: \.isNewline).joined(separator: " "))"
    }
    return "\(name) by \(key): \(writes.joined(separator: ", "))\(filter ?? "")"
  }

  /// The key column, the payload columns, and the columns whose updates trigger the job.
  package var columns: [String] {
    Set(operations.flatMap(\.columns) + [key] + payload.columns).sorted()
  }

  private static func isName(_ name: String) -> Bool {
    let isWord = name.utf8.allSatisfy {
      (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0)
        || $0 == UInt8(ascii: "_")
    }
    return isWord && (1...63).contains(name.utf8.count)
  }
}

/// A kind of write that triggers a job: `.insert`, `.update`, `.update(of: "status")` or `.delete`.
public struct TableOperation: Sendable, Hashable {
  /// The kind of a write.
  ///
  /// The raw value is PostgreSQL's name for the kind of write.
  package enum Kind: String, Sendable, Hashable, Comparable, CaseIterable {
    /// The write inserts rows, with INSERT or COPY.
    case insert
    /// The write updates rows.
    case update
    /// The write deletes rows with DELETE.
    ///
    /// Rows that TRUNCATE removes are not included.
    case delete

    /// Orders the kinds as insert, update, delete.
    package static func < (one: Kind, other: Kind) -> Bool {
      allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
    }
  }

  /// The kind of write.
  package let kind: Kind
  /// For an update, the columns whose changes trigger the job, in addition to the key column.
  ///
  /// If a change of any column triggers the job, the array is empty.
  package let columns: [String]

  /// Writes that insert rows, including COPY.
  public static let insert = TableOperation(kind: .insert, columns: [])
  /// Updates that change any column of a row.
  public static let update = TableOperation(kind: .update, columns: [])
  /// Writes that delete rows.
  ///
  /// TRUNCATE is not included, because it does not report the removed rows.
  public static let delete = TableOperation(kind: .delete, columns: [])

  /// Returns the kind of write for updates that change one of the given columns or the key.
  public static func update(of first: String, _ others: String...) -> TableOperation {
    TableOperation(kind: .update, columns: [first] + others)
  }
}

/// The part of the written row that is passed to a run as its payload.
public struct TablePayload: Sendable, Hashable {
  /// The form of the payload.
  enum Form: Sendable, Hashable {
    case none, columns, change
  }

  let form: Form
  /// The columns in the payload.
  package let columns: [String]

  /// No payload.
  ///
  /// A job without payloads can use the run's key to read data from the database.
  public static let none = TablePayload(form: .none, columns: [])

  /// Returns a payload with the values of the given columns, each in a field with the column's
  /// name.
  ///
  /// For a deleted row, the payload contains the values before the deletion.
  public static func columns(_ first: String, _ others: String...) -> TablePayload {
    TablePayload(form: .columns, columns: [first] + others)
  }

  /// Returns a payload with the values of the given columns before and after the write.
  ///
  /// The payload has the `before` and `after` fields. An inserted row has no `before`, and a
  /// deleted row has no `after`.
  public static func change(of first: String, _ others: String...) -> TablePayload {
    TablePayload(form: .change, columns: [first] + others)
  }

  /// Whether the payload contains the values before and after the write.
  package var isChange: Bool { form == .change }
}

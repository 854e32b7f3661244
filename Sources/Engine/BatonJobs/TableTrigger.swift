/// Which writes of a table wake a job, what the key of its runs is, and what they carry.
///
/// The names of tables and columns are those of the catalog, letter for letter: `migrate` makes a trigger of
/// them and quotes each.
package struct TableTrigger: Sendable, Hashable {
  /// The table's schema; nil: that of the program.
  package let schema: String?
  /// The table.
  package let table: String
  /// The writes, each kind once.
  package let operations: [TableOperation]
  /// The column whose value is the key of a run.
  package let key: String
  /// What a run carries of the row.
  package let payload: TablePayload

  /// A bad one is a bug and stops the program.
  init(
    _ name: String, on operations: [TableOperation], key: String, payload: TablePayload
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
    self.payload = payload
  }

  /// `shop.orders`, or `orders` where it is in the program's own schema.
  package var name: String { schema.map { "\($0).\(table)" } ?? table }

  /// For people: `orders by id: insert, update of status`.
  package var text: String {
    let writes = operations.map { operation in
      operation.kind.rawValue
        + (operation.columns.isEmpty ? "" : " of \(operation.columns.joined(separator: " "))")
    }
    return "\(name) by \(key): \(writes.joined(separator: ", "))"
  }

  /// The columns that its trigger reads, those of the table's primary key aside.
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

/// A kind of write of a table: `.insert`, `.update`, `.update(of: "status")` or `.delete`.
public struct TableOperation: Sendable, Hashable {
  /// What the server calls it.
  package enum Kind: String, Sendable, Hashable, Comparable, CaseIterable {
    /// New rows, those of COPY too.
    case insert
    /// Changed rows.
    case update
    /// Removed rows; not those of TRUNCATE.
    case delete

    /// In the order of a row's life.
    package static func < (one: Kind, other: Kind) -> Bool {
      allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
    }
  }

  /// What is done.
  package let kind: Kind
  /// Of an update the columns that are watched beside the key; none: all.
  package let columns: [String]

  /// New rows, those of COPY too.
  public static let insert = TableOperation(kind: .insert, columns: [])
  /// Rows of which anything has changed.
  public static let update = TableOperation(kind: .update, columns: [])
  /// Removed rows; not those of TRUNCATE, which tells nobody which they were.
  public static let delete = TableOperation(kind: .delete, columns: [])

  /// Rows of which one of these columns has changed, or the key.
  public static func update(of first: String, _ others: String...) -> TableOperation {
    TableOperation(kind: .update, columns: [first] + others)
  }
}

/// What a run carries of the row that was written.
public struct TablePayload: Sendable, Hashable {
  /// How the columns are given.
  enum Form: Sendable, Hashable {
    case none, columns, change
  }

  let form: Form
  /// The columns that are given.
  package let columns: [String]

  /// Nothing: the job looks up by the key what it needs.
  public static let none = TablePayload(form: .none, columns: [])

  /// The values of columns, each as a field of its name; of a removed row those that it had.
  public static func columns(_ first: String, _ others: String...) -> TablePayload {
    TablePayload(form: .columns, columns: [first] + others)
  }

  /// The values of columns before and after, in the fields `before` and `after`: of a new row there is no
  /// before, of a removed one no after.
  public static func change(of first: String, _ others: String...) -> TablePayload {
    TablePayload(form: .change, columns: [first] + others)
  }

  /// Whether it has the values before and after.
  package var isChange: Bool { form == .change }
}

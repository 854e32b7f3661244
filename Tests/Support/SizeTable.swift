package import BatonPostgres

/// The numbers of pages that calls read while one dimension of the data grows.
///
/// The report of the tests contains the numbers as a table.
package struct SizeTable {
  /// The sizes of each dimension.
  ///
  /// The two largest sizes take minutes, and are measured only by `make test-all`.
  package static let sizes = [1, 1_000, 10_000] + (TestSize.isFull ? [100_000, 1_000_000] : [])

  /// A call, and the maximum number of pages that the call may read at each size.
  package struct Read: Sendable {
    package let name, text: String
    package let most: Int

    /// Creates a measurement of a function call or of a statement with its values.
    package init(_ text: String, atMost most: Int, name: String? = nil) {
      self.text = text
      self.name = name ?? String(text.prefix { $0 != "(" })
      self.most = most
    }

    /// Creates a measurement of a statement, whose parameters are replaced by values.
    package init(_ statement: Statement, _ values: String..., atMost most: Int) {
      let text = values.enumerated().reversed().reduce(statement.text) { text, value in
        text.replacing("$\(value.offset + 1)", with: value.element)
      }
      self.init(text, atMost: most, name: statement.name)
    }

    /// The statement that EXPLAIN executes.
    fileprivate var explained: String {
      text.first?.isLetter == true && text.hasSuffix(")") && !text.contains("\n")
        ? "select from \(text)" : text
    }
  }

  /// The sizes of a dimension that the products limit to 1,000, such as the members of a group.
  package static let limitedSizes = [1, 1_000]

  private let dimension: String
  private let reads: [Read]
  private let sizes: [Int]
  private var pages: [[Int]]

  package init(_ dimension: String, _ reads: [Read], sizes: [Int] = SizeTable.sizes) {
    (self.dimension, self.reads, self.sizes) = (dimension, reads, sizes)
    pages = reads.map { _ in [] }
  }

  /// Executes all calls at the current size in a separate session, and rolls back all writes of the
  /// calls.
  package mutating func measure(on session: Connection, in schema: Schema) async throws {
    for (index, read) in reads.enumerated() {
      let explain = Statement(
        "test/size \(read.name)",
        "explain (analyze, buffers, costs off, timing off) \(read.explained)")
      let least = try await TestSchema.fewestPages(atMost: read.most) {
        try await session.rolledBack(in: schema) {
          let lines: [String] = try await session.run(
            .rows(explain) { (row) throws(PostgresError) in try row.decode(String.self) })
          return lines
        }
      }
      pages[index].append(least)
    }
  }

  /// The calls that read more pages than the maximum number.
  package var excesses: [String] {
    zip(reads, pages).filter { read, pages in pages.contains { $0 > read.most } }
      .map { "\(dimension): \($0.name) read \($1), at most \($0.most) are few" }
  }

  /// The table as text, with one line for each call.
  package var text: String {
    let head = "pages read, \(dimension): \(sizes.map(String.init).joined(separator: " / "))"
    let lines = zip(reads, pages).map {
      "  \($0.name): \($1.map(String.init).joined(separator: " / "))"
    }
    return ([head] + lines).joined(separator: "\n")
  }
}

/// A script of several SQL statements, which are sent one by one.
///
/// Each statement is sent separately, so that an error refers to the failed statement. A semicolon
/// inside a string, a quoted name, a dollar quote or a comment does not end a statement.
/// `begin atomic` function bodies are not supported.
struct SQLScript {
  private let text: Substring.UTF8View

  init(_ text: String) { self.text = Substring(text).utf8 }

  /// The statements in order, excluding statements that contain only comments or whitespace.
  var statements: [String] {
    var statements: [String] = []
    var rest = text
    while !rest.isEmpty {
      let (statement, isEmpty) = Self.cutStatement(from: &rest)
      if !isEmpty { statements.append(statement) }
    }
    return statements
  }

  /// Removes the next statement and its semicolon from the script, and returns the statement.
  private static func cutStatement(
    from rest: inout Substring.UTF8View
  ) -> (text: String, isEmpty: Bool) {
    let start = rest.startIndex
    let all = rest
    var isEmpty = true
    while let byte = rest.first {
      if byte == UInt8(ascii: ";") {
        let statement = String(Substring(all[start..<rest.startIndex]))
        rest = rest.dropFirst()
        return (statement, isEmpty)
      }
      let mayBeComment = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/")
      if !mayBeComment || !skipComment(&rest) {
        if !isBlank(byte) { isEmpty = false }
        skipToken(&rest)
      }
    }
    return (String(Substring(all[start...])), isEmpty)
  }

  private static func skipComment(_ rest: inout Substring.UTF8View) -> Bool {
    if rest.starts(with: "--".utf8) {
      rest = rest.drop { $0 != UInt8(ascii: "\n") }
      return true
    }
    guard rest.starts(with: "/*".utf8) else { return false }
    var depth = 0
    while !rest.isEmpty {
      if rest.starts(with: "/*".utf8) {
        depth += 1
        rest = rest.dropFirst(2)
      } else if rest.starts(with: "*/".utf8) {
        depth -= 1
        rest = rest.dropFirst(2)
        if depth == 0 { break }
      } else {
        rest = rest.dropFirst()
      }
    }
    return true
  }

  /// Skips a whole quoted string, a whole word, or one byte.
  private static func skipToken(_ rest: inout Substring.UTF8View) {
    let byte = rest.first
    let isEscaped = byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
    if isEscaped, rest.dropFirst().first == UInt8(ascii: "'") {
      rest = rest.dropFirst()
      skipQuoted(&rest, by: UInt8(ascii: "'"), escape: UInt8(ascii: "\\"))
    } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\""), let quote = byte {
      skipQuoted(&rest, by: quote, escape: nil)
    } else if byte == UInt8(ascii: "$"), let tag = dollarTag(rest) {
      rest = rest.dropFirst(tag.count)
      while !rest.isEmpty, !rest.starts(with: tag) {
        rest = rest.dropFirst().drop { $0 != UInt8(ascii: "$") }
      }
      rest = rest.dropFirst(tag.count)
    } else if byte.map(isOfWord) == true {
      // A whole word is skipped, so that an `e` at the end of a word is not treated as the prefix
      // of an escape string.
      rest = rest.drop(while: isOfWord)
    } else {
      rest = rest.dropFirst()
    }
  }

  /// Skips a quoted string.
  ///
  /// A string with a doubled quote is skipped as two adjacent strings.
  private static func skipQuoted(
    _ rest: inout Substring.UTF8View, by quote: UInt8, escape: UInt8?
  ) {
    rest = rest.dropFirst()
    while let byte = rest.first {
      rest = rest.dropFirst()
      if byte == escape { rest = rest.dropFirst() } else if byte == quote { return }
    }
  }

  /// Returns `$$` or `$name$` if a dollar quote starts here, or nil for a parameter.
  private static func dollarTag(_ rest: Substring.UTF8View) -> Substring.UTF8View? {
    let name = rest.dropFirst().prefix(while: isOfWord)
    let end = rest.dropFirst(1 + name.count)
    guard end.first == UInt8(ascii: "$"), name.first.map(isDigit) != true else { return nil }
    return rest.prefix(name.count + 2)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    isDigit(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || byte == UInt8(ascii: "_") || byte >= 128
  }
}

extension Statement {
  /// The individual statements of the text, excluding statements that contain only comments.
  package var statements: [String] { SQLScript(text).statements }
}

extension Connection {
  /// Executes several statements without parameters, each sent separately.
  ///
  /// If no transaction is open, each statement is committed separately.
  ///
  /// - Throws: the ``PostgresError`` from the first statement that fails.
  public func runEach(of statement: Statement) throws(PostgresError) {
    try runEach(of: statement, for: CurrentTask())
  }

  func runEach(of statement: Statement, for task: CurrentTask) throws(PostgresError) {
    for text in statement.statements {
      try script(Statement(statement.name, text), for: task)
    }
  }
}

/// The tokens of an SQL statement, excluding comments and the contents of strings.
struct SQLTokens {
  /// A token of a statement.
  enum Token: Equatable {
    /// A keyword or an unquoted name, in lower case.
    case word(String)
    /// A quoted name, stored without the quotes.
    case quoted(String)
    /// A character that is not part of a word or a quoted name.
    ///
    /// A string literal becomes a single token with the character `'`.
    case sign(Character)
  }

  private(set) var all: [Token] = []
  private var rest: Substring

  init(_ text: String) {
    rest = Substring(text)
    while !rest.isEmpty { next() }
  }

  private mutating func next() {
    if rest.hasPrefix("--") {
      rest = rest.drop { $0 != "\n" }
    } else if rest.hasPrefix("/*") {
      skipComment()
    } else if rest.first?.isWhitespace == true {
      rest.removeFirst()
    } else if rest.first == "\"" {
      all.append(.quoted(quoted(by: "\"")))
    } else if rest.first == "'" {
      // Backslash escapes are not handled, because no accepted statement contains a string with a
      // prefix such as `E`.
      _ = quoted(by: "'")
      all.append(.sign("'"))
    } else if let first = rest.first, first.isLetter || first == "_" {
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
      all.append(.word(word.lowercased()))
      rest = rest.dropFirst(word.count)
    } else {
      all.append(.sign(rest.removeFirst()))
    }
  }

  /// Skips a comment, including nested comments.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if rest.hasPrefix("/*") {
        depth += 1
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix("*/") {
        depth -= 1
        rest = rest.dropFirst(2)
      } else {
        rest = rest.dropFirst()
      }
    } while depth > 0 && !rest.isEmpty
  }

  /// Removes a quoted string from the input, and returns it.
  private mutating func quoted(by quote: Character) -> String {
    var text = ""
    rest.removeFirst()
    while let character = rest.popFirst() {
      if character == quote {
        guard rest.first == quote else { return text }
        rest.removeFirst()
      }
      text.append(character)
    }
    return text
  }
}

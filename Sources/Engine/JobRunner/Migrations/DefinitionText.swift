/// A definition in a normalized form that is the same before a dump and after a restore.
///
/// PostgreSQL stores BETWEEN and row comparisons as nested lists, and prints them as
/// `((a AND b) AND c)`. After a restore, PostgreSQL prints `(a AND b AND c)`, because the parser
/// reads the dumped text as one list. The normalized form replaces nested lists with one list, so
/// it is the same before the dump and after the restore. AND and OR are associative, so definitions
/// with the same normalized form have the same meaning.
struct DefinitionText: Equatable {
  private let text: [UInt8]

  /// Normalizes a definition that PostgreSQL printed with all parentheses.
  init(_ definition: String) {
    var rest = definition.utf8[...]
    let list = List(reading: &rest)
    // PostgreSQL never prints an unmatched closing parenthesis. Text that contains an unmatched
    // closing parenthesis is compared without normalization.
    text = rest.isEmpty ? list.text : Array(definition.utf8)
  }

  /// Returns whether two definitions differ, where nil differs from every definition.
  static func differ(_ one: String?, _ other: String?) -> Bool {
    // Almost all pairs of definitions are identical strings, so the strings are compared first.
    guard one != other, let one, let other else { return one != other }
    return DefinitionText(one) != DefinitionText(other)
  }
}

/// The contents of a pair of parentheses: one operand, or several operands with AND or OR between
/// them.
private struct List {
  private static let words = [Array(" AND ".utf8), Array(" OR ".utf8)]

  private var operands = [Operand()]
  /// The words AND or OR between the operands.
  private var words: [[UInt8]] = []

  /// Reads until the parenthesis that closes the list, or until the end of the text.
  init(reading rest: inout Substring.UTF8View) {
    var quote: UInt8?
    while let byte = rest.first, quote != nil || byte != UInt8(ascii: ")") {
      if quote == nil, let word = Self.words.first(where: { rest.starts(with: $0) }) {
        rest.removeFirst(word.count)
        words.append(word)
        operands.append(Operand())
        continue
      }
      rest.removeFirst()
      if quote == nil, byte == UInt8(ascii: "(") {
        let inner = List(reading: &rest)
        operands[operands.count - 1].append(inner, isClosed: rest.popFirst() != nil)
        continue
      }
      operands[operands.count - 1].append(byte)
      // PostgreSQL doubles a quote inside a literal, so the literal is read as two consecutive
      // literals.
      if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        quote = byte
      }
    }
    flatten()
  }

  var text: [UInt8] {
    var text = operands[0].text
    for (word, operand) in zip(words, operands.dropFirst()) { text += word + operand.text }
    return text
  }

  /// Merges each inner list into this list, if both lists have the same word (AND or OR) between
  /// their operands.
  private mutating func flatten() {
    guard let word = words.first, words.allSatisfy({ $0 == word }) else { return }
    operands = operands.flatMap { operand -> [Operand] in
      guard let list = operand.list, !list.words.isEmpty,
        list.words.allSatisfy({ $0 == word })
      else { return [operand] }
      return list.operands
    }
    words = Array(repeating: word, count: operands.count - 1)
  }
}

/// An operand of AND or OR, which ends at the next AND or OR, or at a closing parenthesis.
private struct Operand {
  private(set) var text: [UInt8] = []
  /// The inner list, or nil if the operand is not exactly one list in parentheses.
  private(set) var list: List?

  mutating func append(_ byte: UInt8) {
    text.append(byte)
    list = nil
  }

  mutating func append(_ inner: List, isClosed: Bool) {
    list = text.isEmpty && isClosed ? inner : nil
    text += [UInt8(ascii: "(")] + inner.text + (isClosed ? [UInt8(ascii: ")")] : [])
  }
}

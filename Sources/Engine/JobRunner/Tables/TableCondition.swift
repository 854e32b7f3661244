/// The condition of a declared table, split into the tokens that PostgreSQL would read.
///
/// The condition becomes part of the trigger's function, between parentheses. PostgreSQL checks
/// that the condition is a valid expression. The type rejects a condition that could end the
/// parentheses, the statement or the function's body.
struct TableCondition {
  /// The names in the condition that may be columns, including some keywords.
  private(set) var names: Set<String> = []
  /// The words in the condition's string literals that PostgreSQL may interpret as the current
  /// time.
  private(set) var timeWords: Set<String> = []
  /// The reason for rejecting the condition, as the end of a sentence, or nil if it is accepted.
  private(set) var fault: String?

  // Quotes and parentheses are compared as scalars, because a `Character` can contain a quote
  // together with a combining mark.
  private var rest: Substring.UnicodeScalarView
  private var depth = 0
  /// Whether the last token was `::`.
  private var isCast = false

  init(_ text: String) {
    rest = Substring(text).unicodeScalars
    fault = Self.fault(in: text)
    while fault == nil, let scalar = rest.first { read(scalar) }
    if fault == nil, depth > 0 { fault = "lacks a closing parenthesis" }
  }

  /// The maximum length of a condition in bytes.
  private static let longest = 1_000

  private static func fault(in text: String) -> String? {
    if text.unicodeScalars.allSatisfy({ $0 == " " }) { return "is empty" }
    if text.utf8.count > longest { return "has more than \(longest) bytes" }
    if text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) {
      return "contains a line break or a control character"
    }
    // A dollar sign could end the function body, even inside a string. Whether a backslash is an
    // escape character depends on the server's settings.
    if text.unicodeScalars.contains(where: { $0 == "\\" || $0 == "$" }) {
      return "contains a backslash or a dollar sign"
    }
    return nil
  }

  private mutating func read(_ scalar: Unicode.Scalar) {
    if scalar == "'" || scalar == "\"" {
      guard let text = quoted(by: scalar) else {
        fault = "lacks a closing quote"
        return
      }
      if scalar == "\"" { note(text) } else { timeWords.formUnion(Self.timeWords(in: text)) }
    } else if Self.isLetter(scalar) {
      let word = rest.prefix { Self.isLetter($0) || ("0"..."9").contains($0) }
      rest = rest.dropFirst(word.count)
      note(Self.folded(word))
    } else if rest.starts(with: "--".unicodeScalars) || rest.starts(with: "/*".unicodeScalars) {
      fault = "contains a comment"
    } else if rest.starts(with: "::".unicodeScalars) {
      rest.removeFirst(2)
      isCast = true
    } else {
      rest.removeFirst()
      count(scalar)
    }
  }

  /// Records a name that may be a column.
  ///
  /// A name after `::` or before a string literal is a type, and a name before a parenthesis is a
  /// function. The name of a type or function must not be treated as a column, even if a column has
  /// the same name.
  private mutating func note(_ name: String) {
    let next = rest.first { $0 != " " }
    if !isCast, next != "(", next != "'" { names.insert(name) }
    isCast = false
  }

  /// Returns the words in a string literal that PostgreSQL may interpret as the current time.
  static func timeWords(in text: String) -> Set<String> {
    let words = text.lowercased().split {
      !(("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "_")
    }
    return currentTimes.intersection(words.map(String.init))
  }

  private static let currentTimes: Set = ["now", "today", "tomorrow", "yesterday"]

  private mutating func count(_ scalar: Unicode.Scalar) {
    switch scalar {
    case ";": fault = "contains a semicolon"
    case "(": depth += 1
    case ")":
      depth -= 1
      if depth < 0 { fault = "lacks an opening parenthesis" }
    default: break
    }
  }

  /// Removes a quoted string from the input, and returns it, or nil if the closing quote is
  /// missing.
  private mutating func quoted(by quote: Unicode.Scalar) -> String? {
    var text = String.UnicodeScalarView()
    rest.removeFirst()
    while let scalar = rest.popFirst() {
      if scalar == quote {
        guard rest.first == quote else { return String(text) }
        rest.removeFirst()
      }
      text.append(scalar)
    }
    return nil
  }

  /// Returns whether PostgreSQL accepts a character as the first one in a name.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
      || scalar.value >= 128
  }

  /// Returns an unquoted name as PostgreSQL stores it: only ASCII letters are changed to lower
  /// case.
  private static func folded(_ word: Substring.UnicodeScalarView) -> String {
    String(
      String.UnicodeScalarView(
        word.map { ("A"..."Z").contains($0) ? Unicode.Scalar(UInt8($0.value) + 32) : $0 }))
  }
}

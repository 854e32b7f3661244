/// A change that removes a defence in one place, and the tests that must detect it.
struct Mutant: Sendable, Equatable {
  /// The name is set in the environment of the tests, so it has no spaces.
  let name: String
  /// The purpose of the removed text.
  let defence: String
  /// A description of the change.
  let change: String
  /// The tests that must fail.
  let tests: [TestName]
  /// The number of seconds after which a test that does not end counts as failed, or nil if the
  /// test must end.
  let hangs: Int?
  /// The known reason why no test detects the mutant, or nil if a test detects it.
  let survives: String?
  let edits: [Edit]
  /// The file of the block, and its first line.
  let place: String
  /// The text of the block.
  ///
  /// A result applies to exactly this text.
  let text: String

  /// One old text and its replacement.
  struct Edit: Sendable, Equatable {
    /// The way in which the tests get the new text.
    enum Kind: String, Sendable {
      /// A file of SQL, which the tests read while they run.
      case sql = "file"
      /// Swift: a whole expression, or whole statements.
      case expression, statement
    }

    let file: String
    let kind: Kind
    let old: String
    let new: String
  }
}

/// A suite, or the tests in it whose names begin with a text.
struct TestName: Sendable, Hashable, CustomStringConvertible {
  let suite: String
  let beginning: String?

  init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    suite = String(parts.first ?? "").trimmed
    beginning = parts.count > 1 ? String(parts[1]).trimmed : nil
  }

  var description: String { beginning.map { "\(suite): \($0)" } ?? suite }

  /// The filter for `swift test --filter`, which takes a regular expression for
  /// `Module.Suite/name()`.
  var filter: String {
    guard let beginning else { return "\\.\(suite)/" }
    let literal = beginning.map { character in
      character.isLetter || character.isNumber || character == " "
        ? "\(character)" : "\\\(character)"
    }.joined()
    return "\\.\(suite)/`?\(literal)"
  }
}

/// The reason why mutants cannot be run.
struct MutantError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension String {
  var trimmed: String {
    String(trimmingPrefix { $0 == " " }.reversed().trimmingPrefix { $0 == " " }.reversed())
  }
}

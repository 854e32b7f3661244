/// A defence that is taken out in one place, and the tests that must miss it.
struct Mutant: Sendable, Equatable {
  /// Named in the environment of the tests, so without spaces.
  let name: String
  /// What the text is for that is taken out.
  let defence: String
  /// What is done to it, in words.
  let change: String
  /// Each of them must fail.
  let tests: [TestName]
  /// After so many seconds a test that does not end counts as failed; nil: it has to end.
  let hangs: Int?
  /// Why no test misses it, known and left; nil: one does.
  let survives: String?
  let edits: [Edit]
  /// The file of the block and its first line.
  let place: String
  /// The block as it stands there: a result holds for this text.
  let text: String

  /// One old text and what stands in its place.
  struct Edit: Sendable, Equatable {
    /// How the tests come to the new text.
    enum Kind: String, Sendable {
      /// A file of SQL, read while they run.
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

/// A suite, or those of its tests whose name begins so.
struct TestName: Sendable, Hashable, CustomStringConvertible {
  let suite: String
  let beginning: String?

  init(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1)
    suite = String(parts.first ?? "").trimmed
    beginning = parts.count > 1 ? String(parts[1]).trimmed : nil
  }

  var description: String { beginning.map { "\(suite): \($0)" } ?? suite }

  /// For `swift test --filter`, which takes a regular expression of `Module.Suite/name()`.
  var filter: String {
    guard let beginning else { return "\\.\(suite)/" }
    let literal = beginning.map { character in
      character.isLetter || character.isNumber || character == " "
        ? "\(character)" : "\\\(character)"
    }.joined()
    return "\\.\(suite)/`?\(literal)"
  }
}

/// Why mutants cannot be run.
struct MutantError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension String {
  var trimmed: String {
    String(trimmingPrefix { $0 == " " }.reversed().trimmingPrefix { $0 == " " }.reversed())
  }
}

/// How much of something a case works on, which its caller may say.
package struct BenchSize: Sendable {
  /// What it is called: `--size NAME=NUMBER`.
  package let name: String
  /// That of the published figures, and one that only shows that it works.
  package let standard, quick: Int
  /// What it counts, for the help.
  package let meaning: String

  /// A size.
  package init(_ name: String, _ standard: Int, quick: Int, _ meaning: String) {
    self.name = name
    self.standard = standard
    self.quick = quick
    self.meaning = meaning
  }
}

/// How much is measured.
package struct BenchOptions: Sendable {
  /// Connections of each side; nil: as the case says.
  package var connections: Int?
  /// How often each side is measured.
  package var pairs: Int
  /// The same for cases of which a pair takes a minute.
  package var longPairs: Int
  /// How long one side takes of a case that writes for a time.
  package var seconds: Int
  /// Sizes that were said, by their names.
  package var sizes: [String: Int] = [:]
  private let isQuick: Bool

  /// The published sizes, or ones that only show that it works: seconds instead of minutes, and figures
  /// that mean nothing.
  package init(isQuick: Bool = false) {
    self.isQuick = isQuick
    (pairs, longPairs, seconds) = isQuick ? (1, 1, 1) : (7, 3, 5)
  }

  /// A size as it was said, else as the case has it.
  package subscript(size: BenchSize) -> Int {
    sizes[size.name] ?? (isQuick ? size.quick : size.standard)
  }
}

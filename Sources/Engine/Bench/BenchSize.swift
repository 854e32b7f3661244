/// An amount of data in a benchmark case, which the caller can set.
package struct BenchSize: Sendable {
  /// The name of the size, as in `--size NAME=NUMBER`.
  package let name: String
  /// The amount for published figures, and a smaller amount for tests of the case.
  package let standard, quick: Int
  /// A description of the size, for the help text.
  package let meaning: String

  /// Creates a size.
  package init(_ name: String, _ standard: Int, quick: Int, _ meaning: String) {
    self.name = name
    self.standard = standard
    self.quick = quick
    self.meaning = meaning
  }
}

/// The options of a bench: sizes, connections and repetitions.
package struct BenchOptions: Sendable {
  /// The number of connections for each side of the comparison, or nil to use the case's default.
  package var connections: Int?
  /// The number of measurements per side of the comparison.
  package var pairs: Int
  /// The number of measurements per side of the comparison, for cases in which measuring both sides
  /// once takes a minute.
  package var longPairs: Int
  /// The duration of one measurement in seconds, for cases that write for a fixed time.
  package var seconds: Int
  /// The sizes that the caller set, by name.
  package var sizes: [String: Int] = [:]
  private let isQuick: Bool

  /// Creates options with the published sizes.
  ///
  /// If `isQuick` is true, the sizes are small. With small sizes, the bench takes seconds, but its
  /// figures are not meaningful.
  package init(isQuick: Bool = false) {
    self.isQuick = isQuick
    (pairs, longPairs, seconds) = isQuick ? (1, 1, 1) : (7, 3, 5)
  }

  /// Returns the size that the caller set, or the case's default.
  package subscript(size: BenchSize) -> Int {
    sizes[size.name] ?? (isQuick ? size.quick : size.standard)
  }
}

/// An amount that a case works on, which the caller may set.
package struct BenchSize: Sendable {
  /// The name in `--size NAME=NUMBER`.
  package let name: String
  /// The amount for the published figures, and a small amount that only shows that the case works.
  package let standard, quick: Int
  /// The unit of the amount, for the help.
  package let meaning: String

  /// A size.
  package init(_ name: String, _ standard: Int, quick: Int, _ meaning: String) {
    self.name = name
    self.standard = standard
    self.quick = quick
    self.meaning = meaning
  }
}

/// The amounts and repetitions of a bench.
package struct BenchOptions: Sendable {
  /// The connections of each side; nil: the case decides.
  package var connections: Int?
  /// How often each side is measured.
  package var pairs: Int
  /// The number of measurements of each side for cases in which a pair takes a minute.
  package var longPairs: Int
  /// The duration of one side, in seconds, for cases that write for a fixed time.
  package var seconds: Int
  /// The sizes that the caller set, by name.
  package var sizes: [String: Int] = [:]
  private let isQuick: Bool

  /// The published sizes; if `isQuick` is true, small sizes that take seconds instead of minutes and whose figures mean
  /// nothing.
  package init(isQuick: Bool = false) {
    self.isQuick = isQuick
    (pairs, longPairs, seconds) = isQuick ? (1, 1, 1) : (7, 3, 5)
  }

  /// The size that the caller set, else the size of the case.
  package subscript(size: BenchSize) -> Int {
    sizes[size.name] ?? (isQuick ? size.quick : size.standard)
  }
}

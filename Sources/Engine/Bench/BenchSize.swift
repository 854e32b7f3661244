/// How much of something a case works on, which its caller may say.
public struct BenchSize: Sendable {
  /// What it is called: `--size NAME=NUMBER`.
  public let name: String
  /// That of the published figures, and one that only shows that it works.
  public let standard, quick: Int
  /// What it counts, for the help.
  public let meaning: String

  /// A size.
  public init(_ name: String, _ standard: Int, quick: Int, _ meaning: String) {
    self.name = name
    self.standard = standard
    self.quick = quick
    self.meaning = meaning
  }
}

/// How much is measured.
public struct BenchOptions: Sendable {
  /// Connections of each side; nil: as the case says.
  public var connections: Int?
  /// How often each side is measured.
  public var pairs: Int
  /// The same for cases of which a pair takes a minute.
  public var longPairs: Int
  /// How long one side takes of a case that writes for a time.
  public var seconds: Int
  /// Sizes that were said, by their names.
  public var sizes: [String: Int] = [:]
  private let isQuick: Bool

  /// The published sizes, or ones that only show that it works: seconds instead of minutes, and figures
  /// that mean nothing.
  public init(isQuick: Bool = false) {
    self.isQuick = isQuick
    (pairs, longPairs, seconds) = isQuick ? (1, 1, 1) : (7, 3, 5)
  }

  /// A size as it was said, else as the case has it.
  public subscript(size: BenchSize) -> Int {
    sizes[size.name] ?? (isQuick ? size.quick : size.standard)
  }
}

/// One comparison: how a side of it is set up and measured.
///
/// A case makes and empties what it needs in ``BenchStage/schema`` and in the schema `raw`; both are
/// dropped for it afterwards. Everything a side writes before its clock starts is its setup.
package protocol BenchCase: Sendable {
  /// What it is called on the command line and in the JSON.
  var name: String { get }
  /// What is counted, for example `runs/s`; rates are per second.
  var unit: String { get }
  /// Connections of each side where nobody says otherwise.
  var connections: Int { get }
  /// Whether there is another side to compare with.
  var hasRawSide: Bool { get }
  /// The sizes that its caller may say.
  var sizes: [BenchSize] { get }
  /// What it writes, for the announcement.
  func writes(_ options: BenchOptions) -> String

  /// Makes what all rounds share, once.
  func prepare(_ stage: BenchStage) async throws
  /// How often each side is measured.
  func pairs(_ options: BenchOptions) -> Int
  /// What else is to be said of our side, asked for once, after the pairs.
  func notes(_ stage: BenchStage) async throws -> [BenchNote]
  /// Sets one side up and measures it once.
  ///
  /// - Returns: a rate per second, or milliseconds, as ``unit`` says.
  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double
}

extension BenchCase {
  /// One.
  package var connections: Int { 1 }
  /// None.
  package var sizes: [BenchSize] { [] }
  /// Yes.
  package var hasRawSide: Bool { true }
  /// Nothing.
  package func prepare(_ stage: BenchStage) async throws {}
  /// As the options say.
  package func pairs(_ options: BenchOptions) -> Int { options.pairs }
  /// Nothing.
  package func notes(_ stage: BenchStage) async throws -> [BenchNote] { [] }
}

/// Something that a case says beside its ratio.
package struct BenchNote: Sendable {
  /// Its key in the JSON; the unit is part of it, for example `longest_ms`.
  package let name: String
  /// How much.
  package let value: Double

  /// A note.
  package init(name: String, value: Double) {
    self.name = name
    self.value = value
  }
}

/// A side of a comparison.
package enum BenchSide: Sendable {
  /// Baton.
  case ours
  /// Plain SQL, or whatever else the case compares with.
  case raw
}

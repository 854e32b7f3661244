/// One comparison: how each side is set up and measured.
///
/// A case creates and empties its tables in ``BenchStage/schema`` and in the schema `raw`; the bench drops both schemas
/// afterwards. All that a side writes before its clock starts is setup.
package protocol BenchCase: Sendable {
  /// The name on the command line and in the JSON.
  var name: String { get }
  /// The unit of the values, for example `runs/s`; rates are per second.
  var unit: String { get }
  /// The connections of each side, unless the options give a number.
  var connections: Int { get }
  /// Whether there is another side to compare with.
  var hasRawSide: Bool { get }
  /// The sizes that the caller may set.
  var sizes: [BenchSize] { get }
  /// A text for the announcement: what the case writes.
  func writes(_ options: BenchOptions) -> String

  /// Prepares what all rounds share, once.
  func prepare(_ stage: BenchStage) async throws
  /// How often each side is measured.
  func pairs(_ options: BenchOptions) -> Int
  /// More figures about Baton's side, requested once after the pairs.
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

/// A figure that a case reports in addition to its ratio.
package struct BenchNote: Sendable {
  /// Its key in the JSON; the unit is part of the key, for example `longest_ms`.
  package let name: String
  /// The value.
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
  /// Plain SQL, or another system that the case compares with.
  case raw
}

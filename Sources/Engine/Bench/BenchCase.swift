/// A benchmark case, which sets up and measures each side of a comparison.
///
/// A case creates and empties its tables in ``BenchStage/schema`` and in the `raw` schema. After
/// the case, the bench drops both of the case's schemas. The measured time does not include the
/// setup.
package protocol BenchCase: Sendable {
  /// The name of the case on the command line and in the JSON output.
  var name: String { get }
  /// The unit of the values, for example `runs/s`.
  var unit: String { get }
  /// The default number of connections for each side of the comparison.
  ///
  /// The options can set a different number of connections.
  var connections: Int { get }
  /// Whether the case also measures the raw side, with which the case compares Baton.
  var hasRawSide: Bool { get }
  /// The sizes of the case that the caller can set.
  var sizes: [BenchSize] { get }
  /// Returns a description of the data that the case writes.
  func writes(_ options: BenchOptions) -> String

  /// Creates the database objects that all rounds of the case share.
  ///
  /// The bench calls this method once per case.
  func prepare(_ stage: BenchStage) async throws
  /// Returns the number of measurements per side of the comparison.
  func pairs(_ options: BenchOptions) -> Int
  /// Returns additional figures about Baton's measurements.
  ///
  /// The bench calls this method after all rounds.
  func notes(_ stage: BenchStage) async throws -> [BenchNote]
  /// Sets up and executes one measurement of one side of the comparison.
  ///
  /// - Returns: the measured value in ``unit``.
  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double
}

extension BenchCase {
  /// The default number of connections: 1.
  package var connections: Int { 1 }
  /// The default list of sizes, which is empty.
  package var sizes: [BenchSize] { [] }
  /// The default value, `true`, which means that the case measures both sides.
  package var hasRawSide: Bool { true }
  /// Does nothing by default.
  package func prepare(_ stage: BenchStage) async throws {}
  /// Returns the number of pairs in the options.
  package func pairs(_ options: BenchOptions) -> Int { options.pairs }
  /// Returns an empty list by default.
  package func notes(_ stage: BenchStage) async throws -> [BenchNote] { [] }
}

/// A figure that a case reports in addition to its ratio.
package struct BenchNote: Sendable {
  /// The key in the JSON output, which ends with the unit, for example `longest_ms`.
  package let name: String
  /// The measured value.
  package let value: Double

  /// Creates a note.
  package init(name: String, value: Double) {
    self.name = name
    self.value = value
  }
}

/// A side of a comparison.
package enum BenchSide: Sendable {
  /// The side that runs Baton.
  case ours
  /// The side with which the case compares Baton, for example plain SQL.
  case raw
}

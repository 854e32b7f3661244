/// One comparison: how a side of it is set up and measured.
///
/// A case makes and empties what it needs in ``BenchStage/schema`` and in the schema `raw`; both are
/// dropped for it afterwards. Everything a side writes before its clock starts is its setup.
public protocol BenchCase: Sendable {
  /// What it is called on the command line and in the JSON.
  var name: String { get }
  /// What is counted, for example `runs/s`; rates are per second.
  var unit: String { get }
  /// Connections of each side where nobody says otherwise.
  var connections: Int { get }
  /// Whether there is another side to compare with.
  var hasRawSide: Bool { get }
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
  public var connections: Int { 1 }
  /// Yes.
  public var hasRawSide: Bool { true }
  /// Nothing.
  public func prepare(_ stage: BenchStage) async throws {}
  /// As the options say.
  public func pairs(_ options: BenchOptions) -> Int { options.pairs }
  /// Nothing.
  public func notes(_ stage: BenchStage) async throws -> [BenchNote] { [] }
}

/// Something that a case says beside its ratio.
public struct BenchNote: Sendable {
  /// Its key in the JSON; the unit is part of it, for example `longest_ms`.
  public let name: String
  /// How much.
  public let value: Double
}

/// A side of a comparison.
public enum BenchSide: Sendable {
  /// Baton.
  case ours
  /// Plain SQL, or whatever else the case compares with.
  case raw
}

/// How much is measured.
public struct BenchOptions: Sendable {
  /// Connections of each side; nil: as the case says.
  public var connections: Int?
  /// How often each side is measured.
  public var pairs = 7
  /// The same for cases of which a pair takes a minute.
  public var longPairs = 3
  /// Runs that a drain works.
  public var runs = 200_000
  /// Boards that are ranked.
  public var boards = 40_000
  /// Boards that `write-spread` and `visible` write to.
  public var spreadBoards = 20_000
  /// Groups that `close` closes a week of, in thousands.
  public var groups = 100_000
  /// Notices that `retention` removes.
  public var notices = 1_000_000
  /// Boards that `retention` removes.
  public var challenges = 10_000
  /// How long one side of `write-*` and `visible` takes.
  public var seconds = 5

  /// The sizes of the published figures.
  public init() {}

  /// Sizes that only show that it works: seconds instead of minutes, and figures that mean nothing.
  public static var quick: BenchOptions {
    var options = BenchOptions()
    (options.pairs, options.runs, options.boards) = (1, 2_000, 1_000)
    (options.spreadBoards, options.seconds) = (200, 1)
    (options.longPairs, options.groups) = (1, 1_000)
    (options.notices, options.challenges) = (10_000, 1_200)
    return options
  }
}

import ArgumentParser
import Foundation
import Synchronization

/// The command of `make mutants`.
@main
struct Mutants: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mutants",
    abstract: "Take defences out, one at a time, and see whether the tests miss them.",
    discussion:
      "What was tried since the tree changed is not tried again. Tests/Tools/Mutants/README.md."
  )

  @Option(help: "How many, drawn at random; without it all that were not tried.")
  var count: Int?

  @Option(help: "Which ones are drawn.")
  var seed = UInt64.random(in: 0..<1_000_000)

  @Option(help: "How many seconds the tests of a mutant may take.")
  var limit = 300

  @Option(help: "How many are tried at a time.")
  var width = 2

  @Option(help: "Where the results are kept.")
  var results = "docs/internals/mutants.tsv"

  @Flag(help: "Only check that each old text is there.")
  var check = false

  @Argument(help: "The mutants to run, tried or not; none: as --count says.")
  var names: [String] = []

  func run() throws {
    let signals = Program.endOnSignal()
    defer { withExtendedLifetime(signals) {} }
    let root = URL(filePath: FileManager.default.currentDirectoryPath)
    let all = try MutantFile.all(in: root)
    let problems = MutantCheck.problems(of: all, in: root)
    guard problems.isEmpty else { throw MutantError(problems.joined(separator: "\n")) }
    guard !check else { return say("\(all.count) mutants, each in its place") }

    let folder = root.appending(path: ".build/mutants")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let tried = Results(
      file: root.appending(path: results), tree: try Results.tree(of: root))
    let chosen = try choose(from: all, tried)
    let bench = TestBench(root: root, folder: folder, limit: limit, width: width)
    var leftOut = 0
    if !chosen.isEmpty {
      say("building \(all.count) mutants (log: .build/mutants/logs/build.log)")
      try bench.build(all)
      let sound = try baseline(of: chosen, bench, tried)
      leftOut = chosen.count - sound.count
      try tryOut(sound, bench, tried)
    }
    try summarize(all, tried, leftOut)
  }

  private func choose(from all: [Mutant], _ results: Results) throws -> [Mutant] {
    if let unknown = names.first(where: { name in !all.contains { $0.name == name } }) {
      throw MutantError("there is no mutant '\(unknown)' in Tests/Tools/Mutants")
    }
    guard names.isEmpty else { return all.filter { names.contains($0.name) } }
    let left = all.filter { results[$0] == nil }
    guard let count else { return left }
    say("seed \(seed)")
    var generator = SplitMix(state: seed)
    // The mutants are drawn from all mutants, so that a seed always selects the same mutants.
    let drawn = Set(all.shuffled(using: &generator).prefix(count).map(\.name))
    return left.filter { drawn.contains($0.name) }
  }

  /// Returns the mutants whose tests pass without them, checked suite by suite.
  private func baseline(
    of mutants: [Mutant], _ bench: TestBench, _ results: Results
  ) throws -> [Mutant] {
    let broken = Mutex<Set<TestName>>([])
    let suites = Dictionary(grouping: Set(mutants.flatMap(\.tests)), by: \.suite)
      .sorted { $0.key < $1.key }
    try each(suites.filter { !results.havePassed($0.value) }) { suite, tests in
      if try bench.pass(tests) {
        try results.keep(passed: tests)
        say("without a mutant: \(suite) passes")
      } else {
        broken.withLock { $0.formUnion(tests) }
        say(
          "without a mutant: \(suite) FAILS, its mutants are left out "
            + "(log: .build/mutants/logs/baseline-\(suite).log)")
      }
    }
    let failed = broken.withLock { $0 }
    return mutants.filter { failed.isDisjoint(with: $0.tests) }
  }

  private func tryOut(_ mutants: [Mutant], _ bench: TestBench, _ results: Results) throws {
    let done = Atomic(0)
    let sql = try MutantSQL(root: bench.root)
    try each(mutants) { mutant in
      let began = ContinuousClock.now
      let result = try bench.run(mutant, sql)
      try results.keep(result, of: mutant)
      let seconds = began.duration(to: .now).components.seconds
      let number = done.add(1, ordering: .relaxed).newValue
      say(
        "[\(number)/\(mutants.count)] \(mutant.name): \(result.outcome.rawValue), "
          + "\(result.reason) (\(seconds) s)")
    }
  }

  /// Executes the body for each element.
  ///
  /// At most `width` elements are processed at a time. After the first error, no further element
  /// begins.
  private func each<T: Sendable>(_ all: [T], _ body: @Sendable (T) throws -> Void) throws {
    let error = Mutex<(any Error)?>(nil)
    withoutActuallyEscaping(body) { body in
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = width
      for one in all {
        queue.addOperation {
          guard error.withLock({ $0 == nil }) else { return }
          do { try body(one) } catch let thrown { error.withLock { $0 = thrown } }
        }
      }
      queue.waitUntilAllOperationsAreFinished()
    }
    if let error = error.withLock({ $0 }) { throw error }
  }

  /// - Parameter leftOut: the number of mutants that were not tried, because their tests fail
  ///   without them.
  /// - Throws: `ExitCode.failure` if a mutant was left out, survived without a known reason, or is
  ///   invalid.
  private func summarize(_ all: [Mutant], _ results: Results, _ leftOut: Int) throws {
    say("\n| area | mutants | killed of tried |\n|---|---|---|")
    for (area, mutants) in Dictionary(grouping: all, by: \.area).sorted(by: { $0.key < $1.key }) {
      say("| \(area) | \(mutants.count) | \(score(mutants, results)) |")
    }
    say("| all | \(all.count) | \(score(all, results)) |")
    let alive = all.compactMap { mutant in
      results[mutant].flatMap { $0.outcome == .killed ? nil : (mutant, $0) }
    }
    for (mutant, result) in alive {
      say("\n\(result.outcome.rawValue): \(mutant.name) (\(mutant.place)): \(result.reason)")
      if let why = mutant.survives { say("  known: \(why)") }
    }
    if leftOut > 0 { say("\n\(leftOut) left out: their tests fail without them") }
    say("\nkilled \(score(all, results)) mutants tried, of \(all.count) that there are")
    let isKnown = alive.allSatisfy { $0.0.survives != nil && $0.1.outcome == .survived }
    guard isKnown, leftOut == 0 else { throw ExitCode.failure }
  }

  private func score(_ mutants: [Mutant], _ results: Results) -> String {
    let tried = mutants.compactMap { results[$0] }
    return "\(tried.filter { $0.outcome == .killed }.count) of \(tried.count)"
  }
}

/// Prints immediately, even into a pipe.
private func say(_ text: String) {
  FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

extension Mutant {
  /// Returns `queue` for `Tests/Tools/Mutants/queue.txt:3`.
  fileprivate var area: String {
    let file = place.split(separator: "/").last ?? ""
    return String(file.split(separator: ".").first ?? "")
  }
}

/// Random numbers that are determined by a seed.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var number = state
    number = (number ^ (number >> 30)) &* 0xbf58_476d_1ce4_e5b9
    number = (number ^ (number >> 27)) &* 0x94d0_49bb_1331_11eb
    return number ^ (number >> 31)
  }
}

import Foundation

/// Builds the mutants and runs their tests.
struct TestBench {
  /// The outcome of a mutant.
  enum Outcome: String, Sendable {
    case killed, survived
    /// The mutant itself is invalid: its SQL cannot be parsed, or a test did not end although it
    /// must end.
    case invalid
  }

  /// An outcome with the line that shows it.
  struct Result: Sendable {
    let outcome: Outcome
    let reason: String
  }

  let root: URL
  /// The folder of the mutants, with the copy, its build and the logs.
  let folder: URL
  /// The maximum time for the tests of one mutant.
  let limit: Int
  /// The number of mutants that are tried at the same time.
  let width: Int

  private var source: URL { folder.appending(path: "source") }
  private var places: [String] {
    ["--package-path", source.path(), "--scratch-path", folder.appending(path: "build").path()]
  }

  /// Builds all mutants of Swift together.
  ///
  /// - Throws: `MutantError` with the messages of the compiler.
  func build(_ mutants: [Mutant]) throws {
    try SourceCopy(root: root, copy: source).write(mutants)
    let log = try log("build")
    let status = try Program(
      arguments: ["swift", "build", "--build-tests"] + places, log: log
    ).run(seconds: 7200)
    guard status == 0 else {
      let errors = lines(of: log).filter { $0.contains("error:") }.prefix(20)
      throw MutantError(
        "the mutants do not build, see \(log.path())\n\(errors.joined(separator: "\n"))")
    }
  }

  /// Returns whether tests of one suite exist and pass without a mutant.
  func pass(_ tests: [TestName]) throws -> Bool {
    let log = try log("baseline-\(tests[0].suite)")
    let status = try run(tests, [:], log, seconds: limit * 4)
    return status == 0
      && lines(of: log).filter { $0.hasPrefix("✔ Test \"") }.count >= tests.count
  }

  /// Runs the tests of a mutant.
  ///
  /// Each of these tests must fail.
  func run(_ mutant: Mutant, _ sql: MutantSQL) throws -> Result {
    let texts = folder.appending(path: "sql/\(mutant.name)")
    try writeSQL(of: mutant, sql, to: texts)
    defer { try? FileManager.default.removeItem(at: texts) }
    var reasons: [String] = []
    for (index, test) in mutant.tests.enumerated() {
      let log = try log(index == 0 ? mutant.name : "\(mutant.name)-\(index + 1)")
      let environment = ["MUTANT": mutant.name, "MUTANT_SQL": texts.path()]
      let status = try run([test], environment, log, seconds: mutant.hangs ?? limit)
      let result = judge(status, lines(of: log), mutant, test)
      guard result.outcome == .killed else { return result }
      reasons.append(result.reason)
    }
    return Result(outcome: .killed, reason: reasons.joined(separator: "; "))
  }

  private func judge(
    _ status: Int32?, _ lines: [String], _ mutant: Mutant, _ test: TestName
  ) -> Result {
    guard let status else {
      return mutant.hangs.map { Result(outcome: .killed, reason: "\(test) did not end in \($0) s") }
        ?? Result(outcome: .invalid, reason: "\(test) did not end in \(limit) s")
    }
    guard status != 0 else { return Result(outcome: .survived, reason: "\(test) passed") }
    // A text that the server cannot parse fails every test and shows nothing. If no text was
    // changed, the failure is the behavior of the program without its defence.
    let isSQL = mutant.edits.contains { $0.kind == .sql }
    let misunderstood = ["[42601]", "[42703]", "[42704]", "[42804]", "[42883]", "[42P18]"]
    if isSQL, let line = lines.first(where: { misunderstood.contains(where: $0.contains) }) {
      return Result(outcome: .invalid, reason: "its text is wrong: \(line.prefix(160))")
    }
    let signs = ["recorded an issue", "Fatal error"]
    guard let line = lines.first(where: { signs.contains(where: $0.contains) }) else {
      return Result(outcome: .invalid, reason: "\(test): no test failed, but the run did")
    }
    // The arguments of a test may fill several lines before the place.
    let place = lines.lazy.compactMap { $0.firstMatch(of: /at (\w+\.swift:\d+):\d+:/)?.1 }.first
    return Result(outcome: .killed, reason: place.map(String.init) ?? String(line.prefix(120)))
  }

  private var settings: [String: String] {
    [
      "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "6", "NO_COLOR": "1",
      // Few tests run at the same time: the large tolerance for many concurrent tests would hide a
      // mutant.
      "BATON_PATIENCE": "\(width)",
    ]
  }

  /// Runs the tests like `swift test`, but without planning a build, which takes longer than some
  /// tests.
  private func run(
    _ tests: [TestName], _ environment: [String: String], _ log: URL, seconds: Int
  ) throws -> Int32? {
    let program = folder.appending(path: "build/debug/batonPackageTests.xctest").path()
    let filters = tests.flatMap { ["--filter", $0.filter] }
    return try Program(
      arguments: [program, "--testing-library", "swift-testing"] + filters,
      environment: environment.merging(settings) { $1 }, log: log
    ).run(seconds: seconds)
  }

  /// Writes the statements that the mutant changes.
  private func writeSQL(of mutant: Mutant, _ sql: MutantSQL, to target: URL) throws {
    for (name, text) in try sql.statements(of: mutant) {
      let file = target.appending(path: "\(name).sql")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  private func log(_ name: String) throws -> URL {
    let logs = folder.appending(path: "logs")
    try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
    return logs.appending(path: "\(name).log")
  }

  private func lines(of log: URL) -> [String] {
    let data = (try? Data(contentsOf: log)) ?? Data()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

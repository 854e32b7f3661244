import Foundation
import TestSupport
import Testing

/// Tests that the runner does not depend on the product in this repository, because other products
/// use the runner as well.
@Suite(.ownThreads) struct IndependenceTests {
  private static let root = Checkout.root

  /// The folders of the engine, which have the names of their targets.
  private static var targets: [String] {
    get throws {
      try ["Engine", "Build"].flatMap {
        try FileManager.default.contentsOfDirectory(
          atPath: root.appending(path: "Sources/\($0)").path())
      } + ["RunnerSQL", "IdentitySQL", "BenchSQL", "BatonTemplate"]
    }
  }

  /// The words for things of the product, in lower case.
  private static let words: Set<String> = [
    "challenge", "challenges", "leaderboard", "leaderboards", "workout", "workouts", "checkin",
    "checkins", "streak", "streaks", "standing", "standings", "gymrats", "rank", "ranks", "ranked",
    "ranking", "notification", "notifications",
  ]

  /// Texts that belong to the product wherever they are used.
  private static let texts = ["check-in", "check_in", "week_"]

  private static func files(below folder: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: root.appending(path: folder).path())
    return (all?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".sql") }.map { "\(folder)/\($0)" }
  }

  /// Returns the words of a text, including the parts of `rankPolicy` and `rank_policy`.
  private static func words(in text: String) -> Set<String> {
    Set(text.matches(of: /[A-Z]?[a-z]+|[A-Z]+/).map { $0.output.lowercased() })
  }

  @Test func `no file of the runner names anything of the product`() throws {
    let topics = try Self.files(below: "jobs").flatMap { path in
      try Checkout.text(path).matches(of: /Topic\("([^"]+)"\)/).map { String($0.output.1) }
    }
    #expect(!topics.isEmpty)
    let files = [
      "Sources/Engine", "Sources/Build", "sql/runner", "sql/identity", "sql/bench/drain",
      "sql/bench/stage",
    ].flatMap(Self.files)
    #expect(files.count > 100)
    for path in files {
      let text = try Checkout.text(path)
      #expect(Self.words(in: text).intersection(Self.words) == [], "\(path)")
      let lower = text.lowercased()
      #expect((Self.texts + topics).filter(lower.contains) == [], "\(path)")
    }
  }

  @Test func `no target of the runner needs one of the product`() throws {
    // Each declaration starts with a line that is indented by four spaces, and continues with lines
    // that are indented further.
    let declarations = try Checkout.text("Package.swift")
      .split(separator: /\n {4}(?=[a-z.])/).map { declaration in
        declaration.matches(of: /"([^"]+)"/).map { String($0.output.1) }
      }
    let targets = Set(declarations.compactMap(\.first))
    let own = Set(try Self.targets)
    #expect(targets.isSuperset(of: own) && targets.contains("ChallengeJobs"))
    for names in declarations where names.first.map(own.contains) == true {
      let foreign = Set(names).intersection(targets).subtracting(own)
      #expect(foreign == [], "\(names[0])")
    }
  }
}

import Foundation
import TestSupport
import Testing

/// Tests that texts are in plain English: the constructions that readers had to read twice are not
/// used again.
///
/// `Tests/Golden/words.txt` contains the number of constructions in each text. A number may only
/// decrease. The command `BATON_GOLDEN=write Tests/run --filter PlainWordsTests` writes lower
/// numbers, and never higher numbers.
@Suite(.ownThreads) struct PlainWordsTests {
  private static let baseline = "Tests/Golden/words.txt"

  @Test func `no text has more of the old constructions than before`() throws {
    let found = try PlainWords.found()
    var allowed: [String: Int] = [:]
    for line in try Checkout.text(Self.baseline).split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: " ")
      allowed[String(parts[1])] = Int(parts[0])
    }
    #expect(found.count > 40)
    for (place, lines) in found.sorted(by: { $0.key < $1.key }) {
      let most = allowed[place] ?? 0
      #expect(
        lines.count <= most, "\(place): \(most) are allowed.\n\(lines.joined(separator: "\n"))")
    }
    if ProcessInfo.processInfo.environment["BATON_GOLDEN"] == "write" {
      try Self.write(found, allowed)
    } else {
      let lower = found.filter { $0.value.count < allowed[$0.key] ?? 0 }.map(\.key).sorted()
      #expect(lower == [], "better than \(Self.baseline) says: BATON_GOLDEN=write lowers it")
    }
  }

  private static func write(_ found: [String: [String]], _ allowed: [String: Int]) throws {
    let lines = found.mapValues(\.count).filter { $0.value > 0 }
      .map { (place: $0.key, count: min($0.value, allowed.isEmpty ? .max : allowed[$0.key] ?? 0)) }
      .sorted { $0.place < $1.place }.map { "\($0.count) \($0.place)" }
    let text =
      "# How many constructions of PlainWords.swift a text still has. Numbers may only fall.\n"
      + lines.joined(separator: "\n") + "\n"
    try text.write(
      to: Checkout.root.appending(path: baseline), atomically: true, encoding: .utf8)
  }

  @Test(arguments: [
    ("Whoever migrates needs TRIGGER.", 1), ("The migrating role needs TRIGGER.", 0),
    ("Nobody is told.", 2), ("No notification is sent.", 0), ("A missing key is no error.", 1),
    ("It is written anew.", 1), ("`whoever` in code is code.", 0),
    ("What a caller must know about a job.", 0), ("Who migrates needs it.", 1),
  ])
  func `a construction is found, and code is not`(text: String, count: Int) {
    #expect(PlainWords.problems(in: text).count == count)
  }

  @Test func `a sentence of 29 words is too long, and one of 28 is not`() {
    func sentence(_ words: Int) -> String {
      "# Heading\n\nShort. \(Array(repeating: "word", count: words).joined(separator: " ")). End.\n"
    }
    #expect(PlainWords.longSentences(of: sentence(28)).isEmpty)
    #expect(PlainWords.longSentences(of: sentence(29)).count == 1)
    let list = Array(repeating: "- one item of five words", count: 10).joined(separator: "\n")
    #expect(PlainWords.longSentences(of: list).isEmpty)
  }
}

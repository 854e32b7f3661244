import Foundation
import Synchronization

/// The results so far, stored in a file, so that a new start continues where the last one stopped.
///
/// A result applies only to one source tree, which the first line of the file names. Several
/// threads may read and store results.
final class Results: Sendable {
  private static let mark = "tree "

  private let file: URL
  private let tree: String
  /// The results, by the text of a mutant, or by a suite without a mutant.
  private let lines: Mutex<[String: [String]]>

  /// Reads the results for a source tree, or no results if the file belongs to another tree.
  ///
  /// - Parameter tree: the fingerprint of the source tree.
  init(file: URL, tree: String) {
    self.file = file
    self.tree = tree
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let rows = text.split(separator: "\n").map(String.init)
    var lines: [String: [String]] = [:]
    for row in rows.dropFirst() where rows[0] == Self.mark + tree {
      let fields = row.components(separatedBy: "\t")
      lines[fields[0]] = fields
    }
    self.lines = Mutex(lines)
  }

  /// Returns the result of a mutant in this tree.
  subscript(mutant: Mutant) -> TestBench.Result? {
    guard let fields = lines.withLock({ $0[Self.key(mutant)] }), fields.count == 4,
      let outcome = TestBench.Outcome(rawValue: fields[2])
    else { return nil }
    return TestBench.Result(outcome: outcome, reason: fields[3])
  }

  /// Returns whether the tests passed without a mutant.
  func havePassed(_ tests: [TestName]) -> Bool {
    lines.withLock { lines in tests.allSatisfy { lines["\($0)"] != nil } }
  }

  /// Stores a result immediately.
  func keep(_ result: TestBench.Result, of mutant: Mutant) throws {
    let reason = result.reason.replacing("\t", with: " ").replacing("\n", with: " ")
    try keep([[Self.key(mutant), mutant.name, result.outcome.rawValue, reason]])
  }

  /// Stores that tests passed.
  func keep(passed tests: [TestName]) throws { try keep(tests.map { ["\($0)", "passed"] }) }

  private func keep(_ new: [[String]]) throws {
    try lines.withLock { lines in
      for fields in new { lines[fields[0]] = fields }
      let rows = lines.values.map { $0.joined(separator: "\t") }.sorted()
      try Data(([Self.mark + tree] + rows).joined(separator: "\n").appending("\n").utf8)
        .write(to: file, options: .atomic)
    }
  }

  private static func key(_ mutant: Mutant) -> String { "mutant \(fingerprint([mutant.text]))" }

  /// Returns the fingerprint of the source tree, without the mutants, which are distinguished
  /// individually.
  static func tree(of root: URL) throws -> String {
    let paths = SourceCopy.files(below: root).filter {
      !$0.hasPrefix("Tests/Tools/Mutants/") && $0 != "Package.resolved"
    }
    return fingerprint(
      try paths.sorted().map { path in
        let data = try Data(contentsOf: root.appending(path: path))
        return "\(path) \(data.count) \(String(decoding: data, as: UTF8.self))"
      })
  }

  /// Returns the FNV-1a hash with 64 bits as 16 digits.
  ///
  /// The texts come from a trusted source.
  private static func fingerprint(_ texts: [String]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for text in texts {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ 0xff) &* 0x100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

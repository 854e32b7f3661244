import Foundation
import TestSupport

/// The constructions that readers had to read twice, and the texts that contain them.
enum PlainWords {
  /// Each construction: letters that it contains, its pattern, and its replacement.
  ///
  /// The letters are searched first, because a regular expression takes a hundred times as long.
  private static let forbidden: [(letters: String, pattern: String, instead: String)] = [
    ("hoever", #"\b[Ww]hoever\b"#, "name the party"),
    (
      "body", #"\b([Ss]omebody|[Nn]obody|[Ee]verybody|[Aa]nybody)\b"#,
      "name the role, process or client"
    ),
    ("Who ", #"(?m)(^|[.:;] )Who [a-z]+s "#, "name the party"),
    ("anew", #"\banew\b"#, "again"), ("mend", #"\b(mends?|mended)\b"#, "fix"),
    ("heal", #"\b(heals?|healed)\b"#, "repair"), ("ahead of", #"\bahead of\b"#, "before"),
    ("behind", #"\bbehind\b"#, "after"), ("beside", #"\bbeside\b"#, "together with, while"),
    (" no", #"\b(?![Tt]here )\w+ (is|are|was|were) no\b(?! longer| more)"#, "is not a"),
    (" told", #"\b(is|are|was|were|be) told\b"#, "is notified, is sent"),
    ("here there is no", #"\b[Ww]here there is no\b"#, "if ... is missing"),
    ("but for", #"\bbut for\b"#, "except"),
    ("t was waited", #"\b[Ii]t was waited\b"#, "waited for"),
    ("for itself alone", #"\bfor itself alone\b"#, "alone"),
    (" look", #"\bone look\b|\b(a|each|the) look\b"#, "check"),
    ("stand", #"\bstands? in\b"#, "is in"),
  ]

  /// Returns the sentences of a text that contain a construction.
  ///
  /// Code in backquotes and fences does not count.
  static func problems(in text: String) -> [String] {
    let prose = prose(in: text)
    return forbidden.flatMap { entry in
      guard prose.holds(entry.letters), let regex = try? Regex(entry.pattern) else {
        return [String]()
      }
      return prose.matches(of: regex).map { match in
        let line = prose[prose.lineRange(for: match.range)]
          .trimmingCharacters(in: .whitespacesAndNewlines)
        return "'\(prose[match.range])', write '\(entry.instead)': \(line.prefix(160))"
      }
    }
  }

  /// Returns a text without fenced blocks, and with a placeholder for each code span.
  ///
  /// The regular expressions for both take ten times as long.
  private static func prose(in text: String) -> String {
    var isFenced = false
    var lines: [String] = []
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if line.drop(while: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "/") })
        .starts(with: "```".utf8)
      {
        isFenced.toggle()
      } else if !isFenced {
        var parts = line.split(separator: UInt8(ascii: "`"), omittingEmptySubsequences: false)
          .map { String(Substring($0)) }
        // Without its partner, the last backquote is a character of the text.
        if parts.count.isMultiple(of: 2) {
          let last = parts.removeLast()
          parts[parts.count - 1] += "`" + last
        }
        for index in stride(from: 1, to: parts.count, by: 2) { parts[index] = "CODE" }
        lines.append(parts.joined())
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the sentences of a page that are too long to be understood at the first reading.
  static func longSentences(of page: String) -> [String] {
    let prose = page.replacing(#/```.*?```/#.dotMatchesNewlines(), with: "\n\n")
      .replacing(/\]\([^)]*\)/, with: "]")
    var units: [String] = [""]
    for line in prose.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("|") {
        units += line.split(separator: "|").map(String.init) + [""]
      } else if line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") {
        units.append("")
      } else if line.firstMatch(of: #/^\s*(-|\*|\d+\.) /#) != nil {
        units.append(String(line))
      } else {
        units[units.count - 1] += " \(line)"
      }
    }
    return units.flatMap { $0.split(separator: /[.!?:]\s+/) }
      .filter { $0.split(whereSeparator: \.isWhitespace).count > longest }
      .map { "more than \(longest) words: \($0.prefix(160))" }
  }

  /// The maximum number of words in a sentence.
  ///
  /// The rule is 25, but list markers and code also count here.
  private static let longest = 28

  /// The pages whose sentences are checked.
  static func pages() throws -> [String] {
    // The page of full-size test results contains the output of tests.
    try files(["README.md", "CONTRIBUTING.md", "docs", "Examples"], ".md")
      .filter { $0 != "docs/internals/test-all.md" }
  }

  /// The problems of each page, and of the strings, comments and SQL headers of each folder.
  static func found() throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    for page in try pages() {
      let text = try Checkout.text(page)
      found[page] = problems(in: text) + longSentences(of: text)
    }
    for path in try files(["Sources", "jobs"], ".swift") {
      let folder = path.split(separator: "/").dropLast().prefix(3).joined(separator: "/")
      let lines = try Checkout.text(path).split(separator: "\n", omittingEmptySubsequences: false)
      let comments = lines.filter { $0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
      let strings = lines.filter {
        !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") && mayContainProblem($0)
      }
      .flatMap {
        $0.matches(of: #/"(?:[^"\\]|\\.)*"|^\s+[A-Z][^"={}()]*\\?$/#).map { String($0.output) }
      }
      .filter { $0.contains(" ") }
      found["\(folder):comments", default: []] += problems(in: comments.joined(separator: "\n"))
      found["\(folder):strings", default: []] += problems(in: strings.joined(separator: "\n"))
    }
    // The text of a migration does not change after it was applied.
    for path in try files(["sql"], ".sql") where !path.contains("/migrations/") {
      let folder = path.split(separator: "/").prefix(2).joined(separator: "/")
      let header = try Checkout.text(path).split(separator: "\n").filter { $0.hasPrefix("--") }
      found["\(folder):headers", default: []] += problems(in: header.joined(separator: "\n"))
    }
    return found
  }

  /// Whether a line contains the letters of a construction.
  ///
  /// Most lines contain none, so the strings of these lines are not searched.
  private static func mayContainProblem(_ line: Substring) -> Bool {
    let line = String(line)
    return forbidden.contains { line.holds($0.letters) }
  }

  private static func files(_ places: [String], _ ending: String) throws -> [String] {
    try places.flatMap { place -> [String] in
      guard !place.hasSuffix(ending) else { return [place] }
      let folder = Checkout.root.appending(path: place).path(percentEncoded: false)
      return try FileManager.default.subpathsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(ending) && !$0.contains(".build/") }.map { "\(place)/\($0)" }
    }.sorted()
  }
}

extension String {
  /// Returns whether the text contains a literal text, byte for byte.
  fileprivate func holds(_ literal: String) -> Bool {
    withCString { strstr($0, literal) != nil }
  }
}

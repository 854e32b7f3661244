import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Baton

/// Tests external texts in logs and on terminals: no key and no error begins a new line.
struct PrintableTextTests {
  /// Returns the lines of a log event whose message, metadata and error are this text.
  private func lines(
    _ text: String, _ handler: (@escaping @Sendable (String) -> Void) -> any LogHandler
  ) -> [String] {
    let kept = Mutex<String>("")
    let logger = Logger(label: "test") { _ in handler { line in kept.withLock { $0 += line } } }
    logger.error("\(text)", metadata: ["key": "\(text)", text: "name"])
    return kept.withLock { $0 }.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  private static let forged = [
    "k\n2026-01-01T00:00:00+0000 critical orders: FORGED", "k\r2026", "k\u{85}x", "k\u{2028}x",
    "k\u{1B}[2J", "k\u{9B}31m", "a\u{202E}b", "a\u{2067}b", "a\u{200F}b", "\u{0}", "a\tb\u{7F}",
  ]

  @Test(arguments: forged)
  func `an event is one line, in which every character can be seen`(text: String) throws {
    for line in [
      lines(text) { TextLogHandler(label: "test", write: $0) },
      lines(text) { JSONLogHandler(label: "test", write: $0) },
    ] {
      #expect(line.count == 2 && line[1].isEmpty, "\(line)")
      #expect(line[0].printable() == line[0])
    }
    let object = try JSONSerialization.jsonObject(
      with: Data(lines(text) { JSONLogHandler(label: "test", write: $0) }[0].utf8))
    #expect((object as? [String: Any])?["key"] as? String == text)
    #expect(try jsonLine(["text": text]).printable() == jsonLine(["text": text]))
  }

  @Test func `a text that can be printed stays as it is`() {
    for text in ["", "plain", "日本 → 1 \u{1F468}\u{200D}\u{1F469}", "Ünï\u{308}"] {
      #expect(text.printable() == text && text.logged == text)
    }
    #expect("a\nb\tc\r".printable(keepsLines: true) == "a\nb\tc\\r")
    #expect("a\nb\u{202E}".printable() == "a\\nb\\u{202E}")
  }

  @Test func `a name or a value adds no field to a line of the log`() {
    let fields = [
      "": "", "k": "k", #"a\b"#: #"a\b"#, "x level=error": #""x level=error""#,
      "a=b": #""a=b""#, #"say "no""#: #""say \"no\"""#, #"a \"#: #""a \\""#, "a\nb": #""a\nb""#,
      // A space that carries an accent separates fields too.
      "a \u{301}b": "\"a \u{301}b\"", "a\u{A0}b": "\"a\u{A0}b\"",
    ]
    for (text, field) in fields { #expect(text.loggedField == field) }
    let line = lines("x level=error") { TextLogHandler(label: "test", write: $0) }[0]
    #expect(line.contains(#"test: key="x level=error" "x level=error"=name ["#), "\(line)")
  }

  @Test(.sampled()) func `a line of the log has a limit, and says what is left out`() {
    let long = String(repeating: "x", count: 5_000_000)
    let text = lines(long) { TextLogHandler(label: "test", write: $0) }[0]
    #expect(text.utf8.count < 60_000 && text.contains(" ... (5000000 bytes) ... "))
    let json = lines(long) { JSONLogHandler(label: "test", write: $0) }[0]
    #expect(json.contains(" ... (5000000 bytes) ... "))
    // A cut inside a character leaves no partial character that makes the rest invalid.
    #expect(String(repeating: "é", count: 100).shortened(to: 51).hasSuffix("éé"))
  }

  @Test func `rows of a table and findings are lines of their own`() {
    let table = TextTable(["KEY", "STATE"], [["a\nKEY  forged", "ready"], [nil, ""]])
    #expect(table.lines.count == 3 && table.lines[1].hasPrefix("a\\nKEY  forged"))
    let finding = Finding(.note, "a\nb", at: "c\u{1B}[1m", next: "d\r")
    #expect(finding.text == "note: a\\nb\n  where: c\\u{1B}[1m\n  next:  d\\r")
  }
}

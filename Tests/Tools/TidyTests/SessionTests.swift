import Foundation
import TestSupport
import Testing

/// Tests that the planning of the runner's statements is configured in one place, the session.
@Suite(.ownThreads) struct SessionTests {
  @Test func `the runner begins no transaction beside a session`() throws {
    let folder = Checkout.root.appending(path: "Sources/Engine/JobRunner")
    let all = FileManager.default.enumerator(atPath: folder.path())
    var sessions = 0
    for case let path as String in all ?? FileManager.DirectoryEnumerator() {
      // The connection of a migrator is short-lived.
      guard path.hasSuffix(".swift"), !path.hasPrefix("Migrations/"), !path.hasPrefix("Access/")
      else { continue }
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      #expect(text.matches(of: /\.(atomically|transaction)\(\s*in:/).isEmpty, "\(path)")
      sessions += text.matches(of: /\bsession(\(\))?(\.freely)?\.(atomically|transaction)/).count
    }
    #expect(sessions > 20)
  }
}

import Foundation
import TestSupport
import Testing

/// Tests that each thing has one word: words that CONTRIBUTING's glossary has replaced are not used
/// again.
@Suite(.ownThreads) struct GlossaryTests {
  private static let root = Checkout.root

  /// Earlier names of types, files and statements, as whole words.
  private static let replaced: Set<String> = [
    "Lane", "laneLines", "Doorbell", "doorbell", "ClaimMark", "ClaimTurns", "ClaimScan",
    "SuspectTurn", "claim_suspects", "claimSuspects", "Foreground", "rehearse", "Rehearsal",
    "hold_due", "hold_key", "Verdict", "Remainder", "give_back", "giveBack",
    "givenBack", "bury", "byIndex", "limit_plans", "free_plans", "plan_anew",
    "claimUnsuspected", "RunExecutors", "list_gaps", "requireNoGaps", "StepProgress",
    "challenge_made", "RemoveExpired",
    "event_slot", "day_slot", "truncate_slot", "truncateSlot", "list_old_slots",
    "ClaimMarkTests", "ClaimTurnsTests", "purge_challenges", "challenge_age", "buried",
    "board_id", "boardID", "week_notice", "notice_lifetime", "NoticeDay", "FinalNotice",
    "ListedNotice", "NoticeRow",
  ]

  @Test func `every term of the glossary is used on another page`() throws {
    let glossary = "docs/reference/glossary.md"
    let pages = try PlainWords.pages().filter { $0 != glossary }
      .map { try Checkout.text($0).lowercased().replacing(/\s+/, with: " ") }
    let cells = try Checkout.text(glossary).matches(of: /(?m)^\| ([^|]+) \|/)
      .map { String($0.1) }.filter { !$0.hasPrefix("Term") && !$0.hasPrefix("---") }
    #expect(cells.count > 25)
    for cell in cells {
      for term in cell.replacing(/\([^)]*\)/, with: "").lowercased().components(separatedBy: ", ") {
        let word = term.trimmingCharacters(in: .whitespaces)
        #expect(pages.contains { $0.contains(word) }, "\(word)")
      }
    }
  }

  @Test func `no name is one that the glossary has replaced`() throws {
    var count = 0
    for folder in [
      "Sources", "jobs", "sql/runner", "sql/identity", "sql/challenges", "Tests", "docs",
    ] {
      let all = FileManager.default.enumerator(atPath: Self.root.appending(path: folder).path())
      for case let path as String in all ?? FileManager.DirectoryEnumerator() {
        guard [".swift", ".sql", ".md", ".txt"].contains(where: path.hasSuffix),
          // Decision records describe the past, and this file contains the words.
          !path.hasPrefix("internals/decisions/"), !path.hasSuffix("GlossaryTests.swift")
        else { continue }
        count += 1
        let text = try String(
          contentsOf: Self.root.appending(path: "\(folder)/\(path)"), encoding: .utf8)
        let words = Set(text.matches(of: /\w+/).map { String($0.output) })
        #expect(words.intersection(Self.replaced) == [], "\(folder)/\(path)")
      }
    }
    #expect(count > 300)
  }
}

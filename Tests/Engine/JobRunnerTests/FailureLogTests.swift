import TestSupport
import Testing

@testable import JobRunner

/// Tests the log lines of repeated failures.
@Suite struct FailureLogTests {
  @Test func `the line of an error of any size has at most 8 KB of the error`() {
    let lines = LogLines()
    FailureLog().note(
      TestFailure(String(repeating: "x", count: 50_000)), "cannot claim", with: lines.logger)
    let line = lines.all.first ?? ""
    #expect(lines.all.count == 1)
    #expect(line.hasPrefix("cannot claim: ") && line.hasSuffix(" bytes)"))
    #expect(line.utf8.count < 8_300)
  }
}

import TestSupport
import Testing

/// Compares the executable's output with the oracle, including rows, values and order.
func expectBoards(
  of lines: [CheckInLine], from gymrats: BatonProgram,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let expected = try await blocking { Oracle.boards(of: lines) }
  let printed = try await gymrats.boards()
  try #require(!expected.isEmpty, "the oracle has boards to compare with")
  let difference = Oracle.difference(expected: expected, actual: printed)
  #expect(difference == [], sourceLocation: sourceLocation)
  // The test does not compare the lists directly, because the message would contain a hundred
  // thousand rows.
  let isInOrder = printed == expected
  #expect(isInOrder, "rows by group, week, type and position", sourceLocation: sourceLocation)
}

/// Expects the three parts of an error, and no other output.
func expectComplaint(
  _ ended: TestProcess.Ended, status: Int32, what: String, place: String = "", next: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let lines = ended.errors.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  #expect(ended.status == status, "\(ended.errors)", sourceLocation: sourceLocation)
  #expect(ended.output == "", sourceLocation: sourceLocation)
  #expect(lines.count == 4 && lines.last == "", "\(lines)", sourceLocation: sourceLocation)
  for (number, (label, text)) in [("error:", what), ("where:", place), ("next:", next)].enumerated()
  {
    let line = lines.count > number ? lines[number] : ""
    let rest = line.dropFirst(label.count).drop { $0 == " " }
    #expect(line.hasPrefix(label + " ") && !rest.isEmpty, sourceLocation: sourceLocation)
    #expect(text.isEmpty || rest.contains(text), "\(line)", sourceLocation: sourceLocation)
  }
}

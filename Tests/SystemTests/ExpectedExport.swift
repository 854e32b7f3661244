import Foundation
import TestSupport
import Testing

/// Compares what a replay exported with the oracle: each board as it closed, each notice once.
func expectExport(
  in folder: String, of lines: [CheckInLine], step: Int, comparesTimes: Bool = true,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let boards = try exported("boards.jsonl", in: folder).map { try BoardRow(jsonLine: $0) }
  let expected = Oracle.boards(of: lines)
  try #require(!expected.isEmpty, "the oracle has boards to compare with")
  let difference = Oracle.difference(expected: expected, actual: boards)
  #expect(difference == [], sourceLocation: sourceLocation)
  try expectNotices(
    in: folder, Oracle.notices(of: lines, step: step), comparesTimes: comparesTimes,
    sourceLocation: sourceLocation)
}

/// Compares the notices that a replay exported with those expected, each once.
func expectNotices(
  in folder: String, _ expected: [NoticeRow], comparesTimes: Bool = true,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let notices = try exported("notifications.jsonl", in: folder).map { try NoticeRow(jsonLine: $0) }
  try #require(!expected.isEmpty, "the oracle has notices to compare with")
  #expect(notices.count == expected.count, sourceLocation: sourceLocation)
  let timed = { (row: NoticeRow) in comparesTimes ? row : row.at(0) }
  let (found, wanted) = (Set(notices.map(timed)), Set(expected.map(timed)))
  #expect(found.count == notices.count, "a notice twice", sourceLocation: sourceLocation)
  let missing = wanted.subtracting(found).prefix(5).map(\.description)
  let extra = found.subtracting(wanted).prefix(5).map(\.description)
  #expect(missing == [], sourceLocation: sourceLocation)
  #expect(extra == [], sourceLocation: sourceLocation)
}

/// The lines of an exported file.
func exported(_ name: String, in folder: String) throws -> [String] {
  try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    .split(separator: "\n").map(String.init)
}

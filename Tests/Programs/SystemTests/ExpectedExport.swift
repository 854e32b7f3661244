import Foundation
import TestSupport
import Testing

/// Compares the export of a replay with the oracle: each board at its closing, and each
/// notification once.
func expectExport(
  in folder: String, of lines: [CheckInLine], step: Int, comparesTimes: Bool = true,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let boards = try exported("boards.jsonl", in: folder).map { try BoardRow(jsonLine: $0) }
  // The computation takes seconds.
  let (expected, notifications) = try await blocking {
    (Oracle.boards(of: lines), Oracle.notifications(of: lines, step: step))
  }
  try #require(!expected.isEmpty, "the oracle has boards to compare with")
  let difference = Oracle.difference(expected: expected, actual: boards)
  #expect(difference == [], sourceLocation: sourceLocation)
  try expectNotifications(
    in: folder, notifications, comparesTimes: comparesTimes, sourceLocation: sourceLocation)
}

/// Compares the exported notifications of a replay with the expected notifications, each once.
func expectNotifications(
  in folder: String, _ expected: [NotificationRow], comparesTimes: Bool = true,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let notifications = try exported("notifications.jsonl", in: folder).map {
    try NotificationRow(jsonLine: $0)
  }
  try #require(!expected.isEmpty, "the oracle has notifications to compare with")
  #expect(notifications.count == expected.count, sourceLocation: sourceLocation)
  let timed = { (row: NotificationRow) in comparesTimes ? row : row.at(0) }
  let (found, wanted) = (Set(notifications.map(timed)), Set(expected.map(timed)))
  #expect(
    found.count == notifications.count, "a notification twice", sourceLocation: sourceLocation)
  let missing = wanted.subtracting(found).prefix(5).map(\.description)
  let extra = found.subtracting(wanted).prefix(5).map(\.description)
  #expect(missing == [], sourceLocation: sourceLocation)
  #expect(extra == [], sourceLocation: sourceLocation)
}

/// Returns the lines of an exported file.
func exported(_ name: String, in folder: String) throws -> [String] {
  try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
    .split(separator: "\n").map(String.init)
}

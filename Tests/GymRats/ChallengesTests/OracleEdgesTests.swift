import Foundation
import TestSupport
import Testing

/// Tests a file with edge cases.
///
/// Some of its boards were computed by hand from the file's instants.
struct OracleEdgesTests {
  private let rows: [BoardRow]
  private let lines: [CheckInLine]

  init() throws {
    let tests = Checkout.root.appending(path: "Tests")
    let file = try Data(contentsOf: tests.appending(path: "Data/edges.csv"))
    lines = try OracleReader.lines(of: Array(file))
    rows = Oracle.boards(of: lines)
  }

  private func values(_ type: BoardRow.Kind, _ group: Name, _ week: String) -> [Name: Int] {
    let board = rows.filter { $0.group == group && $0.type == type && $0.weekStart == week }
    return Dictionary(board.map { ($0.member, $0.value) }) { _, second in second }
  }

  @Test func `the file keeps within what a replay takes`() {
    let members = Dictionary(grouping: lines, by: \.group).mapValues { Set($0.map(\.member)) }
    // Rule 77: a group has at most 10 members. Names that differ only in bytes each occur once.
    #expect(members.values.allSatisfy { $0.count <= 10 })
    #expect(members.count == 44)
    #expect(lines.count == 416)
  }

  @Test func `rows come by group bytes, week, type and position`() {
    #expect(rows == rows.sorted())
    #expect(rows.count == 520)
  }

  @Test func `rule 2: the week ends to the microsecond`() {
    let group: Name = "week ends to the second"
    #expect(
      values(.checkIns, group, "2024-06-03") == [
        "last second": 1, "last tenth": 1, "last microsecond": 1, "both sides": 1,
        "first instant of the week before": 1,
      ])
    #expect(
      values(.checkIns, group, "2024-06-10") == [
        "first instant": 1, "first microsecond": 1, "both sides": 1,
        "last instant of the week after": 1,
      ])
  }

  @Test func `rule 40: local dates over the week end`() {
    let group: Name = "rule 40: local dates over the week end"
    #expect(
      values(.streak, group, "2024-04-29") == [
        "Monday in the earlier week": 1, "Monday in both weeks": 1,
        // Sunday 10:00Z and Monday 00:30+02:00, which is Sunday 22:30Z.
        "Monday, then Tuesday": 2,
        "Sunday in the later week": 1, "Sunday in both weeks": 1,
        // Saturday 20:00Z to Sunday 12:00Z: 16 h, bridged.
        "Sunday fills in later": 2, "Sunday fills in, Monday again": 2,
        // Saturday 05:00Z to Sunday 12:00Z: 31 h, not bridged.
        "Sunday fills in what was open": 1,
      ])
    #expect(
      values(.streak, group, "2024-05-06") == [
        "Monday in both weeks": 1, "Monday, then Tuesday": 3,
        "Sunday in the later week": 2, "Sunday in both weeks": 2,
        // Of this week's workouts the latest date is Sunday, whose run is Saturday, Sunday.
        "Sunday fills in later": 2, "Sunday fills in what was open": 2,
        "Sunday fills in, Monday again": 3,
      ])
  }

  @Test func `rule 40: runs carried over weeks`() {
    let group: Name = "rule 40: runs carried over weeks"
    // Thursday 2024-08-01 to Tuesday 2024-08-20.
    let weeks = ["2024-07-29", "2024-08-05", "2024-08-12", "2024-08-19"]
    #expect(weeks.map { values(.streak, group, $0)["twenty days"] } == [4, 11, 18, 20])
    // Friday to Tuesday = 5, then Thursday and Friday.
    #expect(
      values(.streak, group, "2024-08-12") == [
        "twenty days": 18, "every day but a Sunday": 2, "ends on a Tuesday, begins again": 5,
        "a week left out": 2,
      ])
  }

  @Test func `rule 45: equal instants`() {
    #expect(
      values(.streak, "rule 45: equal instants, the smaller offset first", "2024-09-30") == [
        "last of two, equal to the next": 1, "last of two, unequal to the next": 2,
        "the second breaks the bridge": 1, "the second leaves it broken": 1,
        "the second makes the bridge": 2, "two dates in a row": 2,
        "one date, before a broken bridge": 1,
      ])
  }

  @Test func `rule 45: bridges over the week end`() {
    let group: Name = "rule 45: bridges over the week end"
    #expect(
      values(.streak, group, "2024-10-07") == [
        // Monday 00:30+01:00 is Sunday 23:30Z, 26.5 h after Saturday 21:00Z.
        "Saturday to Monday on Sunday": 2, "Saturday to Monday on Monday": 1,
        "Sunday to Tuesday": 2, "the last of Sunday on Monday bridges": 1,
        "the last of Sunday on Monday does not": 1, "bridged until Sunday comes on Monday": 2,
        "bridged on Monday from the carry-in": 2,
      ])
    #expect(
      values(.streak, group, "2024-10-14") == [
        "Saturday to Monday on Monday": 2, "Sunday to Tuesday": 3,
        // Sunday's last is at Monday 00:30Z and -08:00, Tuesday's first at +02:00.
        "the last of Sunday on Monday bridges": 2,
        // Sunday's last and Tuesday's first are both at -05:00.
        "the last of Sunday on Monday does not": 1,
        "bridged until Sunday comes on Monday": 2, "bridged on Monday from the carry-in": 4,
      ])
  }

  @Test func `rule 48: names are ordered by bytes`() {
    let board = rows.filter { $0.group == "ties: the bytes of the name" && $0.type == .streak }
    // 41, 42, 5A, 5F, 61, 61 20 62, 61 61, C3 A9, EF BD 9E, F0 9F 98 80.
    #expect(
      board.map(\.member) == ["A", "B", "Z", "_", "a", "a b", "aa", "\u{e9}", "\u{ff5e}", "😀"])
    #expect(board.map(\.position) == Array(1...10))
    #expect(board.allSatisfy { $0.rank == 1 })
  }
}

import TestSupport
import Testing

/// Compares the oracle with boards that were computed by hand, because a wrong oracle would accept
/// a wrong system.
struct OracleTests {
  /// Returns the boards of one group and type, one per line: `week: rank member value, ...` by
  /// position.
  private func boards(_ type: BoardRow.Kind, _ workouts: [String]) throws -> [String] {
    let lines = workouts.map { "g," + $0.split(separator: " ").joined(separator: ",") + "\n" }
    let file = "group,member,occurred_at\n" + lines.joined()
    let rows = Oracle.boards(of: try OracleReader.lines(of: Array(file.utf8)))
    let weeks = Dictionary(grouping: rows.filter { $0.type == type }, by: \.weekStart)
    return weeks.keys.sorted().map { week in
      let places = (weeks[week] ?? []).map { row in
        "\(row.rank) \(String(decoding: row.member.bytes, as: UTF8.self)) \(row.value)"
      }
      return "\(week): \(places.joined(separator: ", "))"
    }
  }

  @Test func `rule 2: a week ends before its last midnight and not a microsecond earlier`() throws {
    // 2024-06-10 is a Monday.
    let found = try boards(
      .checkIns, ["a 2024-06-09T23:59:59.999999Z", "a 2024-06-10T00:00:00Z"])
    #expect(found == ["2024-06-03: 1 a 1", "2024-06-10: 1 a 1"])
  }

  @Test func `rule 2: the week of a workout is the one in UTC`() throws {
    // Monday morning in Berlin and Sunday evening in Los Angeles: Sunday 22:30Z, Monday 03:00Z.
    let found = try boards(
      .checkIns, ["a 2024-06-10T00:30:00+02:00", "b 2024-06-09T20:00:00-07:00"])
    #expect(found == ["2024-06-03: 1 a 1", "2024-06-10: 1 b 1"])
  }

  @Test func `rule 18: equal lines are workouts of their own, and rule 39: one day`() throws {
    let workouts = Array(repeating: "a 2024-06-05T12:00:00Z", count: 3)
    #expect(try boards(.checkIns, workouts) == ["2024-06-03: 1 a 3"])
    #expect(try boards(.streak, workouts) == ["2024-06-03: 1 a 1"])
  }

  @Test func `rule 22: check-ins are reached with the last of the k workouts`() throws {
    // Both have 2; a began earlier, b had the second one a microsecond earlier.
    let found = try boards(
      .checkIns,
      [
        "a 2024-06-03T06:00:00Z", "a 2024-06-05T10:00:00Z",
        "b 2024-06-04T06:00:00Z", "b 2024-06-05T09:59:59.999999Z",
      ])
    #expect(found == ["2024-06-03: 1 b 2, 1 a 2"])
  }

  @Test func `rule 22: a streak is reached on the earliest date of the longest run`() throws {
    // a: Mon Tue, then Thu Fri: 2, on Tuesday 09:00. b: Mon Tue: 2, on Tuesday 08:00, not 23:00.
    // c: Wed Thu: 2, on Thursday 01:00.
    let found = try boards(
      .streak,
      [
        "a 2024-06-03T09:00:00Z", "a 2024-06-04T09:00:00Z",
        "a 2024-06-06T05:00:00Z", "a 2024-06-07T05:00:00Z",
        "b 2024-06-03T23:00:00Z", "b 2024-06-04T23:00:00Z", "b 2024-06-04T08:00:00Z",
        "c 2024-06-05T01:00:00Z", "c 2024-06-06T01:00:00Z",
      ])
    #expect(found == ["2024-06-03: 1 b 2, 1 a 2, 1 c 2"])
  }

  @Test func `rule 22: only a workout inside the week reaches a streak`() throws {
    // a: Monday 01:00 at +02:00 is Sunday 23:00Z, so this week's first is Monday 10:00Z.
    // b: Monday 09:59:59Z.
    let found = try boards(
      .streak,
      [
        "a 2024-06-10T01:00:00+02:00", "a 2024-06-10T12:00:00+02:00",
        "b 2024-06-10T11:59:59+02:00",
      ])
    #expect(found == ["2024-06-03: 1 a 1", "2024-06-10: 1 b 1, 1 a 1"])
  }

  @Test func `rule 40: a run is carried in from the weeks before`() throws {
    // Fri Sat Sun = 3; Mon Tue make it 5, and the gap before Friday begins a run of 1.
    let days = ["07", "08", "09", "10", "11", "14"]
    let found = try boards(.streak, days.map { "a 2024-06-\($0)T12:00:00Z" })
    #expect(found == ["2024-06-03: 1 a 3", "2024-06-10: 1 a 5"])
  }

  @Test func `rule 40: a local date counts in every week that holds a workout of it`() throws {
    // Sunday at -07:00 is in both weeks: run(Sunday) = 1 in the first and, with Monday, 2 in the
    // second.
    let found = try boards(
      .streak,
      [
        "a 2024-06-09T09:00:00-07:00", "a 2024-06-09T20:00:00-07:00",
        "a 2024-06-10T09:00:00-07:00",
      ])
    #expect(found == ["2024-06-03: 1 a 1", "2024-06-10: 1 a 2"])
  }

  @Test func `rule 40: an earlier local date after the week's end fills no gap in it`() throws {
    // Saturday 05:00Z; Monday at +14:00 is Sunday 12:00Z, 31 h later: run(Monday) = 1.
    // Sunday at -10:00 is Monday 01:00Z: the week after, where run(Sunday) = 2, and Monday's run
    // of 3 has no workout.
    let found = try boards(
      .streak,
      [
        "a 2024-06-08T05:00:00+00:00", "a 2024-06-10T02:00:00+14:00",
        "a 2024-06-09T15:00:00-10:00",
      ])
    #expect(found == ["2024-06-03: 1 a 1", "2024-06-10: 1 a 2"])
  }

  @Test func `rule 41: the peak stays when the run breaks`() throws {
    // Mon Tue Wed, then Friday: run(Wed) = 3, run(Fri) = 1.
    let days = ["03", "04", "05", "07"]
    let found = try boards(.streak, days.map { "a 2024-06-\($0)T12:00:00Z" })
    #expect(found == ["2024-06-03: 1 a 3"])
  }

  @Test(
    arguments: [
      // 20:00 at +02:00 is 18:00Z; 24:00Z the day after is 30 h later.
      ("2024-06-04T20:00:00+02:00", "2024-06-06T00:59:59.999999+01:00", 2),
      ("2024-06-04T20:00:00+02:00", "2024-06-06T01:00:00+01:00", 1),
      // 25 h, but no clock was changed.
      ("2024-06-04T23:00:00+02:00", "2024-06-06T00:00:00+02:00", 1),
      ("2024-06-04T23:00:00Z", "2024-06-06T00:00:00+00:00", 1),
      // 22 h 1 min and two missing dates.
      ("2024-06-04T23:59:00-12:00", "2024-06-07T10:00:00+14:00", 1),
      // The later date an hour before the earlier one, and both at one instant.
      ("2024-06-04T23:30:00-12:00", "2024-06-06T00:30:00+14:00", 2),
      ("2024-06-04T23:30:00-12:00", "2024-06-06T01:30:00+14:00", 2),
      // No date is missing, so that 73 h and unequal offsets do not matter.
      ("2024-06-04T00:00:00+14:00", "2024-06-05T23:00:00-12:00", 2),
    ])
  func `rule 45: one missing date is bridged`(
    first: String, second: String, value: Int
  ) throws {
    #expect(try boards(.streak, ["a \(first)", "a \(second)"]) == ["2024-06-03: 1 a \(value)"])
  }

  @Test func `rule 45: the last of one date and the first of the other decide`() throws {
    // a: last and first are both at +02:00; its 20:00+03:00 is 29.5 h before, but not the last.
    // b: the first at 00:20 has +01:00, the one at +02:00 comes later: bridged.
    let found = try boards(
      .streak,
      [
        "a 2024-06-04T20:00:00+03:00", "a 2024-06-04T23:00:00+02:00", "a 2024-06-06T00:30:00+02:00",
        "b 2024-06-04T23:00:00+02:00", "b 2024-06-06T00:20:00+01:00", "b 2024-06-06T08:00:00+02:00",
      ])
    #expect(found == ["2024-06-03: 1 b 2, 2 a 1"])
  }

  @Test func `rule 45: of two workouts at one instant the smaller offset is the earlier`() throws {
    // a: the last of Tuesday (20:00Z twice) is the one at +02:00, as is Thursday's: no bridge.
    // b: Thursday's first (23:30Z twice) is the one at +01:00, as is Tuesday's: no bridge.
    // c: Thursday's first is the one at +01:00, Tuesday's is at +02:00: a bridge.
    // a reached 1 on Tuesday at 20:00Z, b at 22:00Z.
    let found = try boards(
      .streak,
      [
        "a 2024-06-04T22:00:00+02:00", "a 2024-06-04T21:00:00+01:00", "a 2024-06-06T00:30:00+02:00",
        "b 2024-06-04T23:00:00+01:00", "b 2024-06-06T01:30:00+02:00", "b 2024-06-06T00:30:00+01:00",
        "c 2024-06-04T23:00:00+02:00", "c 2024-06-06T01:30:00+02:00", "c 2024-06-06T00:30:00+01:00",
      ])
    #expect(found == ["2024-06-03: 1 c 2, 2 a 1, 2 b 1"])
  }

  @Test func `rule 48: ties go down to who joined first, then to the bytes of the name`() throws {
    // All have 1 at one instant. z joined the week before; then B 42, Z 5A, a 61, é C3 A9.
    let instant = "2024-06-05T10:00:00Z"
    let found = try boards(
      .checkIns,
      ["é", "a", "Z", "z", "B"].map { "\($0) \(instant)" } + ["z 2024-05-27T10:00:00Z"])
    #expect(found == ["2024-05-27: 1 z 1", "2024-06-03: 1 z 1, 1 B 1, 1 Z 1, 1 a 1, 1 é 1"])
  }

  @Test func `rule 48: two spellings of one letter are two people`() throws {
    let instant = "2024-06-05T10:00:00Z"
    let found = try boards(.checkIns, ["\u{e9} \(instant)", "e\u{301} \(instant)"])
    // e is 65, é is C3 A9.
    #expect(found.map { Array($0.utf8) } == [Array("2024-06-03: 1 e\u{301} 1, 1 \u{e9} 1".utf8)])
  }

  @Test func `rule 49: equal values share a rank and the next one is skipped`() throws {
    // Values 3, 2, 2, 1; d had its second before c.
    let found = try boards(
      .checkIns,
      [
        "a 2024-06-03T10:00:00Z", "b 2024-06-03T10:00:00Z", "b 2024-06-04T10:00:00Z",
        "b 2024-06-05T10:00:00Z", "c 2024-06-03T10:00:00Z", "c 2024-06-04T10:00:01Z",
        "d 2024-06-03T10:00:00Z", "d 2024-06-04T10:00:00Z",
      ])
    #expect(found == ["2024-06-03: 1 b 3, 2 d 2, 2 c 2, 4 a 1"])
  }
}

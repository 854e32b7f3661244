import TestSupport
import Testing

/// Tests the oracle's parser and its reports of differences.
struct OracleReaderTests {
  private func lines(_ records: String...) throws -> [CheckInLine] {
    let file = "group,member,occurred_at\n" + records.joined()
    return try OracleReader.lines(of: Array(file.utf8))
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0),
      ("1969-12-31T23:59:59.999999Z", -1, 0),
      // 2024-01-01T00:00:00Z is 1,704,067,200 s; 59 days later is the leap day.
      ("2024-01-01T00:00:00+00:00", 1_704_067_200_000_000, 0),
      ("2024-02-29T05:45:00.25+05:45", 1_709_164_800_250_000, 20_700),
      ("2024-02-28T12:00:00.000001-12:00", 1_709_164_800_000_001, -43_200),
      ("2024-02-29T14:00:00+14:00", 1_709_164_800_000_000, 50_400),
      // 366 days after 2024-01-01.
      ("2025-01-01T00:00:00Z", 1_735_689_600_000_000, 0),
    ])
  func `a time is an instant and an offset`(text: String, instant: Int64, offset: Int) throws {
    let line = try #require(try lines("g,m,\(text)\n").first)
    #expect(line.instant == instant)
    #expect(line.utcOffset == offset)
  }

  @Test func `quotes are taken off and nothing else`() throws {
    let found = try lines(
      "\" a\",\"say \"\"hi\"\", you\",2024-01-01T00:00:00Z\r\n", " a,m ,\"2024-01-01T00:00:00Z\"")
    #expect(found.map { Name($0.group) } == [" a", " a"])
    #expect(found.map { Name($0.member) } == ["say \"hi\", you", "m "])
    #expect(found.map(\.line) == [2, 3])
  }

  @Test(
    arguments: [
      "g,m\n", "g,m,2024-01-01T00:00:00Z,x\n", "\n", ",m,2024-01-01T00:00:00Z\n",
      "g,m\"n,2024-01-01T00:00:00Z\n", "g,\"m\"n,2024-01-01T00:00:00Z\n",
      "g,\"m,2024-01-01T00:00:00Z\n", "g,m,2024-01-01 00:00:00Z\n", "g,m,2024-01-01T00:00:00\n",
      "g,m,2023-02-29T00:00:00Z\n", "g,m,2024-01-01T24:00:00Z\n", "g,m,2024-01-01T00:00:60Z\n",
      "g,m,2024-01-01T00:00:00.Z\n", "g,m,2024-01-01T00:00:00.1234567Z\n",
      "g,m,2024-01-01T00:00:00+14:01\n", "g,m,2024-01-01T00:00:00-12:01\n",
    ])
  func `a line that is not exactly right stops the reader`(record: String) throws {
    let failure = #expect(throws: OracleReader.Failure.self) {
      try lines("g,m,2024-01-01T00:00:00Z\n", record)
    }
    #expect(failure?.line == 3)
  }

  @Test func `the header must be there`() {
    #expect(throws: OracleReader.Failure.self) {
      try OracleReader.lines(of: Array("g,m,2024-01-01T00:00:00Z\n".utf8))
    }
  }

  @Test func `a line of JSON is a row, with names by bytes`() throws {
    let line = """
      {"group":"caf\u{e9} \\"x\\"","week_start":"2024-01-01","type":"check-ins",\
      "member":"e\u{301}","value":3,"rank":1,"position":2}
      """
    let row = BoardRow(
      group: "caf\u{e9} \"x\"", weekStart: "2024-01-01", type: .checkIns, member: "e\u{301}",
      value: 3, rank: 1, position: 2)
    #expect(try BoardRow(jsonLine: line) == row)
    #expect(try BoardRow(jsonLine: line).member != "\u{e9}")
  }

  @Test(
    arguments: [
      "", "[]", #"{"group":"g"}"#,
      #"{"group":"g","week_start":"w","type":"x","member":"m","value":1,"rank":1,"position":1}"#,
      #"{"group":"g","week_start":"w","type":"streak","member":"m","value":1,"rank":1}"#,
      #"""
      {"group":"g","week_start":"w","type":"streak","member":"m","value":1,"rank":1,"position":1,"x":1}
      """#,
    ])
  func `anything else is no row`(line: String) {
    #expect(throws: BoardRow.JSONFailure.self) { try BoardRow(jsonLine: line) }
  }

  private func row(_ member: Name, value: Int) -> BoardRow {
    BoardRow(
      group: "g", weekStart: "2024-01-01", type: .streak, member: member, value: value, rank: 1,
      position: 1)
  }

  @Test func `equal rows in any order do not differ`() {
    let rows = [row("a", value: 1), row("b", value: 2)]
    #expect(Oracle.difference(expected: rows, actual: rows.reversed()) == [])
  }

  @Test func `a difference names the board, the member and both standings`() {
    let found = Oracle.difference(
      expected: [row("a", value: 1), row("\u{e9}", value: 1), row("c", value: 1)],
      actual: [
        row("a", value: 2), row("e\u{301}", value: 1), row("c", value: 1), row("c", value: 1),
      ])
    let one = "value 1 rank 1 position 1"
    #expect(
      found == [
        #""g" 2024-01-01 streak "a": expected \#(one), found value 2 rank 1 position 1"#,
        #""g" 2024-01-01 streak "c": expected \#(one), found \#(one) and \#(one)"#,
        #""g" 2024-01-01 streak "e\u{301}": expected no row, found \#(one)"#,
        #""g" 2024-01-01 streak "\u{e9}": expected \#(one), found no row"#,
      ])
  }

  @Test func `only so many differences are spelt out`() {
    let rows = (1...5).map { row(Name("m\($0)"), value: 1) }
    let found = Oracle.difference(expected: rows, actual: [], limit: 2)
    #expect(found.count == 3)
    #expect(found.last == "and 3 more that differ")
  }
}

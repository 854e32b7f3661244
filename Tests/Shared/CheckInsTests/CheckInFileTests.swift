import CheckIns
import Foundation
import TestSupport
import Testing

struct CheckInFileTests {
  @Test(arguments: goodTimes)
  func `a time is read to the microsecond`(time: String, instant: Int64, utcOffset: Int32) throws {
    let file = try read("g,m,\(time)\n")
    #expect(file.checkIns == [checkIn("g", "m", instant, utcOffset)])
  }

  @Test(arguments: badTimes)
  func `a time in another form is refused with the reason`(time: String, reason: String) throws {
    #expect(try malformed("g,m,\(time)\n") == [MalformedLine(line: 2, reason: reason)])
  }

  @Test(.sampled()) func `every day follows the one before`() throws {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var lines = ""
    for year in 1896...2104 {
      let isLeap = year % 4 == 0 && year != 1900 && year != 2100
      for (month, length) in lengths.enumerated() {
        for day in 1...(month == 1 && isLeap ? 29 : length) {
          lines += "g,m,\(year)-\(twoDigits(month + 1))-\(twoDigits(day))T12:00:00Z\n"
        }
      }
    }
    let instants = try read(lines).checkIns.map(\.instant)
    #expect(instants.first == -2_335_176_000_000_000)
    #expect(zip(instants, instants.dropFirst()).allSatisfy { $1 - $0 == 86_400_000_000 })
  }

  @Test(arguments: goodNames)
  func `a name is kept byte by byte`(line: String, group: String, member: String) throws {
    #expect(try read(line + epoch).checkIns == [checkIn(group, member, 0, 0)])
  }

  @Test func `a quoted time is read like any other`() throws {
    #expect(try read(#"g,m,"1970-01-01T00:00:00Z""#).checkIns == [checkIn("g", "m", 0, 0)])
  }

  @Test(arguments: badLines)
  func `a malformed line is told with the reason`(line: [UInt8], reason: String) throws {
    let bytes = Array(header.utf8) + line + Array("\n".utf8)
    let file = try read(bytes: bytes, keepGoing: true)
    #expect(file.malformed == [MalformedLine(line: 2, reason: reason)])
    #expect(file.checkIns == [])
  }

  @Test func `good lines around malformed ones keep their numbers`() throws {
    let file = try read(
      "a,m,\(epoch)\n\"open,m,\(epoch)\nb,m,\(epoch)\r\n\"two\nlines\",m,\(epoch)\nc,m,\(epoch)",
      keepGoing: true)
    #expect(file.checkIns.map(\.group.string) == ["a", "b", "c"])
    #expect(file.checkIns.map(\.line) == [2, 4, 7])
    #expect(file.malformed.map(\.line) == [3, 5, 6])
  }

  @Test func `without keepGoing the first malformed line is the error`() throws {
    let path = try temporaryFile(Array("\(header)a,m,\(epoch)\nb\nc\n".utf8))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let error = #expect(throws: CheckInFileError.self) { try CheckInFile.read(path: path) }
    #expect(error?.what == "A line is malformed: 1 field instead of 3.")
    #expect(error?.place == "\(path), line 3")
    #expect(error?.next.contains("--keep-going") == true)
  }

  @Test(arguments: ["\n", "\r\n"], ["", "\u{feff}"])
  func `line ends and byte order mark make no difference`(end: String, mark: String) throws {
    let text = mark + header.replacing("\n", with: end) + "g,m,\(epoch)\(end)h,m,\(epoch)"
    let expected = try read("g,m,\(epoch)\nh,m,\(epoch)\n").checkIns
    #expect(try read(bytes: Array(text.utf8)).checkIns == expected)
    #expect(try read(bytes: Array((text + end).utf8)).checkIns == expected)
    #expect(expected.count == 2)
  }

  @Test func `a file with the header alone has no check-ins`() throws {
    #expect(try read("").checkIns == [])
  }

  @Test(arguments: [
    ("", "The file is empty."),
    ("g,m,\(epoch)\n", "The first line is not the header of a check-in file."),
    ("member,group,occurred_at\n", "The first line is not the header of a check-in file."),
    ("group,member,occurred_at,note\n", "The first line is not the header of a check-in file."),
    ("Group,member,occurred_at\n", "The first line is not the header of a check-in file."),
    ("\ngroup,member,occurred_at\n", "The first line is not the header of a check-in file."),
  ])
  func `a file without the header is refused, also when going on`(text: String, what: String) {
    let error = #expect(throws: CheckInFileError.self) {
      try read(bytes: Array(text.utf8), keepGoing: true)
    }
    #expect(error?.what == what)
  }

  @Test func `gzip is read like the plain file`() throws {
    let compressed = try CheckInFile.read(path: committedYear)
    let plain = try read(bytes: compressed.content)
    #expect(compressed.checkIns == plain.checkIns)
    #expect(compressed.content == plain.content)
    #expect(plain.checkIns.count == 8_721)
    let year = Int64(1_704_067_200_000_000)..<1_735_689_600_000_000
    #expect(plain.checkIns.allSatisfy { year.contains($0.instant) })
  }

  @Test(arguments: [2, 9, 30_000, 54_000])
  func `a gzip file that ends too early is refused`(length: Int) throws {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: committedYear)).prefix(length))
    let error = #expect(throws: CheckInFileError.self) { try read(bytes: bytes, keepGoing: true) }
    #expect(error?.what == "The compressed file ends too early.")
  }

  @Test func `a gzip file with a changed byte is refused`() throws {
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: committedYear)))
    // The damage is in the checksum at the end, so everything before it can be decompressed.
    bytes[bytes.count - 6] ^= 1
    let error = #expect(throws: CheckInFileError.self) { try read(bytes: bytes, keepGoing: true) }
    #expect(error?.what == "The compressed file is damaged.")
  }

  @Test(arguments: ["/nowhere/checkins.csv", "/"])
  func `a path without a file is named`(path: String) {
    let error = #expect(throws: CheckInFileError.self) { try CheckInFile.read(path: path) }
    #expect(error?.place == path)
    #expect(error?.isMissingFile == true)
  }
}

private let header = "group,member,occurred_at\n"
private let epoch = "1970-01-01T00:00:00Z"
private let notATime = "occurred_at is not a time like 2024-02-29T23:59:59+01:00 (or .123456, or Z)"
private let noSuchTime = "occurred_at names a day or an hour that does not exist"
private let offsetRange = "occurred_at has an offset outside -12:00 to +14:00"
private let committedYear = Checkout.root.appending(path: "Tests/Data/checkins-2024.csv.gz").path()

private func checkIn(
  _ group: String, _ member: String, _ instant: Int64, _ utcOffset: Int32
) -> CheckIn {
  CheckIn(
    group: ByteString(group), member: ByteString(member), instant: instant, utcOffset: utcOffset,
    line: 2)
}

private func read(_ lines: String, keepGoing: Bool = false) throws -> CheckInFile {
  try read(bytes: Array((header + lines).utf8), keepGoing: keepGoing)
}

private func malformed(_ lines: String) throws -> [MalformedLine] {
  try read(lines, keepGoing: true).malformed
}

private func read(bytes: [UInt8], keepGoing: Bool = false) throws -> CheckInFile {
  let path = try temporaryFile(bytes)
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try CheckInFile.read(path: path, keepGoing: keepGoing)
}

private func temporaryFile(_ bytes: [UInt8]) throws -> String {
  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("gymrats-\(UUID().uuidString).csv").path
  try Data(bytes).write(to: URL(fileURLWithPath: path))
  return path
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

private let goodTimes: [(String, Int64, Int32)] = [
  ("1970-01-01T00:00:00Z", 0, 0),
  ("1970-01-01T00:00:00+00:00", 0, 0),
  ("1970-01-01T00:00:00-00:00", 0, 0),
  ("1970-01-01T01:00:00+01:00", 0, 3_600),
  ("1969-12-31T23:59:59.5Z", -500_000, 0),
  ("1970-01-01T00:00:00.000001Z", 1, 0),
  ("1970-01-01T00:00:00.12Z", 120_000, 0),
  ("2024-02-29T23:59:59+01:00", 1_709_247_599_000_000, 3_600),
  ("2000-02-29T00:00:00Z", 951_782_400_000_000, 0),
  ("0001-01-01T00:00:00Z", -62_135_596_800_000_000, 0),
  ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999, 0),
  ("1970-01-01T14:00:00+14:00", 0, 50_400),
  ("1969-12-31T12:00:00-12:00", 0, -43_200),
  ("1970-01-01T05:45:30+05:45:30", 0, 20_730),
]

private let badTimes: [(String, String)] = [
  ("2024-01-01T00:00:00", notATime),
  ("2024-01-01 00:00:00Z", notATime),
  ("2024-01-01t00:00:00Z", notATime),
  ("2024-01-01T00:00:00z", notATime),
  ("2024-01-01T00:00Z", notATime),
  ("2024-01-01", notATime),
  ("", notATime),
  ("20240101T000000Z", notATime),
  ("2024-1-01T00:00:00Z", notATime),
  ("+2024-01-01T00:00:00Z", notATime),
  (" 2024-01-01T00:00:00Z", notATime),
  ("2024-01-01T00:00:00Z ", notATime),
  ("2024-01-01T00:00:00.Z", notATime),
  ("2024-01-01T00:00:00.1234567Z", notATime),
  ("2024-01-01T00:00:00.123456", notATime),
  ("2024-01-01T00:00:00;5Z", notATime),
  ("2024-01-01T00:00:00+01", notATime),
  ("2024-01-01T00:00:00+0100", notATime),
  ("2024-01-01T00:00:00+1:00", notATime),
  ("2024-01-01T00:00:00+01:00:0", notATime),
  ("2024-01-01T00:00:00 01:00", notATime),
  ("2024-01-01T00:00:00\u{2212}01:00", notATime),
  ("٢٠٢٤-01-01T00:00:00Z", notATime),
  ("0000-01-01T00:00:00Z", noSuchTime),
  ("2024-00-01T00:00:00Z", noSuchTime),
  ("2024-13-01T00:00:00Z", noSuchTime),
  ("2024-01-00T00:00:00Z", noSuchTime),
  ("2024-01-32T00:00:00Z", noSuchTime),
  ("2024-04-31T00:00:00Z", noSuchTime),
  ("2023-02-29T00:00:00Z", noSuchTime),
  ("1900-02-29T00:00:00Z", noSuchTime),
  ("2024-01-01T24:00:00Z", noSuchTime),
  ("2024-01-01T00:60:00Z", noSuchTime),
  ("2016-12-31T23:59:60Z", noSuchTime),
  ("2024-01-01T00:00:00+01:60", noSuchTime),
  ("2024-01-01T00:00:00+01:00:60", noSuchTime),
  ("2024-01-01T00:00:00+14:00:01", offsetRange),
  ("2024-01-01T00:00:00+14:01", offsetRange),
  ("2024-01-01T00:00:00-12:01", offsetRange),
  ("2024-01-01T00:00:00+99:00", offsetRange),
]

private let goodNames: [(String, String, String)] = [
  (#"g,m,"#, "g", "m"),
  (#""g","m","#, "g", "m"),
  (#""g, h","say ""hi""","#, "g, h", #"say "hi""#),
  ("\"\"\"\",m,", "\"", "m"),
  (" g , m ,", " g ", " m "),
  ("体操,Зал №1,", "体操", "Зал №1"),
  ("e\u{301},\u{e9},", "e\u{301}", "\u{e9}"),
  ("\(String(repeating: "é", count: 45)),🏋️,", String(repeating: "é", count: 45), "🏋️"),
  ("\u{a0},\u{a0},", "\u{a0}", "\u{a0}"),
]

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

private let badLines: [([UInt8], String)] = [
  ([], "the line is empty"),
  (bytes("g"), "1 field instead of 3"),
  (bytes("g,m"), "2 fields instead of 3"),
  (bytes("g,m,\(epoch),"), "4 fields instead of 3"),
  (bytes(#""g",m"#), "2 fields instead of 3"),
  (bytes(",m,\(epoch)"), "group is empty"),
  (bytes(#"g,"",\#(epoch)"#), "member is empty"),
  (
    bytes("\(String(repeating: "x", count: 91)),m,\(epoch)"),
    "group has 91 bytes; 90 is the most"
  ),
  (
    bytes("\(String(repeating: "é", count: 46)),m,\(epoch)"),
    "group has 92 bytes; 90 is the most"
  ),
  (bytes("g\u{0},m,\(epoch)"), "group holds a control character"),
  (bytes("g,m\t,\(epoch)"), "member holds a control character"),
  (bytes("g\u{7f},m,\(epoch)"), "group holds a control character"),
  (bytes("g\u{85},m,\(epoch)"), "group holds a control character"),
  (bytes("g\r,m,\(epoch)"), "group holds a control character"),
  ([0x67, 0xff] + bytes(",m,\(epoch)"), "group is not UTF-8"),
  // An overlong slash, half of a surrogate pair, a letter cut off.
  ([0xc0, 0xaf] + bytes(",m,\(epoch)"), "group is not UTF-8"),
  ([0xed, 0xa0, 0x80] + bytes(",m,\(epoch)"), "group is not UTF-8"),
  (bytes("g,") + [0xc3] + bytes(",\(epoch)"), "member is not UTF-8"),
  (bytes("g,") + [0xc2] + bytes(",\(epoch)"), "member is not UTF-8"),
  (bytes(#"g,m"n,\#(epoch)"#), "a quote in a field without quotes around it"),
  (
    bytes(#""g"h,m,\#(epoch)"#),
    "text after a field's closing quote (a quote inside is doubled)"
  ),
  (
    bytes(#"g,"m,\#(epoch)"#),
    "a quoted field does not end on its line (names hold no line breaks)"
  ),
]

import Foundation
import Presence
import PresenceApp
import TestDice
import Testing

/// Tests the encoding of entities, and that texts that differ from an entity are refused.
@Suite struct PresenceEntityTests {
  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try WireFormat.data(of: value), as: UTF8.self)
  }

  private func comesBack<Value: Codable & Equatable>(_ value: Value) throws {
    #expect(try WireFormat.read(Value.self, from: try WireFormat.data(of: value)) == value)
  }

  /// Expects an error if one part of the entity's text is replaced.
  private func refuses<Value: Codable>(
    _ value: Value, _ pieces: KeyValuePairs<String, String>,
    at place: SourceLocation = #_sourceLocation
  ) throws {
    let text = try json(value)
    for (old, new) in pieces {
      #expect(text.contains(old), "\(text)", sourceLocation: place)
      #expect(throws: DecodingError.self, "\(old) \(new)", sourceLocation: place) {
        try WireFormat.read(Value.self, from: Data(text.replacing(old, with: new).utf8))
      }
    }
  }

  private static let square = [(1.0, 1.0), (1, 2), (2, 2), (2, 1)].map {
    Coordinate.known($0.0, $0.1)
  }

  @Test func `every entity comes back from the wire as it was`() throws {
    try comesBack(Sample.user)
    try comesBack(Sample.group)
    try comesBack(GroupShape.polygon(Self.square))
    try comesBack(Sample.member)
    try comesBack(Sample.invite)
    try comesBack(Sample.presence(1, deadline: 60))
    try comesBack(Sample.command(1, .checkIn, stay: 3_600))
    try comesBack(PresenceAnswer(outcome: .outside, presence: nil))
    try comesBack(
      PresenceAnswer(outcome: .accepted, isReplayed: true, presence: Sample.presence(1)))
    try comesBack(Sample.summary)
    try comesBack(Sample.snapshot)
    try comesBack(Sample.message)
    try comesBack(Sample.stats)
    try comesBack(Sample.earned)
    for progress in AchievementProgress.all(of: Sample.stats) { try comesBack(progress) }
    try comesBack(WatchPayload(fitting: [Sample.watch]))
    try comesBack(LocalDate(day: 20_000))
  }

  @Test func `the words of the wire are these`() {
    #expect(GroupRole.allCases.map(\.rawValue) == ["admin", "member"])
    #expect(PresenceSource.allCases.map(\.rawValue) == ["manual", "automatic"])
    #expect(PresenceAction.allCases.map(\.rawValue) == ["checkIn", "checkOut"])
    #expect(PresenceDevice.allCases.map(\.rawValue) == ["phone", "watch"])
    #expect(
      PresenceOutcome.allCases.map(\.rawValue) == [
        "accepted", "throttled", "overridden", "outside", "implausible", "unchanged",
      ])
    #expect(AuthProvider.allCases.map(\.rawValue) == ["anonymous", "apple", "google", "email"])
    #expect(
      ConnectionType.allCases.map(\.rawValue) == ["wifi", "cellular", "wired", "other", "none"])
  }

  @Test func `fields are named as they are agreed`() throws {
    #expect(
      try json(Sample.presence(4, deadline: 60)) == """
        {"changedAt":"2026-01-14T12:00:00.250000Z","deadline":"2026-01-14T12:01:00.250000Z",\
        "groupId":"g1","isPresent":true,"since":"2026-01-14T12:00:00.250000Z","source":"manual",\
        "userId":"u1","version":4}
        """)
    #expect(
      try json(Sample.group.shape) == """
        {"center":{"latitude":52.52,"longitude":13.405},"radius":100,"type":"circle"}
        """)
    #expect(
      try json(Sample.summary) == """
        {"changedAt":"2026-01-14T12:00:00.250000Z","firstToday":"u2","groupId":"g1",\
        "latest":["u1","u2"],"presentCount":7,"version":9}
        """)
    #expect(try json(Sample.invite).contains(#""code":"ABCDEFGHJKMNPQRS""#))
    #expect(
      try json(WatchPayload(fitting: [Sample.watch])) == #"{"groups":[["g1","Chess",3,true,4]]}"#)
  }

  @Test func `what is not a user, a group or a member is an error`() throws {
    try refuses(
      Sample.user,
      [
        #""id":"u1""#: #""id":"""#, #""version":3"#: #""version":-1"#,
        "Europe/Berlin": "Europe Berlin",
        "true": "1", "2026-01-14T12:00:00.250000Z": "2026-01-14T12:00:00Z", "\"id\"": "\"ID\"",
      ])
    try refuses(
      Sample.group,
      [
        "52.52": "91", "13.405": "-180.1", "13.40": "1e999", "\"radius\":100": "\"radius\":0",
        "100": "50000.1", "circle": "square", "\"memberCount\":2": "\"memberCount\":-1",
        "\"maxMembers\":50": "\"maxMembers\":0", "Europe/Berlin": "",
      ])
    try refuses(Sample.member, ["admin": "owner", "\"u1\"": "null"])
    try refuses(
      Sample.invite,
      [
        "ABCDEFGHJKMNPQRS": "ABCD-EFGH-JKMN-PQRS", "ABCDEFG": "abcdefg", "PQRS": "PQR",
        "QRS": "QRST",
      ])
  }

  @Test func `what is not a polygon is an error`() throws {
    let corner = #"{"latitude":1,"longitude":1},"#
    try refuses(
      GroupShape.polygon(Self.square),
      // A hundred and one corners; two corners; no corners; no polygon.
      [
        corner: String(repeating: corner, count: 98),
        #"[{"latitude":1,"longitude":1},{"latitude":1,"longitude":2},"#: "[",
        "corners": "points", "polygon": "circle",
      ])
  }

  /// The server could have rounded a corner of a stored polygon.
  @Test func `a group whose polygon touches itself is still read`() throws {
    let touching = GroupShape.polygon(Self.square + [.known(1, 1)])
    #expect(throws: AppError.self) { try touching.check() }
    try comesBack(touching)
  }

  @Test func `what is not a presence, a command or an answer is an error`() throws {
    try refuses(
      Sample.presence(4, deadline: 60),
      ["true": "false", "manual": "guessed", "\"version\":4": "\"version\":-4", "g1": ""])
    try refuses(
      Sample.command(1, .checkIn, stay: 60),
      [
        "\"stay\":60": "\"stay\":0", "checkIn": "checkOut", "phone": "laptop",
        "00000000-0000-4000": "00000000-0000", "60": "60.5",
      ])
    try refuses(Sample.command(1, .checkIn, stay: 604_800), ["604800": "604801"])
    #expect(throws: AppError.self) { try Sample.command(1, .checkIn, stay: 604_801) }
    try refuses(
      PresenceAnswer(outcome: .outside, presence: nil),
      ["outside": "accepted", "outside\"": "in\""])
    let claim = try ClaimedPosition(
      coordinate: Sample.berlin, accuracy: 5, at: Sample.instant)
    try refuses(claim, ["\"accuracy\":5": "\"accuracy\":-1"])
  }

  @Test func `what is not a summary or a snapshot is an error`() throws {
    try refuses(
      Sample.summary,
      [
        "\"presentCount\":7": "\"presentCount\":-7", "\"presentCount\":7,": "\"presentCount\":1,",
        #"["u1","u2"]"#: #"["u1","u1"]"#, #""u1","u2"]"#: #""1","2","3","4","5","6"]"#,
      ])
    let text = try json(Sample.presence(4))
    try refuses(
      Sample.snapshot,
      [
        "[\(text)]": "[\(text),\(text)]",
        "[\(text)]": "[\(text.replacing("true", with: "false"))]",
        "[\(text)]": "[\(text.replacing("g1", with: "g2"))]",
        "\"own\":\(text)": "\"own\":\(text.replacing("g1", with: "g2"))",
      ])
    func snapshot(of count: Int) -> PresenceSnapshot {
      PresenceSnapshot(
        summary: GroupPresenceSummary(
          groupId: "g1", presentCount: count, changedAt: Sample.instant, version: 1),
        presences: (0..<count).map {
          Presence(
            groupId: "g1", userId: "u\($0)", isPresent: true, source: .manual,
            since: Sample.instant, version: 1, changedAt: Sample.instant)
        }, own: nil, takenAt: Sample.instant)
    }
    try comesBack(snapshot(of: 1_000))
    try refuses(snapshot(of: 1_001), [:])
    #expect(throws: DecodingError.self) { try comesBack(snapshot(of: 1_001)) }
  }

  @Test func `what is not a message or a number of a user is an error`() throws {
    try refuses(
      Sample.message, ["Hello": "", "false": "true", "Hell": String(repeating: "é", count: 1_000)])
    try comesBack(
      Message(
        id: Sample.id(1), groupId: "g1", userId: nil, text: "", sentAt: Sample.instant,
        isDeleted: true))
    try refuses(
      Sample.stats,
      ["\"checkIns\":12": "\"checkIns\":-1", "\"currentStreak\":2": "\"currentStreak\":8"])
    try refuses(Sample.earned, ["regular": "irregular", "25": "-25"])
    try refuses(
      AchievementProgress(type: .regular, stats: UserStats(checkIns: 5)),
      ["0.5": "0.6", "\"goal\":10": "\"goal\":0", "\"value\":5": "\"value\":-5"])
    try refuses(
      WatchPayload(fitting: [Sample.watch]),
      ["4]": "4,5]", "true": "1", "[\"g1": "[[\"g1", ",4": "", "3": "-3"])
  }

  @Test func `damaged entities are entities or errors`() throws {
    var dice = Dice()
    var read = 0
    func tries<Value: Codable & Equatable>(_ value: Value, _ dice: inout Dice) throws {
      let whole = Array(try WireFormat.data(of: value))
      for _ in 0..<400 {
        let bytes = Data(dice.damaged(whole))
        guard let other = try? WireFormat.read(Value.self, from: bytes) else { continue }
        read += 1
        try comesBack(other)
      }
    }
    try tries(Sample.user, &dice)
    try tries(Sample.group, &dice)
    try tries(GroupShape.polygon(Self.square), &dice)
    try tries(try Sample.command(1, .checkIn, stay: 60), &dice)
    try tries(Sample.snapshot, &dice)
    try tries(Sample.message, &dice)
    try tries(try WatchPayload(fitting: [Sample.watch]), &dice)
    // Some damage is none: another digit, another letter of a name.
    #expect(read > 50 && read < 1_400, "\(read) \(dice)")
  }

  @Test func `too much is not read at all`() {
    #expect(throws: WireFormat.TooLarge.self) {
      try WireFormat.read(User.self, from: Data(count: WireFormat.mostBytes + 1))
    }
    #expect(throws: WireFormat.TooLarge.self) {
      try WatchPayload(data: Data(count: WatchPayload.mostBytes + 1))
    }
  }
}

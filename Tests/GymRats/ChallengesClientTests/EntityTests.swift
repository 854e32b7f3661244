import Challenges
import ChallengesApp
import Foundation
import Testing

/// Tests the encoding of entities: the names and spellings of the seeds, and no other fields.
@Suite struct EntityTests {
  static let instant = Date(timeIntervalSince1970: 1_768_392_000.25)
  static let week = Week(containing: instant)
  static let user = SocialUser(
    id: "u1", displayName: "Ana", email: "ana@example.org",
    photoURL: URL(string: "https://example.org/a.png"), authProvider: .apple, currentGroupId: "g1",
    createdAt: instant)
  static let group = Group(
    id: "g1", name: "Gym", createdAt: instant, createdBy: "u1", memberCount: 2, isActive: true)
  static let member = GroupMember(
    id: "u1", displayName: "Ana", joinedAt: instant, role: .admin, isActive: true)
  static let challenge = Challenge(
    id: "c1", groupId: "g1", type: .checkIns, week: week, isActive: true, createdAt: instant)
  static let entry = LeaderboardEntry(
    id: "u1", displayName: "Ana", value: 3, rank: 1, lastUpdated: instant)
  static let snapshot = LeaderboardSnapshot(
    challenge: challenge, entries: [entry], viewer: "u1", rankVersion: 7, takenAt: instant)
  static let notification = GroupNotification(
    id: "n1", userId: "u1", groupId: "g1", type: .rankChange, message: "You are now #1",
    isRead: false, createdAt: instant)
  static let workout = WorkoutHistoryEntry(id: "w1", performedAt: instant, utcOffsetSeconds: 3_600)

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try WireFormat.data(of: value), as: UTF8.self)
  }

  private func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try WireFormat.read(type, from: Data(text.utf8))
  }

  private func comesBack<Value: Codable & Equatable>(_ value: Value) throws {
    #expect(try WireFormat.read(Value.self, from: try WireFormat.data(of: value)) == value)
    #expect(try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value)
  }

  @Test func `every entity comes back from the wire as it was`() throws {
    try comesBack(Self.user)
    try comesBack(Self.group)
    try comesBack(Self.member)
    try comesBack(Self.challenge)
    try comesBack(Self.entry)
    try comesBack(Self.snapshot)
    try comesBack(Self.notification)
    try comesBack(Self.workout)
    try comesBack(InvitePreview(groupName: "Gym", memberCount: 10, isFull: true))
    try comesBack(LocalTime(Self.instant, utcOffset: -3_600))
    for outcome: WorkoutOutcome in [.accepted, .notCounted(reason: "beforeJoining"), .expired] {
      try comesBack(WorkoutAnswer(outcome: outcome, week: Self.week, isReplayed: false))
    }
  }

  @Test func `the words of the wire are the seeds'`() {
    #expect(ChallengeType.allCases.map(\.rawValue) == ["check-ins", "streak"])
    #expect(AuthProvider.allCases.map(\.rawValue) == ["apple", "google", "email"])
    #expect(GroupRole.allCases.map(\.rawValue) == ["admin", "member"])
    #expect(
      NotificationType.allCases.map(\.rawValue) == ["new_member", "rank_change", "week_ended"])
    #expect(PrivacySettings().shareWorkoutData)
  }

  @Test func `the fields of a challenge are the seeds', its end a Sunday's last second`() throws {
    #expect(
      try json(Self.challenge) == """
        {"createdAt":"2026-01-14T12:00:00.250000Z","groupId":"g1","id":"c1","isActive":true,\
        "type":"check-ins","weekEndDate":"2026-01-18T23:59:59.000000Z",\
        "weekStartDate":"2026-01-12T00:00:00.000000Z"}
        """)
  }

  @Test(arguments: [
    ("check-ins", "checkIns"), ("01-12T00:00:00", "01-13T00:00:00"),
    ("T23:59:59", "T23:59:58"), ("\"id\":", "\"ID\":"), ("true", "1"),
    ("2026-01-14T12:00:00.250000Z", "yesterday"),
  ])
  func `what is not a challenge is an error, never a default`(old: String, new: String) throws {
    let text = try json(Self.challenge)
    #expect(text.contains(old))
    #expect(throws: DecodingError.self) {
      try read(Challenge.self, text.replacing(old, with: new))
    }
  }

  @Test func `unknown words are errors for every type that has some`() throws {
    let cases: [(String, String, any Decodable.Type)] = [
      (try json(Self.user), "apple", SocialUser.self),
      (try json(Self.member), "admin", GroupMember.self),
      (try json(Self.notification), "rank_change", GroupNotification.self),
      (try json(Self.snapshot), "check-ins", LeaderboardSnapshot.self),
      (
        try json(WorkoutAnswer(outcome: .accepted, week: nil, isReplayed: false)), "accepted",
        WorkoutAnswer.self
      ),
      (try json(DomainError.groupFull), "groupFull", DomainError.self),
    ]
    for (text, word, type) in cases {
      #expect(throws: Never.self) { try read(type, text) }
      #expect(text.contains(word))
      #expect(throws: DecodingError.self) {
        try read(type, text.replacing(word, with: "something"))
      }
    }
  }

  @Test func `an outcome has a reason where it needs one, and only there`() {
    #expect(WorkoutOutcome(name: "rejected", reason: nil) == nil)
    #expect(WorkoutOutcome(name: "accepted", reason: "why") == nil)
    #expect(WorkoutOutcome(name: "rejected", reason: "tooOld") == .rejected(reason: "tooOld"))
  }

  @Test func `ranks begin with 1, and a snapshot holds a thousand entries`() throws {
    let text = try json(Self.entry)
    for (old, new) in [("\"rank\":1", "\"rank\":0"), ("\"value\":3", "\"value\":-1")] {
      #expect(throws: DecodingError.self) {
        try read(LeaderboardEntry.self, text.replacing(old, with: new))
      }
    }
    func snapshot(of count: Int) -> LeaderboardSnapshot {
      LeaderboardSnapshot(
        challenge: Self.challenge, entries: Array(repeating: Self.entry, count: count),
        viewer: nil, rankVersion: 1, takenAt: Self.instant)
    }
    try comesBack(snapshot(of: 1_000))
    #expect(throws: DecodingError.self) {
      try read(LeaderboardSnapshot.self, try json(snapshot(of: 1_001)))
    }
  }

  @Test func `a notification without an end is shown for a week, and no longer`() throws {
    let text = try json(Self.notification)
    let end = #""expiresAt":"2026-01-21T12:00:00.250000Z","#
    #expect(text.contains(end))
    let read = try read(GroupNotification.self, text.replacing(end, with: ""))
    #expect(read == Self.notification)
    #expect(read.isVisible(at: read.expiresAt.addingTimeInterval(-0.001)))
    #expect(!read.isVisible(at: read.expiresAt))
  }

  @Test func `entries of one rank stay in the server's order`() {
    let ranks = [2, 1, 2, 1, 3]
    let entries = ranks.enumerated().map { index, rank in
      LeaderboardEntry(
        id: "u\(index)", displayName: "", value: 1, rank: rank, lastUpdated: Self.instant)
    }
    let snapshot = LeaderboardSnapshot(
      challenge: Self.challenge, entries: entries, viewer: "u3", rankVersion: 1,
      takenAt: Self.instant)
    #expect(snapshot.sortedEntries.map(\.id) == ["u1", "u3", "u0", "u2", "u4"])
    #expect(snapshot.currentUserEntry?.id == "u3")
  }

  @Test func `of two snapshots the higher version is right, and the later week before it`() {
    func snapshot(_ version: Int64, _ seconds: TimeInterval, weeks: Int64 = 0)
      -> LeaderboardSnapshot
    {
      let week = Week(containing: Self.week.start + weeks * Week.length)
      return LeaderboardSnapshot(
        challenge: Challenge(
          id: "c\(weeks)", groupId: "g1", type: .streak, week: week, isActive: true,
          createdAt: Self.instant), entries: [], viewer: nil, rankVersion: version,
        takenAt: Self.instant.addingTimeInterval(seconds))
    }
    #expect(snapshot(1, 0).replaces(nil))
    #expect(snapshot(2, 0).replaces(snapshot(1, 5)))
    #expect(!snapshot(1, 5).replaces(snapshot(2, 0)))
    #expect(snapshot(2, 5).replaces(snapshot(2, 0)))
    #expect(!snapshot(2, 0).replaces(snapshot(2, 0)))
    #expect(snapshot(0, 0, weeks: 1).replaces(snapshot(9, 5)))
    #expect(!snapshot(9, 5).replaces(snapshot(0, 0, weeks: 1)))
    #expect(snapshot(1, 0).age(at: Self.instant.addingTimeInterval(90)) == .seconds(90))
    #expect(snapshot(1, 0).age(at: Self.instant.addingTimeInterval(-90)) == .zero)
    #expect(snapshot(1, 0).age(at: .distantFuture) > .seconds(86_400))
  }

  @Test func `a week's last instant is Sunday's, and no comparison needs its end date`() {
    let challenge = Self.challenge
    let end = challenge.week.endDate
    #expect(challenge.contains(challenge.weekStartDate))
    #expect(!challenge.contains(challenge.weekStartDate.addingTimeInterval(-0.001)))
    #expect(challenge.contains(end.addingTimeInterval(-0.001)))
    #expect(!challenge.contains(end))
    #expect(challenge.weekEndDate == end.addingTimeInterval(-1))
    #expect(Week(containing: Date.distantPast) < Week(containing: Date.distantFuture))
    #expect(Week(containing: Date(timeIntervalSince1970: -.infinity)).start < 0)
    #expect(challenge.timeLeft(at: end.addingTimeInterval(-60)) == .seconds(60))
    #expect(challenge.timeLeft(at: end.addingTimeInterval(60)) == .zero)
  }

  @Test func `a week is shown as the clocks of a zone have it`() throws {
    let kiritimati = try #require(TimeZone(identifier: "Pacific/Kiritimati"))
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let denver = try #require(TimeZone(identifier: "America/Denver"))
    let far = Self.challenge.localWeek(in: kiritimati)
    #expect("\(far.start) \(far.start.weekday)" == "2026-01-12 14:00+14:00 1")
    #expect("\(far.end) \(far.end.weekday)" == "2026-01-19 13:59+14:00 1")
    #expect("\(Self.challenge.localWeek(in: berlin).start)" == "2026-01-12 01:00+01:00")
    let west = Self.challenge.localWeek(in: denver)
    #expect("\(west.start) \(west.start.weekday)" == "2026-01-11 17:00-07:00 7")
    // A week with a clock change begins and ends at different local times.
    let spring = Challenge(
      id: "c", groupId: "g", type: .streak, week: Week(containing: 1_774_569_600), isActive: true,
      createdAt: Self.instant
    ).localWeek(in: berlin)
    #expect("\(spring.start)" == "2026-03-23 01:00+01:00")
    #expect("\(spring.end)" == "2026-03-30 01:59+02:00")
  }

  @Test func `the id of a challenge is the one that the database derives`() throws {
    let week = try #require(Week(monday: "2026-01-12"))
    let id = ChallengeID(groupId: "gym", week: week, type: .checkIns)
    #expect("\(id)" == "6c2cccd4-f0b7-8737-8e38-3701b0d2ad8b")
  }
}

import Foundation
import Presence
import Testing

/// Tests the properties of entities that views use.
@Suite struct PresenceModelTests {
  @Test(arguments: [
    ("Ana", "A"), ("ana maria roth", "AR"), ("  Éric  ", "É"), ("7 Zwerge", "Z"), ("", ""),
    ("🙂 🙃", ""), ("Ana (Berlin)", "AB"),
  ])
  func `a name has initials`(name: String, initials: String) {
    #expect(User(id: "u", displayName: name, createdAt: Sample.instant).initials == initials)
  }

  @Test func `of two states the higher version is right`() {
    #expect(Sample.presence(1).replaces(nil))
    #expect(Sample.presence(2, changed: -60).replaces(Sample.presence(1)))
    #expect(!Sample.presence(1, changed: 60).replaces(Sample.presence(1)))
    #expect(Sample.user.replaces(nil) && !Sample.user.replaces(Sample.user))
    #expect(Sample.summary.replaces(nil) && !Sample.summary.replaces(Sample.summary))
    let later = PresenceSnapshot(
      summary: Sample.summary, presences: [], own: nil, takenAt: Sample.at(1))
    #expect(later.replaces(Sample.snapshot) && !Sample.snapshot.replaces(later))
  }

  @Test func `a presence has a duration, and an end`() {
    let stay = Sample.presence(1, deadline: 60)
    #expect(stay.duration(at: Sample.at(30)) == .seconds(30))
    #expect(stay.duration(at: Sample.at(-30)) == .zero)
    #expect(stay.timeLeft(at: Sample.at(45)) == .seconds(15))
    #expect(stay.timeLeft(at: Sample.at(61)) == .zero)
    #expect(stay.isPresent(at: Sample.at(59)) && !stay.isPresent(at: Sample.at(60)))
    #expect(Sample.presence(1).timeLeft(at: Sample.at(0)) == nil)
    #expect(Sample.presence(1).duration(at: .distantFuture) > .seconds(86_400))
  }

  @Test func `what was said by hand stands until check-out or the deadline`() {
    #expect(Sample.presence(1, deadline: 60).overridesAutomatic(at: Sample.at(59)))
    #expect(!Sample.presence(1, deadline: 60).overridesAutomatic(at: Sample.at(60)))
    #expect(!Sample.presence(1, isPresent: false).overridesAutomatic(at: Sample.at(0)))
    #expect(!Sample.presence(1, source: .automatic).overridesAutomatic(at: Sample.at(0)))
  }

  @Test func `a group has dates of its own`() throws {
    var group = Sample.group
    group.timeZone = "Pacific/Kiritimati"
    #expect(group.localDate(at: Sample.instant)?.description == "2026-01-15")
    group.timeZone = "America/Denver"
    #expect(group.localDate(at: Sample.instant)?.description == "2026-01-14")
    group.timeZone = "Nowhere/Else"
    #expect(group.localDate(at: Sample.instant) == nil)
    #expect(!group.isFull)
    group.memberCount = 50
    #expect(group.isFull && group.contains(Sample.berlin))
  }

  @Test func `a summary counts those whom it does not name`() {
    #expect(Sample.summary.othersCount == 5 && !Sample.summary.isEmpty)
    #expect(Sample.snapshot.isPresent("u1") && !Sample.snapshot.isPresent("u2"))
    #expect(Sample.invite.isExpired(at: Sample.instant))
    #expect(!Sample.invite.isExpired(at: Sample.at(-0.001)))
  }

  @Test func `parts of a history become one, newest first, deletions included`() {
    func message(_ number: UInt8, _ seconds: TimeInterval, isDeleted: Bool = false) -> Message {
      Message(
        id: Sample.id(number), groupId: "g1", userId: "u1", text: isDeleted ? "" : "\(number)",
        sentAt: Sample.at(seconds), isDeleted: isDeleted)
    }
    let newer = [message(3, 2), message(2, 1), message(1, 1)]
    let older = [message(2, 1, isDeleted: true), message(0, 0)]
    for merged in [Message.merged(newer, older), Message.merged(older, newer)] {
      #expect(merged.map(\.text) == ["3", "", "1", "0"])
    }
  }

  @Test func `a watch is told as many groups as fit, whole ones`() throws {
    let groups = (0..<40).map {
      WatchGroup(id: "g\($0)", name: "Chess", presentCount: $0, isPresent: false, version: 1)
    }
    #expect(try WatchPayload(fitting: groups).groups == Array(groups.prefix(20)))
    let long = groups.map {
      WatchGroup(
        id: $0.id, name: String(repeating: "棋", count: 100), presentCount: 1, isPresent: false,
        version: 1)
    }
    let payload = try WatchPayload(fitting: long)
    #expect(payload.groups == Array(long.prefix(payload.groups.count)))
    #expect(try payload.data.count <= WatchPayload.mostBytes)
    let more = try WireFormat.data(of: ["groups": Array(long.prefix(payload.groups.count + 1))])
    #expect(more.count > WatchPayload.mostBytes)
  }

  @Test func `a watch shows the higher version, whichever came first`() throws {
    func payload(_ isPresent: Bool, _ version: Int64, count: Int) throws -> WatchPayload {
      try WatchPayload(fitting: [
        WatchGroup(
          id: "g1", name: "Chess", presentCount: count, isPresent: isPresent, version: version)
      ])
    }
    let (older, newer) = (try payload(true, 4, count: 9), try payload(false, 5, count: 8))
    #expect(newer.following(older) == newer)
    #expect(try older.following(newer) == payload(false, 5, count: 9))
    #expect(older.following(nil) == older)
  }

  @Test func `secrets are not printed`() {
    let credential = Credential.anonymous(secret: "s3cret")
    var dumped = ""
    dump(credential, to: &dumped)
    #expect(!"\(credential) \(String(reflecting: credential)) \(dumped)".contains("s3cret"))
    #expect(Credential.newSecret().utf8.count == 64)
    #expect(Credential.newSecret() != Credential.newSecret())
  }
}

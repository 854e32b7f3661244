import BatonPostgres
import Challenges
import ChallengesServer
import TestSupport
import Testing

/// Rules 15 and 27: a higher revision is an edit, and the boards are updated.
@Suite(.serialized)
struct RecordWorkoutEditTests {
  private let noon = "2024-06-05 12:00"

  @Test func `an edit moves a workout to another day, and the streak follows`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      for day in ["03", "04", "05"] { try await gym.record(day, at: "2024-06-\(day) 10:00") }
      #expect(try await gym.entries().last == "2024-06-03 streak 3 at 05 10:00")
      let moved = try await gym.record("04", at: "2024-06-05 08:00", revision: 1)
      #expect(moved == "accepted 2024-06-03")
      // Monday, and Wednesday twice.
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 3 at 05 10:00", "2024-06-03 streak 1 at 03 10:00",
        ])
    }
  }

  @Test func `an edit moves a workout to another week, and both boards follow`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("sunday", at: "2024-06-02 10:00")
      try await gym.record("monday", at: "2024-06-03 10:00")
      #expect(
        try await gym.entries() == [
          "2024-05-27 check-ins 1 at 02 10:00", "2024-05-27 streak 1 at 02 10:00",
          "2024-06-03 check-ins 1 at 03 10:00", "2024-06-03 streak 2 at 03 10:00",
        ])
      #expect(
        try await gym.record("sunday", at: "2024-06-05 10:00", revision: 3)
          == "accepted 2024-06-03")
      #expect(
        try await gym.entries() == [
          "2024-05-27 check-ins 0 at 02 10:00", "2024-05-27 streak 0 at 02 10:00",
          "2024-06-03 check-ins 2 at 05 10:00", "2024-06-03 streak 1 at 03 10:00",
        ])
      // The workout returns, as if it had never been moved.
      #expect(
        try await gym.record("sunday", at: "2024-06-02 10:00", revision: 4)
          == "accepted 2024-05-27")
      #expect(
        try await gym.entries() == [
          "2024-05-27 check-ins 1 at 02 10:00", "2024-05-27 streak 1 at 02 10:00",
          "2024-06-03 check-ins 1 at 03 10:00", "2024-06-03 streak 2 at 03 10:00",
        ])
    }
  }

  @Test func `an edit of the offset moves the local date`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("a", at: "2024-06-04 10:00", offset: 0)
      try await gym.record("b", at: "2024-06-04 23:30", offset: 0)
      #expect(try await gym.entries().last == "2024-06-03 streak 1 at 04 10:00")
      try await gym.record("b", at: "2024-06-04 23:30", offset: 3600, revision: 1)
      #expect(try await gym.entries().last == "2024-06-03 streak 2 at 04 23:30")
    }
  }

  @Test func `an edit repeated is replayed, and an older one is a duplicate`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-04 10:00")
      try await gym.record("w", at: "2024-06-05 10:00", revision: 2)
      #expect(
        try await gym.record("w", at: "2024-06-05 10:00", revision: 2)
          == "accepted 2024-06-03 again")
      #expect(
        try await gym.record("w", at: "2024-06-04 10:00", revision: 2)
          == "rejected idempotencyConflict 2024-06-03")
      // The payload does not matter, because the revision is lower than the recorded revision.
      for (time, revision) in [("2024-06-04", 0), ("2024-06-05", 0), ("2024-06-03", 1)] {
        #expect(
          try await gym.record("w", at: "\(time) 10:00", revision: Int32(revision))
            == "duplicate 2024-06-03")
      }
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 05 10:00")
    }
  }

  @Test func `an edit out of the accepted time is rejected and changes nothing`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-04 10:00")
      let before = try await gym.lines("select w::text from workout w")
      #expect(
        try await gym.record("w", at: "2024-05-20", revision: 1) == "rejected tooOld 2024-06-03")
      #expect(
        try await gym.record("w", at: "2024-06-07", revision: 1)
          == "rejected futureTimestamp 2024-06-03")
      #expect(try await gym.lines("select w::text from workout w") == before)
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 04 10:00")
    }
  }

  @Test func `an edit to before the member joined takes the workout away`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann", at: "2024-06-04")
      try await gym.record("a", at: "2024-06-04 10:00")
      try await gym.record("b", at: "2024-06-05 10:00")
      #expect(
        try await gym.record("a", at: "2024-06-03 10:00", revision: 1)
          == "notCounted beforeJoining 2024-06-03")
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 1 at 05 10:00", "2024-06-03 streak 1 at 05 10:00",
        ])
    }
  }

  @Test func `what a closed board shows does not move to an open one`() async throws {
    try await Gym.open(at: "2024-06-11 12:00") { gym in
      try await gym.join("ann", at: "2024-06-01")
      try await gym.record("w", at: "2024-06-09 10:00")
      try await gym.run("update challenge set state = 'closed' where week_start = '2024-06-03'")
      #expect(
        try await gym.record("w", at: "2024-06-10 10:00", revision: 1)
          == "rejected weekClosed 2024-06-03")
      #expect(try await gym.entries().count == 2)
    }
  }

  @Test func `an edit from one group does not reach into another`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann", "g")
      try await gym.record("w", at: "2024-06-04 10:00")
      try await gym.run("insert into groups (id, name) values ('h', 'h')")
      try await gym.run("update member set left_at = domain_now()")
      try await gym.run("insert into member values ('h', 'ann', 'member', '2024-06-01')")
      #expect(
        try await gym.record("w", at: "2024-06-05 10:00", revision: 1)
          == "rejected otherGroup 2024-06-03")
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 04 10:00")
    }
  }

  @Test func `a rejected workout may be corrected by a higher revision`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      #expect(
        try await gym.record("w", at: "2024-06-06 12:00")
          == "rejected futureTimestamp 2024-06-03")
      #expect(
        try await gym.record("w", at: "2024-06-05 11:00", revision: 1) == "accepted 2024-06-03")
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 05 11:00")
    }
  }

  // MARK: Refused edits

  @Test func `the retry of a refused edit is refused as it was, however the clock moves`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-05 10:00")
      let refused = "rejected futureTimestamp 2024-06-03"
      #expect(try await gym.record("w", at: "2024-06-05 12:30", revision: 1) == refused)
      for clock in ["2024-06-05 12:30", "2024-06-30"] {
        try await gym.stand(at: clock)
        #expect(
          try await gym.record("w", at: "2024-06-05 12:30", revision: 1) == refused + " again")
      }
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 05 10:00")
    }
  }

  @Test func `a refused edit does not become the recorded revision`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-05 10:00")
      let refused = "rejected futureTimestamp 2024-06-03"
      #expect(try await gym.record("w", at: "2024-06-05 13:00", revision: 1) == refused)
      #expect(try await gym.record("w", at: "2024-06-05 10:00") == "accepted 2024-06-03 again")
      // The same revision with another payload is another edit. The recorded edit counts.
      #expect(
        try await gym.record("w", at: "2024-06-05 09:00", revision: 1) == "accepted 2024-06-03")
      #expect(
        try await gym.record("w", at: "2024-06-05 13:00", revision: 1) == refused + " again")
      #expect(
        try await gym.record("w", at: "2024-06-05 08:00", revision: 1)
          == "rejected idempotencyConflict 2024-06-03")
      #expect(
        try await gym.record("w", at: "2024-06-05 08:00", revision: 2) == "accepted 2024-06-03")
      #expect(
        try await gym.record("w", at: "2024-06-05 13:00", revision: 1) == "duplicate 2024-06-03")
    }
  }

  @Test func `each refused edit is remembered, with no time and no offset too`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann", "g")
      try await gym.record("w", at: "2024-06-05 10:00")
      try await gym.run("insert into groups (id, name) values ('h', 'h')")
      try await gym.run("update member set left_at = domain_now()")
      try await gym.run("insert into member values ('h', 'ann', 'member', '2024-06-01')")
      let edits: [(String?, Int32?)] = [
        (nil, nil), (nil, 3600), ("2024-06-05 11:00", nil), ("2024-06-05 11:00", 3600),
      ]
      for again in ["", " again"] {
        for (time, offset) in edits {
          #expect(
            try await gym.record("w", at: time, offset: offset, revision: 1)
              == "rejected otherGroup 2024-06-03" + again)
        }
        try await gym.run("update member set left_at = domain_now() where group_id = 'h'")
        try await gym.run("update member set left_at = null where group_id = 'g'")
      }
    }
  }

  @Test func `what stored nothing fixes nothing`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-05 10:00")
      #expect(try await gym.record("w", at: "2024-01-01", revision: 1) == "expired")
      let abroad = "2024-06-05 11:00"
      #expect(
        try await gym.record("w", at: abroad, offset: 60_000, revision: 1)
          == "rejected utcOffsetOutOfRange")
      try await gym.run("update users set shares_workouts = false")
      #expect(try await gym.record("w", at: abroad, revision: 1) == "ignoredPrivacy")
      try await gym.run("update users set shares_workouts = true")
      #expect(try await gym.record("w", at: abroad, revision: 1) == "accepted 2024-06-03")
    }
  }

  // MARK: Edits of what a closed board shows

  /// Creates Ann with a workout on Saturday, 8 June 2024.
  ///
  /// The week is closed.
  private func withClosedWeek(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      try await gym.join("ann", at: "2024-06-04")
      try await gym.record("w", at: "2024-06-08 11:00")
      try await gym.stand(at: "2024-06-10 00:10")
      #expect(try await gym.close().closed == 1)
      try await body(gym)
    }
  }

  @Test func `an edit inside a closed week lets the next one not move it to another`()
    async throws
  {
    try await withClosedWeek { gym in
      let inside = try await gym.record("w", at: "2024-06-08 10:00", revision: 1)
      #expect(inside == "acceptedLate 2024-06-03")
      #expect(
        try await gym.record("w", at: "2024-06-10 00:05", revision: 2)
          == "rejected weekClosed 2024-06-03")
      // The workout cannot leave all weeks either.
      #expect(
        try await gym.record("w", at: "2024-06-03 10:00", revision: 2)
          == "rejected weekClosed 2024-06-03")
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 1 at 08 11:00", "2024-06-03 streak 1 at 08 11:00",
        ])
    }
  }

  @Test func `a late workout, which no board shows, moves to an open week and back`() async throws {
    try await withClosedWeek { gym in
      let late = try await gym.record("l", at: "2024-06-09 10:00")
      #expect(late == "acceptedLate 2024-06-03")
      #expect(
        try await gym.record("l", at: "2024-06-09 11:00", revision: 1)
          == "acceptedLate 2024-06-03")
      #expect(
        try await gym.record("l", at: "2024-06-10 00:05", revision: 2) == "accepted 2024-06-10")
      #expect(try await gym.entries().suffix(2).first == "2024-06-10 check-ins 1 at 10 00:05")
      #expect(
        try await gym.record("l", at: "2024-06-09 12:00", revision: 3)
          == "acceptedLate 2024-06-03")
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 1 at 08 11:00", "2024-06-03 streak 1 at 08 11:00",
          "2024-06-10 check-ins 0 at 10 00:05", "2024-06-10 streak 0 at 10 00:05",
        ])
    }
  }

  @Test func `an edit makes no board of a week that it only passes by`() async throws {
    try await Gym.open(at: "2024-06-02 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-02 11:00")
      try await gym.stand(at: "2024-06-12 12:00")
      #expect(
        try await gym.record("w", at: "2024-06-12 11:00", revision: 1) == "accepted 2024-06-10")
      #expect(try await gym.states() == ["g 2024-05-27 open", "g 2024-06-10 open"])
      #expect(try await gym.entries().first == "2024-05-27 check-ins 0 at 02 11:00")
    }
  }
}

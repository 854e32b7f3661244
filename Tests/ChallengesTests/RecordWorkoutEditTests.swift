import Postgres
import TestSupport
import Testing

/// Rules 15 and 27: a higher revision is an edit, and the boards follow.
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
      // And back: as if it had never been away.
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

  @Test func `an edit repeated is replayed, and an older one is a conflict`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-04 10:00")
      try await gym.record("w", at: "2024-06-05 10:00", revision: 2)
      #expect(
        try await gym.record("w", at: "2024-06-05 10:00", revision: 2)
          == "accepted 2024-06-03 again")
      #expect(
        try await gym.record("w", at: "2024-06-04 10:00")
          == "rejected idempotencyConflict 2024-06-03")
      #expect(
        try await gym.record("w", at: "2024-06-03 10:00", revision: 1)
          == "rejected idempotencyConflict 2024-06-03")
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
      try await gym.run("insert into member values ('h', 'ann', 'member', '2024-06-01')")
      try await gym.run("update active_group set group_id = 'h'")
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
}

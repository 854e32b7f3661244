import JobTesting
import TestSupport
import Testing

/// Tests the presences after a merge of two users.
///
/// docs/whosthere/rules.md has the rules.
@Suite(.timeLimit(.minutes(5))) struct PresenceMergeTests {
  private let link = "link_account('dev', 'google', 'acc')"

  @Test(.sampled()) func `presences, visits, dates and commands go over, and one is left of two`()
    async throws
  {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.devices("dev")
      try await places.accounts("acc", "boss")
      // The commands of each user, second by second, and the remaining presence, which belongs only
      // to the account.
      let groups: [(id: String, said: [(Int, (Int, String) -> String)], left: String)] = [
        (
          "alone", [(0, { Places.checkIn("dev", $0, $1, stay: 900) })],
          "acc t 2 manual 12:00:00 until 12:15:00"
        ),
        (
          "there",
          [
            (0, { Places.checkIn("dev", $0, $1) }), (1, { Places.checkIn("acc", $0, $1) }),
            (2, { Places.checkOut("acc", $0, $1) }),
          ], "acc t 3 manual 12:00:00"
        ),
        (
          "hand",
          [
            (0, { Places.noticed("acc", $0, $1) }),
            (1, { Places.checkIn("dev", $0, $1, stay: 600) }),
            (40, { Places.noticed("acc", $0, $1) }),
          ], "acc t 2 manual 12:00:00 until 12:10:01"
        ),
        (
          "later",
          [
            (0, { Places.checkIn("acc", $0, $1) }), (1, { Places.checkIn("dev", $0, $1) }),
          ], "acc t 2 manual 12:00:00"
        ),
        (
          "over",
          [
            (0, { Places.checkIn("dev", $0, $1, stay: 60) }),
            (1, { Places.noticed("acc", $0, $1) }),
          ], "acc t 3 automatic 12:00:01"
        ),
      ]
      var id = 0
      for group in groups {
        try await places.stand(0)
        try await places.found(group.id, by: "boss", "dev", "acc")
        for (second, said) in group.said {
          id += 1
          try await places.stand(second)
          try await places.outcome(said(id, group.id))
        }
      }
      try await places.stand(100)
      let first = try await places.sql("select count(*) from first_arrival")
      #expect(try await places.call(link, "id") == "acc")
      for group in groups {
        #expect(try await places.presences(group.id) == [group.left], "\(group.id)")
      }
      #expect(
        try await places.visits("over")
          == ["acc t 2024-06-05 12:00:00 12:01:00", "acc f 2024-06-05 12:00:01"])
      #expect(
        try await places.visits("later") == ["acc t 2024-06-05 12:00:00"])
      #expect(
        try await places.sql("select count(*), min(user_id), max(user_id) from first_arrival")
          == ["\(first[0]),acc,acc"])
      // A command of the device belongs to the account.
      #expect(
        try await places.call(
          Places.checkIn("acc", 1, "alone", stay: 900), "outcome, is_replayed") == "accepted,t")
      #expect(try await places.test.drain() == 0)
      #expect(
        try await places.sql(
          "select distinct present_count, array_to_string(latest, '') from group_summary")
          == ["1,acc"])
      // The merged deadline has its run.
      try await places.stand(900)
      #expect(try await places.test.drain() == 0)
      #expect(try await places.presences("alone") == ["acc f 3 automatic 12:15:00"])
      #expect(try await places.presences("hand") == ["acc f 3 automatic 12:10:01"])
      #expect(try await places.broken() == [])
    }
  }

  @Test func `a merge and a check-in take turns`() async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("acc", "boss")
      try await places.found("g", by: "boss", "acc")
      try await places.devices("dev", "two")
      for user in ["dev", "two"] { try await places.call("join_public_group('\(user)', 'g')") }
      let comes = Places.short(Places.checkIn("dev", 1))
      #expect(try await places.race("(select id from \(link)) l", comes) == "notAuthenticated")
      let second = link.replacing("'dev'", with: "'two'")
      #expect(
        try await places.race(
          Places.short(Places.checkIn("two", 1)), "(select id from \(second)) l") == "acc")
      #expect(try await places.presences() == ["acc t 2 manual 12:00:00"])
      #expect(try await places.broken() == [])
    }
  }
}

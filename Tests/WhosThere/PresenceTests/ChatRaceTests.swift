import TestSupport
import Testing

/// Tests concurrent calls of chat in real transactions.
///
/// docs/whosthere/rules.md has the rules.
@Suite(.timeLimit(.minutes(5))) struct ChatRaceTests {
  private func sent(_ user: String, _ number: Int, to group: String = "g") -> String {
    "(select sent_at from \(ChatTests.send(user, number, to: group))) m"
  }

  @Test(.sampled()) func `one id at once is one message, also over the border of two weeks`()
    async throws
  {
    // It is Wednesday, and the week of a partition ends at midnight.
    try await Places.with(at: "2026-01-14 23:59:59.9") { places in
      try await places.accounts("ann", "ben")
      try await places.found("g", by: "ann", "ben")
      try await places.found("h", by: "ann")
      for (number, next) in [(1, "2026-01-14 23:59:59.95"), (2, "2026-01-15 00:00:00.1")] {
        try await places.withOpen("select * from \(sent("ann", number))") { open in
          try await places.stand(at: next)
          async let again = places.state(sent("ann", number))
          try await open.waitUntilItBlocks()
          try await open.end("commit")
          let first = try await places.sql(
            "select created_at from message where id = '\(ChatTests.id(number))'")
          #expect(first.count == 1)
          #expect(try await again == first.first)
        }
      }
      // Both calls took a token once.
      #expect(
        try await places.sql(
          "select full_at from message_bucket where user_id = 'ann' and group_id = 'g'")
          == ["2026-01-15 00:00:03.9+00"])
      // The messages come from two users, or go to two groups. Only one message is stored,
      // whichever transaction commits.
      for rollsBack in [false, true] {
        let number = rollsBack ? 4 : 3
        let answer = try await places.race(
          sent("ann", number), sent("ben", number), rollsBack: rollsBack)
        #expect(answer == (rollsBack ? "2026-01-15 00:00:00.1+00" : "conflictingRepeat"))
      }
      #expect(try await places.race(sent("ann", 5), sent("ann", 5, to: "h")) == "conflictingRepeat")
      #expect(
        try await places.sql("select id, count(*) from message group by 1 having count(*) > 1")
          == [])
    }
  }

  @Test(.sampled())
  func `of 20 sends at once five are taken, and one that is rolled back gives its token back`()
    async throws
  {
    try await Places.with(at: "2026-01-14 12:00") { places in
      try await places.accounts("ann", "ben")
      try await places.found("g", by: "ann", "ben")
      let answers = try await places.atOnce((1...20).map { sent("ann", $0) })
      #expect(answers.filter { $0 == "rateLimited" }.count == 15)
      #expect(answers.filter { $0 == "2026-01-14 12:00:00+00" }.count == 5)
      #expect(try await places.sql("select count(*) from message") == ["5"])
      // A send that is rolled back returns its token to the waiting send.
      for number in 21...24 { try await places.call(ChatTests.send("ben", number)) }
      #expect(
        try await places.race(sent("ben", 25), sent("ben", 26), rollsBack: true)
          == "2026-01-14 12:00:00+00")
    }
  }

  @Test(.sampled()) func `whoever leaves, is merged or deleted waits, or is waited for`()
    async throws
  {
    try await Places.with(at: "2026-01-14 12:00") { places in
      try await places.accounts("ann", "ben", "acc", "eve")
      try await places.devices("dev")
      try await places.found("g", by: "ann", "ben", "dev", "eve")
      #expect(try await places.race(sent("ben", 1), "leave_group('ben', 'g')") == "")
      #expect(try await places.sql("select count(*) from message") == ["1"])
      try await places.call("join_public_group('ben', 'g')")
      #expect(try await places.race("leave_group('ben', 'g')", sent("ben", 2)) == "notAMember")

      // Messages of the device from before the merge belong to the account. After the merge, the
      // device's user no longer exists.
      let link = "(select id from link_account('dev', 'google', 'acc')) u"
      #expect(try await places.race(sent("dev", 3), link, rollsBack: false) == "acc")
      #expect(
        try await places.sql("select user_id from message where id = '\(ChatTests.id(3))'")
          == ["acc"])
      try await places.devices("tab")
      try await places.call("join_public_group('tab', 'g')")
      #expect(
        try await places.race(link.replacing("dev", with: "tab"), sent("tab", 4))
          == "notAuthenticated")

      #expect(try await places.race(sent("acc", 5), "delete_account('acc')") == "")
      #expect(try await places.race("delete_account('eve')", sent("eve", 6)) == "notAuthenticated")
      #expect(
        try await places.sql("select id, user_id from message order by id")
          == ["\(ChatTests.id(1)),ben", "\(ChatTests.id(3)),", "\(ChatTests.id(5)),"])

      // An admin and the author delete the same message, and both calls succeed.
      let delete = "delete_message('$', 'g', '\(ChatTests.id(1))')"
      try await places.call("join_public_group('ben', 'g')")
      #expect(
        try await places.race(
          delete.replacing("$", with: "ann"), delete.replacing("$", with: "ben")) == "")
      #expect(try await places.broken() == [])
    }
  }
}

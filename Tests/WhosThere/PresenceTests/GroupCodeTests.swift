import Presence
import TestSupport
import Testing

/// Tests codes that members pass on.
@Suite(.timeLimit(.minutes(5))) struct GroupCodeTests {
  @Test func `a code is read as people type it, once a user, until it is over or replaced`()
    async throws
  {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann", "bob", "cid", "dan", "eve", "fay")
      try await places.found("g", by: "ann")
      let code = try await places.call(
        "current_invite('ann', 'g')", "code, expires_at = '2024-06-12 12:00Z'")
      #expect(code.hasSuffix(",t"))
      #expect(InviteCode(exactly: String(code.prefix(16))) != nil)
      let redeem = "redeem_invite('$', '%')", answer = "refusal, group_id, to_char(joined_at, 'DD')"
      func redeemed(_ user: String, _ code: String) async throws -> String {
        try await places.call(
          redeem.replacing("$", with: user).replacing("%", with: code), answer)
      }
      // The test inserts a code directly, because a random code may contain no 0 and no 1.
      try await places.sql("update invite set replaced_at = created_at")
      try await places.sql(
        """
        insert into invite (code, group_id, created_by, created_at, expires_at)
        values ('0A1B2C3ZJKMNPQRS', 'g', 'ann', '2024-06-05 12:00Z', '2024-06-06 12:00Z')
        """)
      for (user, typed) in [
        ("bob", "0a1b-2c3z-jkmn-pqrs"), ("cid", " OAIB 2C3Z JKMN PQRS "),
        ("dan", "o-a-l-b-2-c-3-z-j-k-m-n-p-q-r-s"), ("bob", "0A1B2C3ZJKMNPQRS"),
        // A member who redeems the code does not join again.
        ("ann", "0A1B2C3ZJKMNPQRS"),
      ] { #expect(try await redeemed(user, typed) == ",g,05", "\(typed)") }
      for typed in [
        "0A1B2C3Z", "0A1B2C3ZJKMNPQR", "0A1B2C3ZJKMNPQRSS", "0A1B2C3ZJKMNPQRU", "",
        "0A1B2C3ZJKMNPQRÜ", String(code.prefix(16)),
      ] {
        #expect(try await redeemed("eve", typed) == "inviteInvalid,,", "\(typed)")
      }
      #expect(try await places.call("redeem_invite('eve', null)", answer) == "inviteInvalid,,")
      try await places.call("leave_group('dan', 'g')")
      #expect(try await redeemed("dan", "0A1B2C3ZJKMNPQRS") == "inviteInvalid,,")
      try await places.stand(at: "2024-06-06 11:59:59.999999")
      #expect(try await redeemed("eve", "0A1B2C3ZJKMNPQRS") == ",g,06")
      try await places.stand(at: "2024-06-06 12:00")
      #expect(try await redeemed("fay", "0A1B2C3ZJKMNPQRS") == "inviteExpired,,")
      // An ended code is replaced at the next request.
      #expect(
        try await places.call("current_invite('bob', 'g')", "code <> '0A1B2C3ZJKMNPQRS'") == "t")
      #expect(try await redeemed("fay", "0A1B2C3ZJKMNPQRS") == "inviteInvalid,,")
      #expect(try await places.broken() == [])
    }
  }

  @Test func `an admin replaces the code that they saw, and no other`() async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann", "bob")
      try await places.found("g", by: "ann")
      func rotated(_ replaces: String, _ lifetime: String = "null") async throws -> String {
        try await places.call(
          "rotate_invite('ann', 'g', \(replaces), \(lifetime))",
          "code, to_char(expires_at, 'DD HH24:MI')")
      }
      let first = try await rotated("null", "'90 minutes'")
      #expect(first.hasSuffix(",05 13:30"))
      // The call is repeated, as a phone does after a lost response, or for a code that has already
      // been replaced.
      #expect(try await rotated("null") == first)
      #expect(try await rotated("'AAAAAAAAAAAAAAAA'") == first)
      let code = String(first.prefix(16)).lowercased()
      let second = try await rotated("'\(code.prefix(4))-\(code.dropFirst(4))'")
      #expect(second != first && second.hasSuffix(",12 12:00"))
      #expect(try await rotated("'\(code)'") == second)
      #expect(
        try await places.call("redeem_invite('bob', '\(code)')", "refusal") == "inviteInvalid")
      #expect(
        try await places.call("current_invite('ann', 'g')", "code") == second.prefix(16))
      #expect(
        try await places.sql("select count(*) from invite where replaced_at is null") == ["1"])
      // 80 random bits with all 32 characters.
      let drawn = try await places.sql("select new_code() from generate_series(1, 500)")
      #expect(Set(drawn).count == 500 && drawn.allSatisfy { InviteCode(exactly: $0) != nil })
      for place in 0..<16 {
        #expect(Set(drawn.map { Array($0)[place] }) == Set(InviteCode.alphabet), "\(place)")
      }
    }
  }

  @Test func `who tries too many codes has to wait, and a good one is not counted`() async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann", "bob", "cid")
      try await places.found("g", by: "ann")
      try await places.sql("update setting set invite_attempts = 3")
      let code = try await places.call("current_invite('ann', 'g')", "code")
      let good = "redeem_invite('bob', '\(code)')", bad = "redeem_invite('bob', '0000000000000000')"
      for _ in 0..<2 { #expect(try await places.call(bad, "refusal") == "inviteInvalid") }
      for _ in 0..<3 {
        #expect(try await places.call(good, "group_id") == "g")
        try await places.call("leave_group('bob', 'g')")
        try await places.sql("delete from redemption")
      }
      #expect(try await places.sql("select attempts from invite_attempt") == ["2"])
      #expect(try await places.call(bad, "refusal") == "inviteInvalid")
      for call in [bad, good] {
        #expect(try await places.call(call) == "tooManyAttempts", "\(call)")
      }
      // Other users are not affected, and an hour after the first attempt the limit has ended.
      #expect(try await places.call(good.replacing("bob", with: "cid"), "group_id") == "g")
      try await places.stand(at: "2024-06-05 12:59:59")
      #expect(try await places.call(good) == "tooManyAttempts")
      try await places.stand(at: "2024-06-05 13:00")
      #expect(try await places.call(good, "group_id") == "g")
    }
  }
}

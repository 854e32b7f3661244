import BatonPostgres
import ChallengesPostgres
import ChallengesServer
import TestSupport
import Testing

/// Rules 77, 78 and 84 to 86: how a user becomes a member, and which members are notified.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct InviteTests {
  private let noon = "2024-06-05 12:00"
  private let join = "join_group('bob', '\(Gym.token)')"

  private func withInvite(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found()
      try await gym.users("bob", "cid")
      try await body(gym)
    }
  }

  @Test func `a token is 128 random bits, and only its hash is kept`() async throws {
    try await withInvite { gym in
      let tokens = try await gym.lines(
        "select (create_invite('ann', 'g')).token from generate_series(1, 20)")
      #expect(Set(tokens).count == 20)
      #expect(tokens.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
      let rows = try await gym.lines("select to_jsonb(i)::text from invite i").joined()
      #expect(tokens.allSatisfy { !rows.contains($0) })
      #expect(try await gym.call("join_group('bob', upper('\(tokens[7])'))").hasPrefix("(,g,"))
    }
  }

  @Test func `the token of the caller makes the call safe to repeat, for that caller`()
    async throws
  {
    try await withInvite { gym in
      let first = try await gym.call("create_invite('ann', 'g', '\(Gym.token)')")
      #expect(try await gym.call("create_invite('ann', 'g', '\(Gym.token)')") == first)
      try await gym.call(join)
      #expect(
        try await gym.call("create_invite('bob', 'g', '\(Gym.token)')") == "conflictingRepeat")
      #expect(try await gym.lines("select group_id from invite") == ["g"])
    }
  }

  @Test func `before joining one sees name and size, and nothing else`() async throws {
    try await withInvite { gym in
      let look = "preview_invite('bob', '\(Gym.token)')"
      #expect(try await gym.call(look) == "(,\"Early birds\",1,f)")
      try await gym.run("update groups set max_members = 1")
      #expect(try await gym.call(look) == "(,\"Early birds\",1,t)")
      #expect(try await gym.call("preview_invite('bob', 'x')") == "(inviteInvalid,,,)")
      #expect(try await gym.call("preview_invite('bob', null)") == "(inviteInvalid,,,)")
    }
  }

  @Test func `joining the same group again is the same error with the same group`() async throws {
    try await withInvite { gym in
      #expect(try await gym.call(join) == "(,g,\"2024-06-05 12:00:00+00\")")
      #expect(try await gym.call(join) == "alreadyInGroup g")
      try await gym.call("create_group('cid', 'h', 'H')")
      #expect(try await gym.call("join_group('cid', '\(Gym.token)')") == "alreadyInGroup h")
      #expect(try await gym.members() == ["ann admin", "bob member"])
    }
  }

  @Test func `a group that is full takes nobody`() async throws {
    try await withInvite { gym in
      try await gym.run("update groups set max_members = 2")
      try await gym.call(join)
      #expect(try await gym.call("join_group('cid', '\(Gym.token)')") == "groupFull")
      try await gym.call("leave_group('bob', 'g')")
      #expect(try await gym.call("join_group('cid', '\(Gym.token)')").hasPrefix("(,g,"))
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `an invite ends when its time is over`() async throws {
    try await withInvite { gym in
      try await gym.stand(at: "2024-06-19 11:59:59.999999")
      #expect(try await gym.call("preview_invite('bob', '\(Gym.token)')").hasPrefix("(,"))
      try await gym.stand(at: "2024-06-19 12:00")
      #expect(try await gym.call(join) == "(inviteInvalid,,)")
      #expect(try await gym.lines("select id::text from list_invites('ann', 'g')") == [])
    }
  }

  @Test func `an invite goes when boards of its time would`() async throws {
    try await withInvite { gym in
      func purge() async throws -> Int {
        try await gym.connection.transaction(in: gym.schema) {
          try await PostgresExpiredData($0).purge(.invites, limit: 10, from: nil).deleted
        }
      }
      // This is 90 days after the 19th.
      try await gym.stand(at: "2024-09-17 12:00")
      #expect(try await purge() == 0)
      try await gym.stand(at: "2024-09-17 12:00:00.000001")
      #expect(try await purge() == 1)
      #expect(try await purge() == 0)
    }
  }

  @Test func `an invite is revoked by who made it or by an admin`() async throws {
    try await withInvite { gym in
      try await gym.call(join)
      try await gym.call("join_group('cid', '\(Gym.token)')")
      let own = "(select id from list_invites('cid', 'g') where created_by = 'bob')"
      try await gym.call("create_invite('bob', 'g')")
      #expect(try await gym.call("revoke_invite('cid', \(own))") == "notGroupAdmin")
      #expect(try await gym.call("revoke_invite('bob', \(own))") == "")
      let first = "(select id from invite where created_by = 'ann')"
      for _ in 0..<2 { #expect(try await gym.call("revoke_invite('ann', \(first))") == "") }
      #expect(try await gym.lines("select id::text from list_invites('ann', 'g')") == [])
      #expect(try await gym.call("revoke_invite('ann', gen_random_uuid())") == "inviteInvalid")
      #expect(try await gym.call("revoke_invite('ann', null)") == "inviteInvalid")
      try await gym.users("dan")
      #expect(try await gym.call("join_group('dan', '\(Gym.token)')") == "(inviteInvalid,,)")
    }
  }

  @Test func `a group's id invites only where that is switched on`() async throws {
    try await withInvite { gym in
      #expect(try await gym.call("join_group('bob', 'g')") == "(inviteInvalid,,)")
      try await gym.run("update setting set legacy_invites = true")
      #expect(try await gym.call("join_group('bob', 'g')").hasPrefix("(,g,"))
      #expect(try await gym.call("join_group('cid', 'none')") == "(inviteInvalid,,)")
    }
  }

  @Test func `who tries too many invites has to wait, and a good one is not counted`() async throws
  {
    try await withInvite { gym in
      try await gym.run("update setting set invite_attempts = 3")
      for _ in 0..<5 { try await gym.call("preview_invite('cid', '\(Gym.token)')") }
      for n in 0..<3 {
        #expect(try await gym.call("join_group('cid', '\(n)')") == "(inviteInvalid,,)")
      }
      #expect(try await gym.call("join_group('cid', '\(Gym.token)')") == "tooManyAttempts")
      #expect(try await gym.call("preview_invite('cid', '\(Gym.token)')") == "tooManyAttempts")
      #expect(try await gym.call(join).hasPrefix("(,g,"))
      try await gym.stand(at: "2024-06-05 13:00")
      #expect(try await gym.call("join_group('cid', '\(Gym.token)')").hasPrefix("(,g,"))
    }
  }

  @Test func `a new member is told to the others, and who is back within a day is not`()
    async throws
  {
    try await withInvite { gym in
      func told() async throws -> [String] {
        try await gym.lines(
          """
          select user_id || ': ' || (content ->> 'message') from visible_notification
          where type = 'new_member' order by id
          """)
      }
      try await gym.call(join)
      try await gym.call("join_group('cid', '\(Gym.token)')")
      let first = [
        "ann: Bob joined Early birds.", "ann: Cid joined Early birds.",
        "bob: Cid joined Early birds.",
      ]
      #expect(try await told().sorted() == first)
      try await gym.call("leave_group('bob', 'g')")
      try await gym.stand(at: "2024-06-06 11:59:59.999999")
      try await gym.call(join)
      #expect(try await told().count == 3)
      try await gym.call("leave_group('bob', 'g')")
      try await gym.stand(at: "2024-06-07 12:00")
      try await gym.call(join)
      #expect(
        try await told().suffix(2).sorted()
          == ["ann: Bob joined Early birds.", "cid: Bob joined Early birds."])
    }
  }
}

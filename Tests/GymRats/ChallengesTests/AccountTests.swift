import BatonPostgres
import Challenges
import ChallengesPostgres
import TestSupport
import Testing

/// Tests signing in, and the remaining data of a deleted account.
@Suite(.bothWaysAtFullSize)
struct AccountTests {
  private let noon = "2024-06-05 12:00"

  @Test func `a subject is one user, made by the first call, who keeps their own name`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      let first = try await gym.lines(
        """
        select concat_ws(' ', display_name, email, auth_provider, asks_for_name, shares_workouts)
        from upsert_user('google', 'g-1', ' Ann Lee ', 'ann@example.org', 'https://example.org/a.png')
        """)
      #expect(first == ["Ann Lee ann@example.org google f t"])
      let id = try await gym.lines("select id::text from upsert_user('google', 'g-1', 'Other')")
      #expect(try await gym.lines("select id::text from users") == id)
      #expect(
        try await gym.lines("select (get_user('\(id[0])')).display_name") == ["Ann Lee"])
      try await gym.run("select upsert_user('google', 'g-1', 'Other', 'new@example.org')")
      #expect(
        try await gym.lines("select concat_ws(' ', display_name, email) from get_user('\(id[0])')")
          == ["Ann Lee new@example.org"])
      // The same subject of another provider is a different person.
      try await gym.run("select upsert_user('apple', 'g-1', 'Bob')")
      #expect(try await gym.lines("select count(*)::text from users") == ["2"])
    }
  }

  @Test func `a user without a name gets one with a number, and is asked for another`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      for subject in ["1", "2"] {
        #expect(
          try await gym.lines(
            "select display_name || ' ' || asks_for_name from upsert_user('apple', '\(subject)', ' ')"
          )
            == ["User \(subject) true"])
      }
      let id = try await gym.lines("select user_id::text from identity where subject = '1'")[0]
      #expect(try await gym.call("update_profile('\(id)', 'User 1', null)") == "")
      #expect(try await gym.lines("select (get_user('\(id)')).asks_for_name::text") == ["false"])
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "'myspace', '1'", "null, '1'", "'apple', ''", "'apple', null", "'apple', e'a\\x01'",
      "'apple', repeat('x', 257)", "'apple', '1', repeat('x', 257)", "'apple', '1', e'a\\nb'",
      "'apple', '1', 'Ann', 'no address'", "'apple', '1', 'Ann', 'a@b', 'http://example.org'",
    ])
  func `what no provider says is refused`(parameters: String) async throws {
    try await Gym.open(at: noon) { gym in
      let answer = try await gym.call("upsert_user(\(parameters))")
      #expect(answer == "invalidInput")
      #expect(try await gym.lines("select count(*)::text from users") == ["0"])
    }
  }

  @Test func `first calls of one subject at once make one user`() async throws {
    try await Gym.open(at: noon) { gym in
      let ids = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<8 {
          group.addTask {
            try await gym.withConnection {
              try await gym.lines("select id::text from upsert_user('apple', 's')", on: $0)[0]
            }
          }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(ids.count == 1)
      #expect(try await gym.lines("select id::text from users") == Array(ids))
    }
  }

  @Test(arguments: ["get_user(null)", "get_user('nobody')", "delete_account('nobody')"])
  func `nobody has no account`(call: String) async throws {
    try await Gym.open(at: noon) { gym in
      let answer = try await gym.call(call)
      #expect(answer == "notAuthenticated")
    }
  }
}

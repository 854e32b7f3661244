import BatonPostgres
import TestSupport
import Testing

/// Tests invariants that hold for all writers, including manual statements of the owner.
///
/// docs/gymrats/groups.md has the table.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct GroupInvariantTests {
  private let noon = "2024-06-05 12:00"

  @Test(
    .sampled(),
    arguments: [
      ("insert into groups (id, name, member_count) values ('i', 'I', 1)", "23514"),
      ("update groups set member_count = 1", "23514"),
      ("update groups set member_count = member_count + 1", "23514"),
      ("update groups set max_members = 1", "23514"),
      ("update groups set max_members = 1001", "23514"),
      ("update groups set max_members = 0", "23514"),
      ("update groups set is_active = false", "23514"),
      ("insert into active_group values ('zoe', 'g')", "23503"),
      ("update active_group set group_id = 'h' where user_id = 'bob'", "23503"),
      ("update active_group set user_id = 'zoe' where user_id = 'bob'", "23503"),
      ("delete from active_group where user_id = 'bob'", "23514"),
      ("insert into member (group_id, user_id, joined_at) values ('h', 'bob', now())", "ZG002"),
      ("delete from member where user_id = 'bob'", "23503"),
      ("update member set group_id = 'h' where user_id = 'bob'", "23503"),
      ("update member set left_at = '1999-01-01' where user_id = 'bob'", "23514"),
      ("insert into membership values ('g', 'bob', now())", "23505"),
      ("update invite set token_hash = 'a'", "23514"),
    ])
  func `what breaks a promise is refused`(write: String, state: String) async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.users("zoe")
      try await gym.run("insert into groups (id, name) values ('h', 'H')")
      let error = await #expect(throws: PostgresError.self) { try await gym.run(write) }
      #expect(error?.sqlState.code == state)
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `a group of two does not take three, in one statement or in several`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.users("ann", "bob", "cid")
      try await gym.run("insert into groups (id, name, max_members) values ('g', 'G', 2)")
      let all = "insert into member (group_id, user_id, joined_at) select 'g', id, now() from users"
      var error = await #expect(throws: PostgresError.self) { try await gym.run(all) }
      #expect(error?.constraint == "group_full")
      try await gym.run("\(all) where id <> 'cid'")
      error = await #expect(throws: PostgresError.self) {
        try await gym.run("\(all) where id = 'cid'")
      }
      #expect(error?.constraint == "group_full")
      #expect(try await gym.lines("select member_count::text from groups") == ["2"])
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `an active group of who has left is refused`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.call("leave_group('bob', 'g')")
      let error = await #expect(throws: PostgresError.self) {
        try await gym.run("insert into active_group values ('bob', 'g')")
      }
      #expect(error?.sqlState.code == "23514")
    }
  }

  @Test func `nobody becomes a member of a group that has ended`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.call("delete_group('ann', 'g')")
      for write in [
        "update member set left_at = null where user_id = 'bob'",
        "insert into users (id, display_name) values ('z', 'Z'); "
          + "insert into member (group_id, user_id, joined_at) values ('g', 'z', now())",
      ] {
        let error = await #expect(throws: PostgresError.self) {
          try await gym.connection.script(
            Statement("test/by hand", "set search_path = \(gym.schema.name); \(write)"))
        }
        #expect(error?.constraint == "group_inactive")
      }
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `many join and leave by hand in one statement`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.run(
        "insert into users (id, display_name) select 'u' || n, 'U' from generate_series(1, 40) n")
      try await gym.run(
        "insert into groups (id, name, max_members) values ('g1', 'G', 20), ('g2', 'G', 20)"
      )
      try await gym.run(
        """
        insert into member (group_id, user_id, joined_at)
        select 'g' || n % 2 + 1, 'u' || n, '2024-06-01' from generate_series(1, 40) n
        """)
      for n in 1...4 { try await gym.record("w", by: "u\(n)") }
      #expect(try await gym.broken() == [])
      #expect(try await gym.lines("select member_count::text from groups") == ["20", "20"])
      try await gym.run("update member set left_at = domain_now() where user_id like 'u%1'")
      #expect(
        try await gym.lines("select member_count::text from groups order by id") == ["20", "16"])
      #expect(try await gym.lines("select user_id from entry where hidden") == ["u1", "u1"])
      try await gym.run("update member set left_at = null")
      #expect(try await gym.lines("select user_id from entry where hidden") == [])
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `the time between counts for nobody, also where the owner ended it by hand`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.run("update member set left_at = domain_now() where user_id = 'bob'")
      try await gym.stand(at: "2024-06-05 14:00")
      try await gym.run("update member set left_at = null where user_id = 'bob'")
      #expect(
        try await gym.record("w", by: "bob", at: "2024-06-05 13:00")
          == "notCounted notAMember 2024-06-03")
      #expect(try await gym.record("v", by: "bob") == "accepted 2024-06-03")
    }
  }

  @Test func `who does not share workouts stays hidden after coming back`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.record("w", by: "bob")
      try await gym.call("leave_group('bob', 'g')")
      try await gym.run("update users set shares_workouts = false where id = 'bob'")
      try await gym.call("join_group('bob', '\(Gym.token)')")
      #expect(try await gym.lines("select hidden::text from entry") == ["true", "true"])
    }
  }
}

import TestSupport
import Testing

/// Tests `gymrats groups` and `gymrats group`, as an operator uses them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct GroupCommandTests {
  @Test(.sampled()) func `groups with their boards, and one with who came and went`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      #expect(try await schema.gymrats.succeed("groups") == "no groups\n")
      let people = People(schema)
      for user in ["ann", "bob"] {
        try await people.join(user, group: "g", joinedAt: "timestamptz '2024-01-01 00:00Z'")
      }
      try await people.join("cid", group: "h")
      #expect(try await people.record("ann", "w") == "accepted")
      try await schema.sql("update groups set name = 'Early birds' where id = 'g'")
      try await schema.sql(
        """
        update member set left_at = '2024-02-01 00:00Z', has_left = true where user_id = 'bob'
        """)
      try await schema.sql("update users set shares_workouts = false where id = 'ann'")

      #expect(
        try await schema.gymrats.succeed("groups") == """
          g  Early birds  1 of 100  boards: 2 open
          h  h  1 of 100  no boards

          """)
      let json = try await schema.gymrats.succeed("groups", "--json").split(separator: "\n")
      #expect(
        json.first == """
          {"cancelled":0,"closed":0,"id":"g","is_active":true,"max_members":100,"members":1,\
          "name":"Early birds","open":2,"settling":0}
          """)
      #expect(
        try await schema.gymrats.succeed("group", "g") == """
          g  Early birds  1 of 100  boards: 2 open
            ann  ann  member since 2024-01-01T00:00:00Z  does not share
            bob  bob  member since 2024-01-01T00:00:00Z  left 2024-02-01T00:00:00Z

          """)
      #expect(
        try await schema.gymrats.succeed("group", "g", "--json").split(separator: "\n").count == 3)
      expectComplaint(
        try await schema.gymrats.run("group", "x"), status: 66, what: "There is no group 'x'",
        place: "DATABASE_URL", next: "gymrats groups")
    }
  }
}

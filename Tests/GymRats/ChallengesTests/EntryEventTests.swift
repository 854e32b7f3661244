import BatonPostgres
import TestSupport
import Testing

/// Rule 57: a write to entries appends one event for each changed board, and no other events.
@Suite(.serialized)
struct EntryEventTests {
  /// Creates two groups with two members each, without any event.
  private func withEntries(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      for group in ["g", "h"] {
        for user in ["ann", "bob"] {
          try await gym.join("\(user) \(group)", group)
          try await gym.record("w", by: "\(user) \(group)")
        }
      }
      try await gym.run("truncate event_0, event_1, event_2")
      try await body(gym)
    }
  }

  /// Returns the boards that have an event, with one line per event.
  private func events(_ gym: Gym) async throws -> [String] {
    try await gym.lines(
      """
      select concat_ws(' ', e.topic, c.group_id, c.type) from event e
      left join challenge c on c.id::text = e.key order by c.group_id, c.type
      """)
  }

  private let all = [
    "entry.changed g check-ins", "entry.changed g streak", "entry.changed h check-ins",
    "entry.changed h streak",
  ]

  @Test(
    .sampled(),
    arguments: [
      "update entry set value = value + 1", "update entry set hidden = true",
      "update entry set reached_at = reached_at - interval '1 s'",
      "update entry set joined_at = joined_at - interval '1 s'",
      "update entry set display_name = 'x'", "update entry set photo_url = 'x'",
      "update entry set last_updated = '2024-01-01'", "delete from entry",
      """
      insert into entry select challenge_id, user_id || 'x', value, reached_at, joined_at,
        display_name, null, false, last_updated from entry
      """,
      """
      insert into entry select * from entry on conflict (challenge_id, user_id)
      do update set value = excluded.value + 1
      """,
    ])
  func `a bulk write is one event a board`(statement: String) async throws {
    try await withEntries { gym in
      try await gym.run(statement)
      #expect(try await events(gym) == all)
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "update entry set value = value, display_name = display_name",
      "update entry set value = 5 where false", "delete from entry where false",
      "insert into entry select * from entry on conflict do nothing",
      "insert into entry select * from entry where false",
      """
      insert into entry select * from entry on conflict (challenge_id, user_id)
      do update set value = excluded.value
      """,
    ])
  func `what changes nothing is no event`(statement: String) async throws {
    try await withEntries { gym in
      try await gym.run(statement)
      #expect(try await events(gym) == [])
    }
  }

  @Test func `only the boards with a changed row have an event`() async throws {
    try await withEntries { gym in
      try await gym.run(
        "update entry set value = case when user_id = 'ann g' then 7 else value end")
      #expect(try await events(gym) == Array(all.prefix(2)))
    }
  }

  @Test func `an entry that moves to another board is an event of both`() async throws {
    try await withEntries { gym in
      try await gym.run(
        """
        update entry set challenge_id = challenge_id('h', '2024-06-03', 'streak')
        where user_id = 'ann g' and challenge_id = challenge_id('g', '2024-06-03', 'streak')
        """)
      #expect(
        try await events(gym) == ["entry.changed g streak", "entry.changed h streak"])
    }
  }

  @Test func `a statement that inserts here and updates there wakes both boards`() async throws {
    try await withEntries { gym in
      try await gym.run("delete from entry where user_id like '% h'")
      try await gym.run("truncate event_0, event_1, event_2")
      try await gym.run(
        """
        insert into entry select c.id, u, 3, now(), now(), u, null, false, now()
        from challenge c, unnest(array['ann g', 'ann h']) u
        where c.group_id = right(u, 1) and c.type = 'streak'
        on conflict (challenge_id, user_id) do update set value = excluded.value
        """)
      #expect(
        try await events(gym) == ["entry.changed g streak", "entry.changed h streak"])
    }
  }

  @Test func `a workout is one event for each of its two boards, a retry none`() async throws {
    try await withEntries { gym in
      try await gym.record("tuesday", by: "ann g", at: "2024-06-04 10:00")
      #expect(try await events(gym) == Array(all.prefix(2)))
      try await gym.record("tuesday", by: "ann g", at: "2024-06-04 10:00")
      #expect(try await events(gym) == Array(all.prefix(2)))
    }
  }

  @Test func `a publish is no event`() async throws {
    try await withEntries { gym in
      try await gym.publishAll()
      #expect(try await gym.lines("select user_id from standing").count == 8)
      #expect(try await events(gym) == [])
    }
  }

  @Test func `an event of a write that rolls back is not there`() async throws {
    try await withEntries { gym in
      await expectSQLState("22012") {
        try await gym.connection.atomically(
          in: gym.schema, .test("update entry set value = 9"), .test("select 1 / 0"))
      }
      let found = try await events(gym)
      #expect(found == [])
    }
  }
}

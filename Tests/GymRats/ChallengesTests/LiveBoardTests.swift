import BatonLive
import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesSQL
import Foundation
import TestSupport
import Testing

/// Tests the streams of boards: which members see which rows, and how streams continue after the
/// end of a week.
@Suite(.timeLimit(.minutes(5))) struct LiveBoardTests {
  private let noon = "2024-06-05 12:00"

  /// Calls the body with a gym, a group of Ann, Bob and Cem, and a channel for its boards.
  private func withGroup(
    _ options: LiveOptions = .quick, _ body: (Gym, ChallengesDatabase) async throws -> Void
  ) async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob", "cem")
      let database = ChallengesDatabase(
        ConnectionConfiguration(
          address: gym.test.configuration.address, applicationName: "repositories"),
        schema: gym.schema, live: options)
      let result: Result<Void, any Error>
      do { result = .success(try await body(gym, database)) } catch { result = .failure(error) }
      await database.close()
      try result.get()
    }
  }

  private func observe(
    _ database: ChallengesDatabase, as user: String?, _ group: String = "g"
  ) -> AsyncStream<Result<LeaderboardSnapshot, DomainError>> {
    database.repositories(for: user).leaderboards.observeUpdates(groupId: group, type: .checkIns)
  }

  @Test func `what is published wakes observers, and each of them has the line of their own`()
    async throws
  {
    try await withGroup(.hintsAlone) { gym, database in
      let ann = observe(database, as: "ann")
      let bob = observe(database, as: "bob")
      #expect(try await ann.next()?.get().entries == [])
      #expect(try await bob.next()?.get().currentUserEntry == nil)
      var versions: [Int64] = []
      for workouts in 1...3 {
        try await gym.record("w\(workouts)", by: "ann")
        try await gym.publishAll()
        let seen = try #require(try await ann.next()?.get())
        #expect(seen.currentUserEntry?.value == workouts)
        #expect(try await bob.next()?.get().currentUserEntry == nil)
        #expect(seen.age(at: seen.takenAt) == .zero)
        versions.append(seen.rankVersion)
      }
      #expect(versions == versions.sorted() && Set(versions).count == 3)
      try await gym.record("w", by: "bob")
      try await gym.publishAll()
      #expect(try await bob.next()?.get().currentUserEntry?.rank == 2)
    }
  }

  @Test func `publishing what is published already wakes nobody`() async throws {
    try await withGroup(.hintsAlone) { gym, database in
      let ann = observe(database, as: "ann")
      _ = await ann.next()
      let spy = try await gym.test.connect()
      let channel = try await gym.lines("select observer_channel('boards')").first ?? ""
      try await spy.script(Statement("test/spy", "listen \"\(channel)\""))
      try await gym.publishAll()
      try await spy.sql("select 1", in: gym.schema)
      #expect(try await spy.hear(until: .now) == [])
      try await gym.record("w", by: "ann")
      try await gym.publishAll()
      try await spy.sql("select 1", in: gym.schema)
      // The boards of the group's week, by name. The hub checks no other boards.
      let boards = try await gym.lines("select id::text from challenge order by id")
      let heard = try await spy.hear(until: .now).map { $0.split(separator: "\n").map(String.init) }
      #expect(heard.map { $0.first } == ["boards"])
      #expect(heard.flatMap { $0.dropFirst() }.sorted() == boards)
      await spy.close()
    }
  }

  @Test func `whoever may not see a board gets the reason alone, as of a call`() async throws {
    try await withGroup { gym, database in
      try await gym.users("eve")
      let cases: [(String?, String, DomainError)] = [
        ("eve", "g", DomainError.notAMember), ("eve", "no", .groupNotFound),
        ("nobody", "g", .notAuthenticated), (nil, "g", .notAuthenticated),
        ("a\0b", "g", .invalidInput), ("ann", "g\0", .invalidInput),
      ]
      for (user, group, error) in cases {
        let stream = observe(database, as: user, group)
        #expect(await stream.next() == .failure(error), "\(user ?? "-") of \(group)")
        #expect(await stream.next() == nil)
      }
    }
  }

  @Test func `who leaves, is removed or deletes the account is shown no more, the others are`()
    async throws
  {
    try await withGroup { gym, database in
      let ann = observe(database, as: "ann")
      let bob = observe(database, as: "bob")
      let cem = observe(database, as: "cem")
      try await gym.record("w", by: "bob")
      #expect(try await ann.next()?.get() != nil)
      _ = await (bob.next(), cem.next())
      try await gym.call("remove_member('ann', 'g', 'bob')")
      #expect(await bob.last() == .failure(.notAMember))
      try await gym.call("delete_account('cem')")
      #expect(await cem.last() == .failure(.notAuthenticated))
      try await gym.record("w", by: "ann")
      try await gym.publishAll()
      #expect(try await ann.next()?.get().entries.map(\.id) == ["ann"])
      try await gym.call("delete_group('ann', 'g')")
      #expect(await ann.last() == .failure(.groupNotFound))
    }
  }

  /// What `running_boards` does if the group `bad` is among the groups.
  private static let faults = [
    "raise exception 'of the test' using errcode = '22012'", "perform pg_sleep(3600)",
    "return query select \(line("1", "repeat('x', 3000000)"))",
    "return query select \(line("99", "'Dan'"))",
  ]

  private static func line(_ number: String, _ name: String) -> String {
    """
    \(number)::bigint, gen_random_uuid(), date '2024-06-03', true, now(), now(), 1::bigint, 0::bigint,
      'dan'::text, \(name)::text, null::text, 1, 1, now()
    """
  }

  @Test(.sampled(), arguments: Randomness.sample(2, of: Self.faults))
  func `a board that cannot be read affects only its own members`(fault: String) async throws {
    var options = LiveOptions.quick
    (options.timeout, options.maximumResultSize) = (.milliseconds(200), 1 << 20)
    try await withGroup(options) { gym, database in
      try await gym.users("dan")
      try await gym.call("create_group('dan', 'bad', 'Bad')")
      try await gym.run("alter function running_boards rename to kept_boards")
      try await gym.run(
        """
        create function running_boards(of_groups text[], types text[])
        returns table (number bigint, board uuid, week_start date, is_active boolean,
          created_at timestamptz, taken_at timestamptz, rank_version bigint, members_mark bigint,
          user_id text, display_name text, photo_url text, value integer, rank integer,
          last_updated timestamptz) language plpgsql as $$
        begin
          if 'bad' = any (of_groups) then
            \(fault);
            return;
          end if;
          return query select * from kept_boards(of_groups, types);
        end $$
        """)
      let ann = observe(database, as: "ann")
      let dan = observe(database, as: "dan", "bad")
      // A call that takes too long is repeated, and another error ends the stream.
      let seen = fault.contains("pg_sleep") ? await dan.next() : await dan.last()
      guard case .failure? = seen else {
        Issue.record("\(String(describing: seen))")
        return
      }
      try await gym.record("w", by: "ann")
      try await gym.publishAll()
      var value: Int?
      for await element in ann {
        value = (try? element.get())?.currentUserEntry?.value
        if value != nil { break }
      }
      #expect(value == 1)
    }
  }

  @Test func `a board that cannot be created at a week's end delays no other board`() async throws {
    try await withGroup { gym, database in
      try await gym.users("dan")
      try await gym.call("create_group('dan', 'h', 'H')")
      let ann = observe(database, as: "ann")
      let dan = observe(database, as: "dan", "h")
      let before = try await (ann.next()?.get(), dan.next()?.get())
      #expect(before.0?.challenge.week == Week(monday: "2024-06-03"))
      try await gym.test.holding("select from groups where id = 'h' for update") { _ in
        try await gym.stand(at: "2024-06-10 00:00")
        let next = try await ann.next()?.get()
        #expect(next?.challenge.week == Week(monday: "2024-06-10"))
        #expect(next?.rankVersion == 0 && next?.challenge.isActive == true)
        // The element says that snapshots may be late.
        #expect(await dan.next() == .failure(.networkUnavailable))
      }
      #expect(try await dan.next()?.get().challenge.week == Week(monday: "2024-06-10"))
    }
  }

  @Test func `who leaves while the boards of a new week are created does not see them`()
    async throws
  {
    try await withGroup { gym, database in
      try await gym.stand(at: "2024-06-10 00:00")
      try await gym.run(
        """
        create function bob_leaves() returns trigger language plpgsql as $$
        begin
          update member set left_at = domain_now() where user_id = 'bob' and left_at is null;
          return null;
        end $$
        """)
      try await gym.run(
        """
        create trigger bob_leaves after insert on challenge
        for each statement execute function bob_leaves()
        """)
      let bob = observe(database, as: "bob")
      #expect(await bob.next() == .failure(.notAMember))
      #expect(await bob.next() == nil)
      let boards = "select count(*)::text from challenge where week_start = '2024-06-10'"
      #expect(try await gym.lines(boards) == ["2"])
    }
  }

  @Test func `at a week's end a board that was made ahead is shown`() async throws {
    try await withGroup { gym, database in
      let ann = observe(database, as: "ann")
      #expect(try await ann.next()?.get().challenge.week == Week(monday: "2024-06-03"))
      try await gym.stand(at: "2024-06-09 23:59:59.999")
      try await gym.run("select from groups, lock_boards('g', '2024-06-10')")
      try await gym.record("w", by: "bob")
      try await gym.publishAll()
      let last = try await ann.next()?.get()
      #expect(last?.challenge.week == Week(monday: "2024-06-03") && last?.entries.count == 1)
      try await gym.stand(at: "2024-06-10 00:00")
      #expect(try await ann.next()?.get().challenge.week == Week(monday: "2024-06-10"))
    }
  }

  @Test func `where members without a workout are listed, one who joins is seen`() async throws {
    try await withGroup { gym, database in
      try await gym.run("update setting set include_zero = true")
      let ann = observe(database, as: "ann")
      #expect(try await ann.next()?.get().entries.map(\.id) == ["ann", "bob", "cem"])
      try await gym.users("dan")
      try await gym.call("join_group('dan', '\(Gym.token)')")
      #expect(try await ann.next()?.get().entries.map(\.id) == ["ann", "bob", "cem", "dan"])
      try await gym.call("leave_group('bob', 'g')")
      #expect(try await ann.next()?.get().entries.map(\.id) == ["ann", "cem", "dan"])
      try await gym.call("update_profile('cem', 'Cemil', null)")
      #expect(
        try await ann.next()?.get().entries.map(\.displayName) == ["Ann", "Cemil", "Dan"])
    }
  }

  @Test func `two spellings of a letter are two users, each with a line of their own`() async throws
  {
    try await withGroup { gym, database in
      let names = ["caf\u{e9}", "cafe\u{301}"]
      for name in names {
        try await gym.users(name)
        try await gym.call("join_group('\(name)', '\(Gym.token)')")
      }
      try await gym.record("w", by: names[0])
      try await gym.publishAll()
      let first = observe(database, as: names[0])
      let second = observe(database, as: names[1])
      #expect(try await first.next()?.get().currentUserEntry?.value == 1)
      #expect(try await second.next()?.get().currentUserEntry == nil)
    }
  }

  @Test(.sampled()) func `looks and reads go by index, one board after the other`() async throws {
    try await withGroup { gym, _ in
      let boards = try await gym.test.sql("select id from challenge").compactMap {
        UUID(uuidString: $0)
      }
      try await gym.test.sql("analyze")
      let connection = try await gym.test.connect()
      let read = try await Session(connection, in: gym.schema).transaction { transaction in
        // Sessions with a long lifetime use plans for any values.
        for turn in 0..<8 {
          try await transaction.run(
            .count(SQL.Api.runningBoards, ["g", "h"], ["check-ins", "streak"]))
          try await transaction.run(
            .count(
              SQL.Api.changedBoards, boards, boards.map { _ in Int64(turn) },
              boards.map { _ in Int64(0) }, "2024-06-03"))
          try await transaction.run(
            .count(SQL.Api.refusedViewers, ["ann", "who\(turn)"], ["g", "g"]))
        }
        let read: [String] = try await transaction.run(.wholeReads)
        return read
      }
      // Tables with one row.
      #expect(Set(read).isSubset(of: ["development", "event_segment", "setting"]), "\(read)")
      await connection.close()
    }
  }
}

extension AsyncStream {
  /// Returns the next element.
  ///
  /// The stream can be read further.
  fileprivate func next() async -> Element? {
    for await element in self { return element }
    return nil
  }

  /// Returns the last element of a stream that ends.
  fileprivate func last() async -> Element? {
    var last: Element?
    for await element in self { last = element }
    return last
  }
}

extension LiveOptions {
  /// Streams that often look for changes without a wake-up.
  static var quick: LiveOptions {
    var options = LiveOptions()
    (options.poll, options.check) = (.milliseconds(20), .milliseconds(80))
    // A busy machine can stop for longer than the default of 2 s, and the board would be late.
    options.timeout = .seconds(120)
    return options
  }

  /// Streams that look for changes only after a wake-up or for a new observer.
  static var hintsAlone: LiveOptions {
    var options = LiveOptions()
    (options.poll, options.check) = (.seconds(3_600), .seconds(4 * 3_600))
    options.timeout = .seconds(120)
    return options
  }
}

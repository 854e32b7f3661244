import BatonPostgres
import ChallengesPostgres
import ChallengesServer
import JobRunner
import JobTesting
import TestSupport
import Testing

@testable import ChallengeJobs
@testable import GymRats

/// Tests that all open boards are ranked again after a restore, in steps.
@Suite(.timeLimit(.minutes(5))) struct ResyncBoardsTests {
  /// Creates groups with both open boards of some weeks, and one closed week.
  private func withBoards(
    groups: Int, weeks: Int, _ jobs: [RegisteredJob], _ body: (JobTest) async throws -> Void
  ) async throws {
    try await TestSchema.run(jobs) { test in
      try await test.sql(
        "insert into groups (id, name) select 'g' || n, 'G' from generate_series(1, \(groups)) n")
      try await test.sql(
        """
        insert into challenge (id, group_id, week_start, type, state)
        select challenge_id(g.id, w.day, t.type), g.id, w.day, t.type,
          case when w.n = 0 then 'closed' else 'open' end::challenge_state
        from groups g,
          (select n, date '2024-05-06' + 7 * n as day from generate_series(0, \(weeks)) n) w,
          unnest(enum_range(null::challenge_type)) t (type)
        """)
      try await body(test)
    }
  }

  @Test func `each open board is recorded once, wherever a step ends`() async throws {
    try await withBoards(groups: 3, weeks: 2, []) { test in
      for limit in [1, 3, 4, 12, 13] {
        try await test.sql("truncate event_0, event_1, event_2")
        let connection = try await test.connect()
        var (place, numbers) = (BoardPlace.start, [Int]())
        while let next = try await connection.transaction(
          in: test.schema,
          { [place] in
            try await PostgresLeaderboards($0).touchOpenBoards(after: place, limit: limit)
          })
        {
          place = next.last
          numbers.append(next.boards)
        }
        await connection.close()
        #expect(numbers.reduce(0, +) == 12 && numbers.allSatisfy { $0 <= limit }, "\(limit)")
        let differences = try await test.sql(
          """
          select count(*) from (
            (select key from event where topic = 'entry.changed'
            except all select id::text from challenge where state = 'open')
            union all
            (select id::text from challenge where state = 'open'
            except all select key from event where topic = 'entry.changed')) d
          """)
        #expect(differences == ["0"], "\(limit)")
      }
    }
  }

  @Test(.sampled()) func `the job takes more steps than one, and reports all boards`() async throws
  {
    try await withBoards(groups: 1_300, weeks: 2, [GymRats.register(ResyncBoards.self)]) { test in
      try await test.sql("select enqueue('resync-boards', '1')")
      #expect(try await test.drain() == 0)
      let reports = try await test.sql(
        "select report ->> 'boards' from run_history where job = 'resync-boards'")
      #expect(reports == ["5200"])
    }
  }
}

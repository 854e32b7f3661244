import BatonPostgres
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests dead runs of a group that an operator settles, with a maximum number per call.
@Suite(.timeLimit(.minutes(5))) struct DeadSelectionTests {
  private func insert(_ queue: NoteQueue) async throws {
    try await queue.test.sql(
      """
      insert into dead_run (id, job, key, attempt, error)
      select n, case when n <= 40 then 'note' else 'other' end, 'k' || n, 3,
        case when n % 4 = 0 then 'full ' || n else 'gone ' || n end
      from generate_series(1, 60) n
      """)
  }

  private func group(_ line: String, _ queue: NoteQueue) async throws -> String {
    try #require(
      try await queue.queue.deadGroups().groups.first { $0.job == "note" && $0.error == line }
    ).id
  }

  @Test func `so many of a group are ready again, and it is said how many are left`() async throws {
    try await NoteQueue.with { queue in
      try await insert(queue)
      let group = try await group("gone #", queue)
      let selection = DeadSelection(RunSelection(job: "note"), group: group, limit: 20)
      let first = try await queue.queue.retry(selection)
      #expect(first.counts == [20, 20])
      #expect(try await queue.queue.countLeft(of: selection) == Count(value: 10))
      let second = try await queue.queue.retry(selection)
      #expect(second.counts == [10, 10])
      #expect(try await queue.queue.countLeft(of: selection) == Count(value: 0))
      #expect(try await queue.queue.retry(selection).counts == [0, 0])
      // The other runs are unchanged.
      #expect(try await queue.count("dead_run where error like 'full%' and job = 'note'") == 10)
      #expect(try await queue.count("dead_run where job = 'other'") == 20)
      #expect(try await queue.count("run where state = 'ready'") == 30)
      // The audit log contains no part of an error.
      let rows = try await queue.test.sql(
        """
        select concat_ws('/', count, filter->>'state', filter->>'job', filter->>'group', filter->>'limit')
        from audit where action = 'runs retry' order by number
        """)
      #expect(rows == [20, 10].map { "\($0)/dead/note/\(group)/20" })
    }
  }

  @Test func `errors that differ only in ids and numbers are one group`() async throws {
    try await NoteQueue.with { queue in
      let start =
        "a board cannot be ranked, because its rows are missing or locked by another transaction: "
      let lines = try await queue.test.sql(
        """
        select distinct replace(dead_line(e), ' ', '_') from generate_series(1, 50) n, gen_random_uuid() u,
          lateral (values
            ('board-' || u || ' is gone'),
            ('BOARD ' || upper(u::text) || ' of week 2026-' || n || E' is gone\nat line ' || n),
            ('object ' || md5(n::text) || ' is missing'),
            ('pointer_' || u || ' at 0x' || to_hex(n * 4096)),
            (repeat(' ', n) || '\(start)' || repeat('x', 90) || ' ' || u)) e (e)
        """)
      #expect(lines.filter { $0.hasPrefix("board") } == ["board-#_is_gone"])
      #expect(lines.filter { $0.hasPrefix("BOARD") } == ["BOARD_#_of_week_#-#_is_gone"])
      #expect(lines.filter { $0.hasPrefix("object") } == ["object_#_is_missing"])
      #expect(lines.filter { $0.hasPrefix("pointer") } == ["pointer_#_at_#"])
      #expect(
        !lines.contains { $0.contains { $0.isNumber } }, "the cut does not leave a part of an id")
      #expect(
        try await queue.test.sql(
          "select replace(dead_line('a dead-letter of 12 facades'), ' ', '_')")
          == ["a_dead-letter_of_#_facades"])
    }
  }

  @Test func `so many of a job are forgotten, the oldest first`() async throws {
    try await NoteQueue.with { queue in
      try await insert(queue)
      let selection = DeadSelection(RunSelection(job: "note"), limit: 15)
      #expect(try await queue.queue.discard(selection).counts == [15, 0])
      #expect(try await queue.queue.countLeft(of: selection) == Count(value: 25))
      #expect(try await queue.test.sql("select min(id) from dead_run") == ["16"])
      #expect(try await queue.count("run") == 0)
      #expect(try await queue.count("audit where action = 'runs discard' and count = 15") == 1)
    }
  }

  @Test func `a group is compared only with the job's 20,000 newest dead runs`() async throws {
    try await NoteQueue.with { queue in
      // The oldest dead run is outside the compared runs. Dead runs of other jobs do not count.
      try await queue.test.sql(
        """
        insert into dead_run (id, job, key, attempt, error)
        select n, case when n <= 20001 then 'note' else 'other' end, 'k' || n, 3,
          case when n <= 2 or n > 20001 then 'gone ' || n else 'full ' || n end
        from generate_series(1, 20010) n
        """)
      let names = try await queue.test.sql("select dead_group('gone 1')")
      let selection = DeadSelection(RunSelection(job: "note"), group: names[0])
      #expect(try await queue.queue.countLeft(of: selection) == Count(value: 1))
      #expect(try await queue.queue.deadRuns(selection).map(\.id) == [2])
      #expect(try await queue.queue.discard(selection).dead.map(\.id) == [2])
      // The deletion makes room for the oldest run.
      #expect(try await queue.queue.deadRuns(selection).map(\.id) == [1])
    }
  }
}

extension SettledDead {
  /// The numbers of runs that were dead and are ready.
  fileprivate var counts: [Int] { [dead.count, ready.count] }
}

import BatonJobs
import Foundation
import RunnerSQL
import TestSupport
import Testing

@testable import BatonPostgres
@testable import JobRunner

/// Tests claims beside due runs that wait for a running or parked run of their key.
@Suite struct BlockedRunTests {
  private let start = ContinuousClock.now

  private func time(_ microseconds: Int64) -> Timestamp { Timestamp(microseconds: microseconds) }

  private func place(_ due: Int64, _ id: Int64 = 1) -> QueueFront.Place {
    QueueFront.Place(due: time(due), id: id)
  }

  /// The positions after a poll that found a due run at 10, and the last dispatch at `last`.
  private func marks(_ last: Int64 = 50) -> QueueFront.Marks {
    var marks = QueueFront.Marks()
    marks.places = [QueueFront.JobPriority(job: "note", priority: 5): place(10)]
    marks.others = time(last)
    return marks
  }

  private func run(due: Int64, id: Int64) -> ClaimedRun {
    ClaimedRun(
      id: id, key: "a", payload: nil, attempt: 1, due: time(due), firstEventAt: time(0),
      place: RowPlace(block: 0, line: 1))
  }

  @Test func `a slow search ends before its first run, and never after the last dispatch`() {
    let search = BlockedRuns().begin(from: marks(), at: start)
    let runs = [run(due: 30, id: 4), run(due: 20, id: 3), run(due: 20, id: 2)]
    #expect(search.place == place(10))
    #expect(search.end(with: runs, at: start + .milliseconds(19)) == nil)
    let later = start + .milliseconds(20)
    #expect(search.end(with: runs, at: later) == place(20, 2))
    #expect(search.end(with: [run(due: 60, id: 1)], at: later) == place(50, 0))
    #expect(search.end(with: [], at: later) == place(50, 0))
    #expect(search.end(with: [run(due: 10, id: 1)], at: later) == nil)
    #expect(
      BlockedRuns().begin(from: QueueFront.Marks(), at: start).end(with: runs, at: later) == nil)
  }

  @Test func `searches begin at the position for 20 times as long as the search took`() {
    var blocked = BlockedRuns()
    let search = blocked.begin(from: marks(), at: start)
    let end = start + .milliseconds(20)
    blocked.pass(search, to: place(30), at: end)
    #expect(blocked.begin(from: marks(), at: end + .milliseconds(399)).place == place(30))
    // A search that begins at the position moves it, but does not make the pause longer.
    let next = blocked.begin(from: marks(), at: end + .milliseconds(200))
    blocked.pass(next, to: place(40), at: end + .milliseconds(300))
    #expect(blocked.begin(from: marks(), at: end + .milliseconds(399)).place == place(40))
    #expect(blocked.begin(from: marks(), at: end + .milliseconds(400)).place == place(10))
  }

  @Test func `all blocked runs are read every second, and after the clock was set back`() {
    var blocked = BlockedRuns()
    let search = blocked.begin(from: marks(), at: start)
    let end = start + .seconds(5)
    blocked.pass(search, to: place(30), at: end)
    #expect(blocked.begin(from: marks(), at: end + .milliseconds(999)).place == place(30))
    #expect(blocked.begin(from: marks(), at: end + .seconds(1)).place == place(10))
    #expect(blocked.begin(from: marks(20), at: end).place == place(10))
    #expect(blocked.begin(from: QueueFront.Marks(), at: end).place.due == .earliest)
  }

  @Test(.sampled()) func `a claim does not read many blocked runs each time`() async throws {
    try await NoteQueue.with { note in
      let front = QueueFront()
      let session = Session(note.connection, in: note.test.schema)
      let queue = Queue(session, front: front)
      for values in [
        "'running', t + interval '1 day', t, t, true, -1", "'ready', t, t, t, null, 0",
      ] {
        try await note.test.sql(
          """
          insert into run (job, key, state, due, first_event_at, last_event_at, has_checkpoint, claim_number)
          select 'note', 'blocked' || n, \(values)
          from generate_series(1, 50000) n, (select now() - interval '1 minute' as t) t
          """)
      }
      try await note.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at)
        select 'note', 'free' || n, 'ready', now() - interval '30 s', now(), now()
        from generate_series(1, 8) n
        """)
      try await note.test.sql("analyze run")
      for _ in 1...2 {
        _ = try await queue.tryFold(storesTime: true)
        _ = try await queue.poll()
      }
      let job = note.job.definition
      let claimer = Claimer(of: job, from: front)
      func claim(_ limit: Int) async throws -> [ClaimedRun] {
        try await claimer.claim(
          job, limit: limit, token: UUID(), worker: UUID(), on: session, while: { true })
      }
      let runs = try await claim(4)
      #expect(runs.count == 4 && runs.allSatisfy { $0.key.hasPrefix("free") })
      // The next claim begins at the first run that the slow claim found.
      #expect(claimer.beginSearch(of: job).place.due == runs.map(\.due).min())
      #expect(try await claim(10).count == 4)
      // After a pause, a claim reads all blocked runs again.
      try await note.test.sql("delete from run where key = 'blocked7' and state = 'running'")
      try await eventually("a claim finds the run whose key is free") {
        try await claim(10).map(\.key) == ["blocked7"]
      }
    }
  }

  /// The poll finds the blocked run, so the mark stays before the completed runs.
  ///
  /// The trigger makes the claim slow. After few completed runs, the claim is slow for this reason
  /// only, and later claims begin at the mark.
  @Test(.sampled(), arguments: [20, 60_000])
  func `a claim does not read completed runs after a blocked run each time`(completed: Int)
    async throws
  {
    try await NoteQueue.with { note in
      let (test, job) = (note.test, note.job.definition)
      let front = QueueFront()
      let session = Session(note.connection, in: test.schema)
      let queue = Queue(session, front: front)
      try await test.sql("alter table run set (autovacuum_enabled = off)")
      try await test.holding("create temporary table open_for_long ()") { _ in
        for statement in Self.blockedRun(before: completed) + Self.slowClaims {
          try await test.sql(statement)
        }
        for _ in 1...2 {
          _ = try await queue.tryFold(storesTime: true)
          _ = try await queue.poll()
        }
        let claimer = Claimer(of: job, from: front)
        func claim(_ limit: Int) async throws -> [ClaimedRun] {
          try await claimer.claim(
            job, limit: limit, token: UUID(), worker: UUID(), on: session, while: { true })
        }
        let runs = try await claim(1)
        #expect(runs.map(\.key) == ["free1"])
        let mark = front.marks(of: job.name).earliest
        let begin = claimer.beginSearch(of: job).place
        try await test.sql("drop trigger sleep on run")
        guard completed > 2_000 else {
          #expect(begin == mark)
          return
        }
        #expect(begin.due == runs.first?.due)
        let pages = try await (claimPages(test, from: begin), claimPages(test, from: mark))
        print("pages of a claim from the stored position and from the mark: \(pages)")
        #expect(pages.0 * 2 < pages.1)
        // After a pause, a claim begins at the mark again.
        try await test.sql("delete from run where key = 'x' and state = 'running'")
        try await eventually("a claim finds the run whose key is free") {
          try await claim(10).contains { $0.key == "x" }
        }
      }
    }
  }

  /// Statements that make a blocked run, complete the given number of later runs, and add due runs.
  private static func blockedRun(before completed: Int) -> [String] {
    [
      """
      insert into run (job, key, state, due, first_event_at, last_event_at, has_checkpoint,
        claim_number)
      select 'note', 'x', 'running', t + interval '1 day', t, t, true, -1 from now() t
      """,
      """
      insert into run (job, key, state, due, first_event_at, last_event_at)
      select 'note', key, 'ready', t - before, t, t
      from now() t, (
        select 'x', interval '1 minute'
        union all
        select 'done' || n, interval '50 s' - n * interval '1 us'
        from generate_series(1, \(completed)) n
        union all
        select 'free' || n, interval '30 s' - n * interval '1 us' from generate_series(1, 8) n
      ) w (key, before)
      """,
      "analyze run",
      "delete from run where key like 'done%'",
    ]
  }

  /// Statements after which a claim takes at least 30 ms for each run.
  private static let slowClaims = [
    """
    create function sleep() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.03); return new; end $$
    """,
    "create trigger sleep before update on run for each row execute function sleep()",
  ]

  private func claimPages(_ test: TestSchema, from place: QueueFront.Place) async throws -> Int {
    try await test.pages(
      of: SQL.Queue.claim, "text, bigint, uuid, uuid, boolean, timestamptz, bigint",
      """
      'note', 5, gen_random_uuid(), gen_random_uuid(), true,
      timestamptz 'epoch' + \(place.due.microseconds) * interval '1 us', \(place.id)
      """)
  }
}

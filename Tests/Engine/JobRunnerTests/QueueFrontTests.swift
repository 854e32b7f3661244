import BatonPostgres
import Foundation
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

@Suite struct QueueFrontTests {
  private let start = ContinuousClock.now
  private let jobPriority = QueueFront.JobPriority(job: "note", priority: 5)

  /// The first held run of a job.
  private let ofHeld = QueueFront.JobPriority(job: "note", priority: -4)

  private func time(_ microseconds: Int64) -> Timestamp { Timestamp(microseconds: microseconds) }

  private func place(_ due: Int64, _ id: Int64 = 1) -> QueueFront.Place {
    QueueFront.Place(due: time(due), id: id)
  }

  /// Returns a front after one search from the beginning, which found a run at 10 and a dispatch at
  /// 20.
  private func front() -> QueueFront {
    let front = QueueFront()
    let whole = front.begin(at: start)
    front.end(whole, found: [jobPriority: place(10)], dispatchedAt: time(20), at: start)
    return front
  }

  /// While an old transaction is open, this search reads a row version for each heartbeat.
  @Test func `polls in quick succession search for dead workers only once`() {
    let (front, start) = (QueueFront(), ContinuousClock.now)
    let searches = [0, 10, 199, 200, 250, 450].map {
      front.begin(at: start + .milliseconds($0)).findsDead
    }
    #expect(searches == [true, false, false, true, false, true])
  }

  @Test func `a search begins at the first run of its job and priority`() {
    let search = front().begin(at: start + .milliseconds(10))
    #expect(search.marks.places == [jobPriority: place(10)])
    #expect(search.marks.others == time(20))
  }

  @Test func `a mark never passes the last dispatch`() {
    let front = front()
    let search = front.begin(at: start + .milliseconds(10))
    front.end(search, found: [jobPriority: place(30)], dispatchedAt: time(25), at: start)
    let next = front.begin(at: start + .milliseconds(20))
    #expect(next.marks.places.isEmpty)
    #expect(next.marks.others == time(25))
  }

  @Test func `every second one search reads the whole queue`() {
    let front = front()
    #expect(front.begin(at: start + .milliseconds(999)).marks.others == time(20))
    #expect(front.begin(at: start + .milliseconds(1_100)).marks.others == nil)
    #expect(front.begin(at: start + .milliseconds(1_200)).marks.others == time(20))
  }

  /// Searches the whole queue, and ends the search after so many milliseconds.
  private func searchWhole(
    _ front: QueueFront, at begin: ContinuousClock.Instant, took milliseconds: Int64
  ) {
    let whole = front.begin(at: begin)
    #expect(whole.marks.others == nil)
    front.end(
      whole, found: [:], dispatchedAt: time(20), at: begin + .milliseconds(milliseconds))
  }

  @Test func `slow searches of the whole queue are repeated less often`() {
    let front = QueueFront()
    searchWhole(front, at: start, took: 300)
    searchWhole(front, at: start + .seconds(1), took: 100)
    #expect(front.begin(at: start + .seconds(20)).marks.others == time(20))
    #expect(front.begin(at: start + .seconds(22)).marks.others == nil)
  }

  /// For example, the server plans the first poll of a connection.
  ///
  /// After a single search of 0.3 s, the next search must not be a minute later.
  @Test func `a single slow search does not delay the next search of the whole queue`() {
    let front = QueueFront()
    searchWhole(front, at: start, took: 300)
    searchWhole(front, at: start + .milliseconds(1_000), took: 1)
    searchWhole(front, at: start + .milliseconds(2_000), took: 300)
    #expect(front.begin(at: start + .milliseconds(2_999)).marks.others == time(20))
    searchWhole(front, at: start + .milliseconds(3_000), took: 1)
  }

  @Test func `a search that began before a whole search does not move the marks`() {
    let front = front()
    let early = front.begin(at: start + .milliseconds(10))
    let whole = front.begin(at: start + .seconds(2))
    front.end(
      whole, found: [jobPriority: place(5)], dispatchedAt: time(40), at: start + .seconds(2))
    front.end(early, found: [:], dispatchedAt: time(50), at: start + .seconds(2))
    #expect(front.marks(of: "note").places == [jobPriority: place(5)])
  }

  /// Polls after the given number of milliseconds.
  ///
  /// The poll finds a dispatch at this time, the given open transactions and, if `held` is true, a
  /// first held run at this time.
  ///
  /// - Returns: the time from which the poll searches, in milliseconds.
  @discardableResult
  private func poll(
    _ front: QueueFront, after milliseconds: Int64, open: [String] = [], held: Bool = false
  ) -> Int64? {
    let now = start + .milliseconds(milliseconds)
    let search = front.begin(at: now)
    var found = open.map { (QueueFront.JobPriority(job: $0, priority: -3), place(0, 0)) }
    if held { found.append((ofHeld, place(milliseconds * 1000, 0))) }
    front.end(
      search, found: Dictionary(uniqueKeysWithValues: found),
      dispatchedAt: time(milliseconds * 1000), at: now)
    return search.marks.others.map { $0.microseconds / 1000 }
  }

  @Test func `after a long transaction, one search begins at the places before it`() {
    let front = QueueFront()
    for milliseconds in [0, 10] { poll(front, after: Int64(milliseconds)) }
    poll(front, after: 20, open: ["7", "8"])
    poll(front, after: 130, open: ["7", "9"])
    #expect(poll(front, after: 140, open: ["9"]) == 130)
    #expect(poll(front, after: 150, open: ["9"]) == 10)
    // The transaction 9 is the old transaction of this test.
    #expect(poll(front, after: 900, open: ["9"]) == 150)
  }

  @Test func `the place of a held run is never later than the last dispatch`() {
    let front = QueueFront()
    for (due, expected) in [(10, 10), (30, 20)] as [(Int64, Int64)] {
      let search = front.begin(at: start)
      front.end(search, found: [ofHeld: place(due)], dispatchedAt: time(20), at: start)
      #expect(front.marks(of: "note").holding == ["note": time(expected)])
    }
  }

  /// Another worker may already hold the run that the transaction has returned.
  @Test func `a search for late commits begins at the held runs before the transaction`() {
    let front = QueueFront()
    for milliseconds in [0, 10] { poll(front, after: Int64(milliseconds), held: true) }
    poll(front, after: 20, open: ["7"], held: true)
    poll(front, after: 130, open: ["7"], held: true)
    poll(front, after: 140, held: true)
    let search = front.begin(at: start + .milliseconds(150))
    #expect(search.marks.holding == ["note": time(10_000)])
  }

  @Test func `short transactions cause no search for late commits`() {
    let front = QueueFront()
    for milliseconds in [0, 10] { poll(front, after: Int64(milliseconds)) }
    poll(front, after: 20, open: ["7"])
    poll(front, after: 90, open: ["7"])
    poll(front, after: 110)
    #expect(poll(front, after: 120) == 110)
  }

  @Test func `searches for late commits are at least 400 ms apart`() {
    let front = QueueFront()
    for milliseconds in [0, 10] { poll(front, after: Int64(milliseconds)) }
    poll(front, after: 20, open: ["7", "8"])
    poll(front, after: 130, open: ["7", "8"])
    poll(front, after: 140, open: ["8"])
    #expect(poll(front, after: 150) == 10)
    #expect(poll(front, after: 540) == 150)
    #expect(poll(front, after: 550) == 10)
    #expect(poll(front, after: 560) == 550)
  }

  @Test func `places of schedules are early, and all schedules are searched every 5 seconds`() {
    let front = QueueFront()
    let ofNote = QueueFront.JobPriority(job: "note", priority: -2)
    let ofOthers = QueueFront.JobPriority(job: "*", priority: -2)
    let second: Int64 = 1_000_000
    // Both searches were slow, so the next search of the whole queue is much later.
    for delay in [Duration.zero, .seconds(1)] {
      let whole = front.begin(at: start + delay)
      front.end(
        whole, found: [ofNote: place(50 * second), ofOthers: place(20 * second)],
        dispatchedAt: time(20 * second), at: start + delay + .seconds(1))
    }
    let early = [("note", time(10 * second)), ("*", time(10 * second))]
    let next = front.begin(at: start + .seconds(2)).marks
    #expect(next.places.isEmpty)
    #expect(next.schedules == Dictionary(uniqueKeysWithValues: early))
    // A firing begins at the places that the poll has found.
    #expect(front.scheduleMarks == ["note": time(50 * second), "*": time(20 * second)])
    let all = front.begin(at: start + .seconds(6)).marks
    #expect(all.schedules.isEmpty && all.others == time(20 * second))
    #expect(front.begin(at: start + .seconds(7)).marks.schedules == next.schedules)
  }

  @Test func `marks are forgotten if the clock was set back or the time is unknown`() {
    for dispatchedAt in [nil, time(19)] {
      let front = front()
      let search = front.begin(at: start + .milliseconds(10))
      front.end(search, found: [:], dispatchedAt: dispatchedAt, at: start)
      #expect(front.begin(at: start + .milliseconds(20)).marks.others == nil)
    }
  }

  @Test func `a worker that completes runs without new events stores the time each second`() {
    let front = front()
    #expect(!front.needsTime(since: nil, at: start + .seconds(2)))
    #expect(!front.needsTime(since: start - .seconds(1), at: start + .seconds(2)))
    let done = ContinuousClock.now + .seconds(1)
    #expect(!front.needsTime(since: done, at: start + .milliseconds(500)))
    #expect(front.needsTime(since: done, at: start + .seconds(2)))
  }

  /// Until a position of the event log lists the transaction, each poll reads all its events.
  @Test func `a transaction that is open for a second is listed once`() {
    let front = front()
    let open = QueueFront.JobPriority(job: "900", priority: -3)
    func poll(_ dispatched: Int64, at seconds: Int) {
      let now = start + .seconds(seconds)
      let search = front.begin(at: now)
      front.end(search, found: [open: place(0)], dispatchedAt: time(dispatched), at: now)
    }
    poll(20, at: 1)
    #expect(!front.needsTime(since: nil, at: start + .milliseconds(1_500)))
    #expect(front.needsTime(since: nil, at: start + .seconds(2)))
    poll(20, at: 2)
    #expect(front.needsTime(since: nil, at: start + .seconds(2)))
    // The time was stored, together with a position that lists the transaction.
    poll(30, at: 3)
    poll(30, at: 5)
    #expect(!front.needsTime(since: nil, at: start + .seconds(9)))
  }
}

/// The queue while a transaction stays open, so that completed runs stay in the index.
@Suite struct OldTransactionTests {
  /// Returns the pages that polls and claims read after so many runs were completed.
  private func pages(after runs: Int, sameDue: Bool = false) async throws -> [String: Int] {
    var pages: [String: Int] = [:]
    try await NoteQueue.with { queue in
      let test = queue.test
      try await test.sql("alter table run set (autovacuum_enabled = off)")
      let front = QueueFront()
      let queued = Queue(queue.queue.session, front: front)
      _ = try await queued.tryFold()
      _ = try await queued.poll()
      try await test.holding("create temporary table open_for_long ()") { _ in
        let due = sameDue ? "now()" : "now() - n * interval '1 us'"
        try await test.sql(
          """
          insert into run (job, key, state, due, first_event_at, last_event_at)
          select 'note', n::text, 'ready', \(due), now(), now() from generate_series(1, \(runs)) n
          """)
        try await test.sql("analyze run")
        try await test.sql("delete from run where key::int <= \(runs) - 100")
        try await queue.write("new")
        // The first of these polls reads the whole queue.
        for _ in 1...2 {
          _ = try await queued.tryFold(storesTime: true)
          _ = try await queued.poll()
        }
        _ = try await queued.poll()
        let marks = front.marks(of: "note")
        let place = marks.earliest
        #expect(marks.others != nil)
        pages["poll"] = try await test.pages(
          of: SQL.Queue.poll,
          "text[], integer[], timestamptz[], bigint[], timestamptz, text, integer, boolean",
          "\(Self.parameters(marks)), null, null, true")
        pages["claim"] = try await test.pages(
          of: SQL.Queue.claim, "text, bigint, uuid, uuid, boolean, timestamptz, bigint",
          """
          'note', 50, gen_random_uuid(), gen_random_uuid(), true,
          timestamptz 'epoch' + \(place.due.microseconds) * interval '1 us', \(place.id)
          """)
      }
    }
    return pages
  }

  private static func parameters(_ marks: QueueFront.Marks) -> String {
    let (jobs, priorities, dues, ids) = marks.columns
    func time(_ at: Timestamp) -> String {
      "timestamptz 'epoch' + \(at.microseconds) * interval '1 us'"
    }
    func list(_ texts: [String]) -> String { texts.joined(separator: ", ") }
    return """
      array[\(list(jobs.map { "'\($0)'" }))]::text[], array[\(list(priorities.map(String.init)))]::integer[],
      array[\(list(dues.map(time)))]::timestamptz[], array[\(list(ids.map(String.init)))]::bigint[],
      \(marks.others.map(time) ?? "null")
      """
  }

  @Test(.sampled(), arguments: [false, true])
  func `completed runs cost polls and claims nothing`(sameDue: Bool) async throws {
    let (few, many) = (
      try await pages(after: 200, sameDue: sameDue),
      try await pages(after: 20_000, sameDue: sameDue)
    )
    print("pages beside an old transaction, after 200 runs: \(few); after 20,000: \(many)")
    for (statement, pages) in few {
      #expect(pages > 0)
      #expect(many[statement, default: .max] <= pages * 2, "\(statement)")
    }
  }

  /// The poll did not find runs that became due between its beginning and the dispatch.
  @Test func `a dispatch during a poll does not move the marks past the poll's time`()
    async throws
  {
    try await NoteQueue.with { queue in
      let connection = try await queue.test.connect()
      let isBefore: [Bool] = try await connection.rolledBack(in: queue.test.schema) {
        try await queue.test.sql("update event_position set dispatched_at = clock_timestamp()")
        try await connection.script(
          Statement("test/prepare", "prepare planned as \(SQL.Queue.poll.text)"))
        try await connection.script(
          Statement(
            "test/poll",
            """
            create temporary table polled (a, b, c, d, e, f, g, h, dispatched_at)
            as execute planned(null, null, null, null, null, null, null, true)
            """))
        let mark = Statement("test/mark", "select dispatched_at <= now() from polled")
        let isBefore: [Bool] = try await connection.run(
          .rows(mark) { (row) throws(PostgresError) in try row.decode(Bool.self) })
        return isBefore
      }
      #expect(isBefore == [true])
      await connection.close()
    }
  }
}

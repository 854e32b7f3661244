import Foundation
import TestSupport
import Testing

/// Tests workers of two releases with the runs of each other.
@Suite(.timeLimit(.minutes(15))) struct ReleaseWorkTests {
  private static func withBoth(_ body: (Released) async throws -> Void) async throws {
    try await Released.with { released in
      for release in [1, 2] { try await released.program(release).succeed("migrate") }
      try await body(released)
    }
  }

  private func insert(_ keys: String..., in released: Released) async throws {
    let rows = keys.map { "('\($0)')" }.joined(separator: ",")
    try await released.sql("insert into item (key) values \(rows)")
  }

  @Test(.sampled())
  func `the older release reclaims and dead-letters the runs of the newer one`() async throws {
    try await Self.withBoth { released in
      let newer = try released.program(2).start("worker")
      defer { newer.signal(SIGKILL) }
      try await insert("hang-1", in: released)
      try await eventually("a run in the newer worker") {
        try await released.sql("select key from run where state = 'running'") == ["hang-1"]
      }
      let older = try released.program(1).start("worker")
      defer { older.signal(SIGKILL) }
      try await eventually("the older worker") {
        try await released.sql("select release from worker order by 1") == ["1", "2"]
      }
      newer.signal(SIGKILL)
      try await insert("bad-1", in: released)
      try await eventually("the work of the older release") {
        try await released.sql("select key, release from tally") == ["hang-1,1"]
      }
      try await eventually("the death of the other run") {
        try await released.sql("select key, attempt from dead_run") == ["bad-1,2"]
      }
      // The older release retries a dead run of the newer release, and the run dies again.
      try await released.program(1).succeed("runs", "retry", "--job", "tally-items")
      try await eventually("the second death") {
        try await released.sql("select key from dead_run") == ["bad-1"]
      }
      #expect(try await released.sql("select count(*) from run") == ["0"])
    }
  }

  @Test(.sampled())
  func `the older release merges into the runs of the newer one, and releases them`()
    async throws
  {
    try await Self.withBoth { released in
      let lock = try await released.lock("lock table tally")
      try await insert("k", in: released)
      for release in [2, 1] {
        let worker = try released.program(release).start("worker")
        defer { worker.signal(SIGKILL) }
        try await eventually("a claim of release \(release)") {
          try await released.sql(
            "select release from run r join worker w on w.id = r.worker where state = 'running'"
          ) == ["\(release)"]
        }
        // Another write becomes a waiting run, into which both releases merge.
        try await insert("k", in: released)
        try await eventually("a run that waits") {
          try await released.sql("select count(*) from run where state = 'ready'") == ["1"]
        }
        worker.signal(SIGTERM)
        worker.signal(SIGTERM)
        _ = try await worker.wait()
        try await eventually("the release of the run") {
          try await released.sql("select state, attempt from run") == ["ready,0"]
        }
      }
      try await lock.commit("select 1")
      try await released.program(1).succeed("worker", "--until-idle")
      #expect(try await released.sql("select key, release from tally") == ["k,1"])
    }
  }

  @Test(.enabled(if: TestSize.isFull, "releases under kills: make test-all"))
  func `nothing is lost while both releases start, end and are killed`() async throws {
    try await Self.withBoth { released in
      let seconds = TestSize.isFull ? 180 : 8
      let end = ContinuousClock.now + .seconds(seconds)
      let written = try await withThrowingTaskGroup(of: Int.self) { group in
        group.addTask { try await write(until: end, in: released) }
        for _ in 0..<3 {
          group.addTask {
            try await work(until: end, in: released)
            return 0
          }
        }
        return try await group.reduce(0, +)
      }
      // A run that failed, or whose worker was killed, may wait for its next attempt.
      let last = try released.program(1).start("worker")
      defer { last.signal(SIGKILL) }
      try await eventually("the end of all runs", within: .seconds(60)) {
        try await released.sql(
          "select (select count(*) from run) + (select count(*) from unfolded_event)") == ["0"]
      }
      #expect(
        try await released.sql(
          """
          select count(*) filter (where key like 'k%'), count(*) filter (where key like 'bad%') from item
          """) == ["\(written),\(written / 20)"])
      // Each run was processed once, or is dead if its key requests that.
      let wrong = try await released.sql(
        """
        select key, (select count(*) from tally t where t.key = i.key),
          (select string_agg(error, '; ') from dead_run d where d.key = i.key)
        from item i
        where (select count(*) from tally t where t.key = i.key)
            <> case when key like 'bad%' then 0 else 1 end
          or exists (select from dead_run d where d.key = i.key) <> (key like 'bad%')
        """)
      #expect(wrong == [])
      // Both releases have processed runs.
      #expect(
        try await released.sql("select distinct release from tally order by 1") == ["1", "2"])
      #expect(try await released.stored() == ["5", "0 4 * * *", "limit 5", "insert,update", "2"])
    }
  }

  /// Returns whether the time has passed and both releases have processed runs.
  ///
  /// On a busy machine, this may take 2 min longer.
  private func isOver(_ end: ContinuousClock.Instant, in released: Released) async throws -> Bool {
    guard .now >= end else { return false }
    let releases = try await released.sql("select count(distinct release) from tally")
    return releases == ["2"] || .now >= end + .seconds(120)
  }

  /// Inserts items, and returns how many of them can be processed.
  private func write(until end: ContinuousClock.Instant, in released: Released) async throws -> Int
  {
    var count = 0
    while try await !isOver(end, in: released) {
      try await released.sql(
        "insert into item (key) select 'k' || n from generate_series(\(count + 1), \(count + 20)) n"
      )
      count += 20
      try await insert("bad\(count)", in: released)
      try await Task.sleep(for: .milliseconds(50))
      // The limit of the newer release is slower than this writer, so a backlog would only grow.
      while try await hasBacklog(in: released), ContinuousClock.now < end {
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    return count
  }

  private func hasBacklog(in released: Released) async throws -> Bool {
    try await released.sql(
      "select (select count(*) from run) + (select count(*) from unfolded_event) > 300") == ["t"]
  }

  /// Runs one worker of a random release after another, and ends each of them in a random way.
  private func work(until end: ContinuousClock.Instant, in released: Released) async throws {
    while try await !isOver(end, in: released) {
      let program = released.program(Bool.random() ? 1 : 2)
      if Int.random(in: 0..<3) == 0 { try await program.succeed("migrate") }
      let worker = try program.start("worker")
      try await Task.sleep(for: .milliseconds(Int.random(in: 200...1_500)))
      worker.signal(Bool.random() ? SIGKILL : SIGTERM)
      let ended = try await worker.wait()
      #expect([0, 128 + SIGKILL, 128 + SIGTERM].contains(ended.status), "\(ended.errors)")
    }
  }
}

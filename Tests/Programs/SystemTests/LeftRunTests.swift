import Foundation
import TestSupport
import Testing

/// Tests runs that one release of a program cannot decode, and another release can.
@Suite(.timeLimit(.minutes(10))) struct LeftRunTests {
  private static func withBoth(_ body: (Released) async throws -> Void) async throws {
    try await Released.with { released in
      for release in [1, 2] {
        try await released.program(release, greets: true).succeed("migrate")
      }
      try await body(released)
    }
  }

  /// Enqueues `count` runs of each of the two jobs, with the payload of one release.
  private func enqueue(_ field: String, _ count: Int, in released: Released) async throws {
    for job in ["greet", "post-greeting"] {
      try await released.sql(
        """
        select enqueue('\(job)', '\(field)-' || n, '{"\(field)": "Ann"}') from generate_series(1, \(count)) n
        """)
    }
  }

  private func workers(
    _ releases: [Int], greets: Bool = true, in released: Released
  ) async throws -> [TestProcess] {
    var workers: [TestProcess] = []
    for release in releases {
      workers.append(try released.program(release, greets: greets).start("worker"))
      try await eventually("worker \(workers.count)") {
        try await released.sql("select count(*) from worker") == ["\(workers.count)"]
      }
    }
    return workers
  }

  private func expectEnd(_ released: Released) async throws {
    try await eventually("the end of all runs", within: .seconds(60)) {
      try await released.sql(
        "select (select count(*) from run) + (select count(*) from unfolded_event)") == ["0"]
    }
  }

  @Test(.sampled())
  func `each release works the runs that it can decode, and no attempt is lost`()
    async throws
  {
    try await Self.withBoth { released in
      let workers = try await workers([1, 1, 2], in: released)
      defer { for worker in workers { worker.signal(SIGKILL) } }
      try await enqueue("first", 200, in: released)
      try await enqueue("name", 200, in: released)
      try await expectEnd(released)
      #expect(
        try await released.sql(
          "select split_part(key, '-', 1), release, count(*) from tally group by 1, 2 order by 1")
          == ["first,2,200", "name,1,200"])
      #expect(
        try await released.sql(
          """
          select split_part(key, '-', 1), output ->> 'release', count(*) from run_history
          where job = 'post-greeting' group by 1, 2 order by 1
          """) == ["first,2,200", "name,1,200"])
      #expect(
        try await released.sql(
          "select (select count(*) from dead_run) + (select count(*) from failed_attempt)") == ["0"]
      )
    }
  }

  @Test(.sampled())
  func `a run waits for a release that lives, names the one that failed, and dies without it`()
    async throws
  {
    try await Self.withBoth { released in
      let workers = try await workers([2, 1], in: released)
      defer { for worker in workers { worker.signal(SIGKILL) } }
      // The newer release is alive, but processes nothing for now.
      workers[0].signal(SIGSTOP)
      try await enqueue("first", 1, in: released)
      let left = ["greet,-3,0,t", "post-greeting,-3,0,t"]
      try await eventually("runs that are left") {
        try await released.sql(
          """
          select job, batch_limit, attempt,
            last_error = 'release 1 of released cannot read the run: the payload cannot be read: name is missing'
          from run where state = 'ready' order by job
          """) == left
      }
      // While the newer release is alive, for at least 18 s, no worker claims the runs again.
      let claims = try await released.sql("select last_value from claim_number_seq")
      for _ in 1...5 {
        try await Task.sleep(for: .milliseconds(400))
        let seen = try await released.sql(
          """
          select last_value from claim_number_seq
          where exists (select from job_release where release = 2)
          """)
        #expect(seen == claims || seen == [])
      }
      #expect(
        try await released.program(1, greets: true).succeed("runs", "list")
          .contains("first-1"))
      #expect(
        try await released.program(1, greets: true).succeed("jobs", "list")
          .contains("greet"))
      workers[0].signal(SIGKILL)
      try await eventually("the death of both", within: .seconds(60)) {
        try await released.sql(
          """
          select job, attempt, error like 'release 1 of released cannot read the run: %name is missing'
          from dead_run order by job
          """) == ["greet,3,t", "post-greeting,3,t"]
      }
    }
  }

  @Test(.sampled())
  func `a run that no release can decode dies at its limit, and is not passed on forever`()
    async throws
  {
    try await Self.withBoth { released in
      let workers = try await workers([1, 2], in: released)
      defer { for worker in workers { worker.signal(SIGKILL) } }
      try await enqueue("other", 2, in: released)
      try await expectEnd(released)
      #expect(
        try await released.sql(
          "select job, attempt, count(*) from dead_run group by 1, 2 order by 1")
          == ["greet,3,2", "post-greeting,3,2"])
      #expect(try await released.sql("select count(*) from tally") == ["0"])
    }
  }

  @Test(.sampled()) func `no run is left to a release without the job`() async throws {
    try await Self.withBoth { released in
      let without = try await workers([2], greets: false, in: released)
      let workers = try released.program(1, greets: true).start("worker")
      defer {
        without[0].signal(SIGKILL)
        workers.signal(SIGKILL)
      }
      try await enqueue("first", 1, in: released)
      try await eventually("the death of both") {
        try await released.sql("select job, attempt from dead_run order by 1")
          == ["greet,3", "post-greeting,3"]
      }
    }
  }
}

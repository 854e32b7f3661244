import Foundation
import TestSupport
import Testing

/// A worker that blocks when it writes a log line.
@Suite(.timeLimit(.minutes(5)))
struct BlockedLogTests {
  @Test(.sampled()) func `a log pipe that is not read stops no heartbeat and no signal`()
    async throws
  {
    let folder = try TemporaryFolder()
    let pipe = try LogPipe(path: folder.path + "/log")
    defer { pipe.close() }
    try await expectLife(log: pipe.path) {
      pipe.block(true)
      // The reader may still be reading.
      try await Task.sleep(for: .milliseconds(300))
      pipe.fill()
    }
  }

  @Test(.sampled()) func `a terminal that is stopped stops no heartbeat and no signal`()
    async throws
  {
    let terminal = try Terminal()
    // Ctrl-S stops the output of the terminal.
    try await expectLife(log: terminal.path) { try terminal.type("\u{13}") }
  }

  /// Blocks the log of a worker while each run causes a warning.
  private func expectLife(log: String, _ block: () async throws -> Void) async throws {
    try await TestSchema.with { schema in
      let worker = try schema.gymrats.start(
        bash: #"exec "$0" "$@" 2> "#.appending(log), ["worker"])
      defer { worker.signal(SIGKILL) }
      try await eventually("the worker") {
        try await schema.sql("select count(*) from worker") == ["1"]
      }
      try await block()
      // These jobs cannot read the keys. The warnings of several jobs block the threads of all
      // executors.
      try await schema.sql(
        """
        select enqueue(job, n::text)
        from unnest('{purge-runs,retention,verify-boards}'::text[]) job, generate_series(1, 3) n
        """)
      try await eventually("a failed run") {
        try await schema.sql("select count(*) from run where attempt > 0") != ["0"]
      }
      try await schema.expectHeartbeats()
      try await worker.expectEnd()
    }
  }
}

extension TestSchema {
  /// Waits for two more heartbeats of the only worker.
  func expectHeartbeats() async throws {
    for _ in 0..<2 {
      let now = try #require(
        try await sql("select extract(epoch from clock_timestamp())").first)
      try await eventually("a heartbeat", within: .seconds(5)) {
        try await sql(
          "select count(*) from worker where extract(epoch from heartbeat_at) > \(now)") == ["1"]
      }
    }
  }
}

extension TestProcess {
  /// Expects that two signals end a blocked worker.
  func expectEnd() async throws {
    signal(SIGTERM)
    // Two signals of one kind that are sent together are one.
    try await Task.sleep(for: .milliseconds(200))
    // The first signal gives the worker 9.5 s, and the second one 2 s.
    signal(SIGTERM)
    let ended = try await wait(within: .seconds(8))
    #expect([0, 75].contains(ended.status))
  }
}

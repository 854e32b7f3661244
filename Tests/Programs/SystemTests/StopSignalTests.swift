import Foundation
import TestSupport
import Testing

/// Tests signals with a meaning other than an orderly stop.
///
/// docs/guides/deploying.md describes each signal.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct StopSignalTests {
  /// Calls the body with a worker whose job waits for a lock.
  private func withBusyWorker(
    bash line: String = #"exec "$0" "$@""#,
    _ body: (TestSchema, TestProcess, HeldLock) async throws -> Void
  ) async throws {
    try await TestSchema.with { schema in
      let people = People(schema)
      try await people.join("u1", group: "g")
      #expect(try await people.record("u1", "w1", at: "now() - interval '1 second'") == "accepted")
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await schema.holding("select from board_version for update") { lock in
        #expect(try await people.record("u1", "w2") == "accepted")
        let worker = try schema.gymrats.start(bash: line, ["worker"])
        defer { worker.signal(SIGKILL) }
        try await lock.waitUntilItBlocks()
        try await body(schema, worker, lock)
      }
      // Whatever happened to the worker, no run is lost or dead.
      try await schema.gymrats.succeed("worker", "--until-idle", within: .seconds(60))
      #expect(try await people.published("u1") == 2)
      #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
    }
  }

  @Test(.sampled(), arguments: [(SIGTERM, SIGTERM), (SIGINT, SIGINT), (SIGHUP, SIGTERM)])
  func `a second signal rolls back at once and gives the runs back`(
    first: Int32, second: Int32
  ) async throws {
    try await withBusyWorker { schema, worker, lock in
      worker.signal(first)
      try await eventually("a worker that stops, and still works") {
        try await schema.sql("select count(*) from run where state = 'running'") != ["0"]
      }
      try #require(worker.isRunning)
      // Two signals of one kind that are sent together count as one.
      try await Task.sleep(for: .milliseconds(200))
      // The limit is below the 8 s of the first signal.
      try await expectTime(below: .seconds(7), "the end after a second signal") {
        worker.signal(second)
        // On a busy machine, the worker may receive both signals as one.
        for _ in 1...40 where worker.isRunning { try await Task.sleep(for: .milliseconds(50)) }
        worker.signal(second)
        #expect(try await worker.wait(within: .seconds(20)).status == 0)
      }
      let runs = try await schema.sql("select state, attempt, crashes from run")
      #expect(!runs.isEmpty && Set(runs) == ["ready,0,0"], "\(runs)")
      #expect(try await schema.sql("select count(*) from worker") == ["0"])
    }
  }

  @Test(.sampled()) func `two signals end a worker whose stderr is full at its start`()
    async throws
  {
    try await TestSchema.with { schema in
      let fullPipe =
        #"f=$(mktemp -u); mkfifo "$f"; exec 3<> "$f"; rm "$f"; head -c 65536 /dev/zero >&3; "#
      let worker = try schema.gymrats.start(
        bash: fullPipe + #"exec "$0" "$@" 2>&3"#, ["worker"])
      defer { worker.signal(SIGKILL) }
      try await eventually("its session") {
        try await schema.sql(
          """
          select count(*) from pg_stat_activity where application_name like 'gymrats%'
            and datname = current_database()
          """) != ["0"]
      }
      // The worker writes its first line within this time.
      try await Task.sleep(for: .seconds(1) * patience)
      #expect(try await schema.sql("select count(*) from worker") == ["0"])
      worker.signal(SIGTERM)
      try await Task.sleep(for: .milliseconds(200))
      worker.signal(SIGTERM)
      #expect(try await worker.wait(within: .seconds(8)).status == 75)
    }
  }

  @Test(
    .sampled(), .enabled(if: Strace.isInstalled, "strace"),
    arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal in the first moment of a worker ends it with 0`(number: Int32) async throws {
    let folder = try TemporaryFolder()
    let settings = folder.path + "/settings"
    try "BATON_CONCURRENCY=2\n".write(toFile: settings, atomically: true, encoding: .utf8)
    try await TestSchema.with { schema in
      // The process is stopped while it opens its settings, before it has parsed its command.
      let process = try TestProcess(
        "/usr/bin/strace",
        [
          "-qq", "-o", "/dev/null", "-P", settings, "-e", "trace=openat", "-e",
          "inject=openat:delay_enter=3000000:when=1", try BatonProgram.path, "--config", settings,
          "worker",
        ],
        environment: schema.gymrats.environment.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own
        },
        directory: "/")
      let worker = try await heldChild(of: process)
      kill(worker, number)
      #expect(try await process.wait(within: .seconds(20)).status == 0)
    }
  }

  @Test(.sampled(), arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal while the program creates its jobs ends a worker with 0`(number: Int32)
    async throws
  {
    try await Released.with { released in
      var program = released.program(1)
      try await program.succeed("migrate")
      program.environment["RELEASED_PAUSE"] = "5"
      let worker = try program.start("worker")
      defer { worker.signal(SIGKILL) }
      try await eventually("a program that creates its jobs") {
        worker.errorsSoFar.contains("creating jobs")
      }
      worker.signal(number)
      #expect(try await worker.wait(within: .seconds(20)).status == 0)
    }
  }

  /// Returns the child of strace when it is stopped in a call that opens a file.
  private func heldChild(of strace: TestProcess) async throws -> Int32 {
    var child: Int32?
    var looks = 0
    try await eventually("a process that strace holds") {
      let path = "/proc/\(strace.id)/task/\(strace.id)/children"
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      child = text.split(separator: " ").first.flatMap { Int32($0) }
      let call = child.flatMap {
        try? String(contentsOfFile: "/proc/\($0)/syscall", encoding: .utf8)
      }
      // The loader also opens files, but only briefly. The number of `openat` differs on ARM.
      let isOpening = ["257 ", "56 "].contains { call?.hasPrefix($0) == true }
      looks = isOpening ? looks + 1 : 0
      return looks > 25
    }
    return try #require(child)
  }

  @Test(.sampled()) func `a second signal ends a worker too whose server does not answer`()
    async throws
  {
    try await withBusyWorker { schema, worker, lock in
      let busy = try await schema.sql(
        """
        select pid from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%board_version%'
          and datname = current_database()
        """
      )
      let backends = busy.compactMap { Int32($0) }
      try #require(!backends.isEmpty)
      for backend in backends { kill(backend, SIGSTOP) }
      defer { for backend in backends { kill(backend, SIGCONT) } }
      worker.signal(SIGTERM)
      try await Task.sleep(for: .milliseconds(200))
      worker.signal(SIGTERM)
      #expect(try await worker.wait(within: .seconds(8)).status == 75)
      #expect(try await schema.sql("select count(*) from run where state = 'running'") != ["0"])
    }
  }

  @Test(.sampled()) func `a run by hand ends too if its server does not answer`()
    async throws
  {
    try await TestSchema.with { schema in
      let people = People(schema)
      try await people.join("u1", group: "g")
      #expect(try await people.record("u1", "w1") == "accepted")
      try await schema.gymrats.succeed("worker", "--until-idle")
      let board = try #require(try await schema.sql("select id from challenge limit 1").first)
      try await schema.holding("select from board_version for update") { lock in
        let run = try schema.gymrats.start("run", "recompute-ranks", "--key", board)
        defer { run.signal(SIGKILL) }
        try await lock.waitUntilItBlocks()
        let backends = try await schema.sql(
          """
          select pid from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()
          """
        ).compactMap { Int32($0) }
        try #require(!backends.isEmpty)
        for backend in backends { kill(backend, SIGSTOP) }
        defer { for backend in backends { kill(backend, SIGCONT) } }
        run.signal(SIGTERM)
        #expect(try await run.wait(within: .seconds(20)).status == 75)
      }
    }
  }

  @Test(.sampled(), arguments: [SIGTERM, SIGINT])
  func `commands that wait for a running run end at once`(number: Int32) async throws {
    try await withBusyWorker { schema, worker, lock in
      let runs = try await schema.sql(
        "select id, key from run where job = 'recompute-ranks' and state = 'running'")
      let parts = try #require(runs.first).split(separator: ",").map(String.init)
      let run = try schema.gymrats.start("run", "recompute-ranks", "--key", parts[1])
      let waiter = try schema.gymrats.start("runs", "wait", parts[0])
      defer { for command in [run, waiter] { command.signal(SIGKILL) } }
      try await eventually("two commands that wait") {
        try await schema.sql(
          """
          select (select count(*) from worker), count(*) from pg_stat_activity
          where application_name = 'gymrats' and datname = current_database()
          """) == ["2,1"]
      }
      try await expectTime(below: .seconds(2), "the end of waiting commands") {
        for command in [run, waiter] { command.signal(number) }
        let (ended, waited) = (
          try await run.wait(within: .seconds(10)), try await waiter.wait(within: .seconds(10))
        )
        #expect(ended.status == 75)
        #expect(waited.status == 128 + number)
      }
      #expect(try await schema.sql("select count(*) from worker") == ["1"])
      worker.signal(SIGTERM)
      try await lock.release()
      #expect(try await worker.wait(within: .seconds(20)).status == 0)
    }
  }

  /// A listener without a PostgreSQL server completes the TCP handshake and never responds.
  @Test(.sampled(), arguments: [true, false])
  func `serve and worker end while their database is away`(isSilent: Bool) async throws {
    let port = try Listener.unusedPort()
    let silent = try isSilent ? Listener(port: port) : nil
    defer { withExtendedLifetime(silent) {} }
    let gymrats = BatonProgram(environment: [
      "DATABASE_URL": "postgresql://someone@127.0.0.1:\(port)/postgres"
    ])
    let serve = try gymrats.start("serve", "--http", "127.0.0.1:0")
    let worker = try gymrats.start("worker")
    defer { for program in [serve, worker] { program.signal(SIGKILL) } }
    let client = try await serve.httpClient()
    #expect(try await client.get("/health/ready").status == 503)
    try await eventually("a worker that waits") {
      worker.errorsSoFar.contains("waiting for the server")
    }
    try await expectTime(below: .seconds(3), "the end of serve") {
      serve.signal(SIGTERM)
      let ended = try await serve.wait(within: .seconds(10))
      #expect(ended.status == 0)
    }
    worker.signal(SIGTERM)
    #expect(try await worker.wait(within: .seconds(10)).status == 0)
  }

  @Test(.sampled()) func `SIGHUP stops a worker, unless nohup has made it deaf to it`()
    async throws
  {
    try await withBusyWorker { schema, worker, lock in
      worker.signal(SIGHUP)
      try await lock.release()
      #expect(try await worker.wait(within: .seconds(10)).status == 0)
      #expect(try await schema.sql("select count(*) from worker") == ["0"])
    }
    try await withBusyWorker(bash: #"trap '' HUP; exec "$0" "$@""#) { schema, worker, lock in
      worker.signal(SIGHUP)
      try await lock.release()
      let people = People(schema)
      try await eventually("the work") { try await people.published("u1") == 2 }
      #expect(worker.isRunning)
      worker.signal(SIGTERM)
      #expect(try await worker.wait(within: .seconds(10)).status == 0)
    }
  }

  @Test(.sampled())
  func `SIGQUIT ends a worker as SIGKILL does, and another takes its runs over`()
    async throws
  {
    try await withBusyWorker { (schema, worker, _) async throws in
      worker.signal(SIGQUIT)
      #expect(try await worker.wait(within: .seconds(5)).status == 128 + SIGQUIT)
      #expect(try await schema.sql("select count(*) from run where state = 'running'") != ["0"])
    }
  }
}

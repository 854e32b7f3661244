import BatonJobs
import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import JobRunner

/// Outages in which the server responds to every statement with an error.
@Suite(.timeLimit(.minutes(5)))
struct OutageTests {
  /// Runs `body` together with a worker with this log, and expects that the worker ends without an
  /// error.
  private func working(
    _ queue: CountQueue, _ logger: LogLines, _ body: (Worker) async throws -> Void
  ) async throws {
    let worker = Worker(
      [queue.job], on: queue.configuration, schema: queue.schema,
      options: .init(concurrency: 2), logger: logger.logger)
    async let run: Void = worker.run()
    let result: Result<Void, any Error>
    do { result = .success(try await body(worker)) } catch { result = .failure(error) }
    worker.stop()
    try await run
    try result.get()
  }

  /// Makes each write to a table fail, and counts the attempts in a sequence, whose value survives
  /// a rollback.
  private func failing(_ table: String, _ code: String, _ queue: CountQueue) async throws {
    try await queue.sql("create sequence if not exists tries")
    try await queue.sql(
      """
      create or replace function fail_write() returns trigger language plpgsql set search_path from current as $$
      begin
        perform nextval('tries');
        raise exception 'could not extend file "base/1/%": No space left on device', nextval('tries')
          using errcode = '\(code)';
      end $$
      """)
    try await queue.sql(
      """
      create trigger fail_write before insert or update or delete on \(table)
      for each statement execute function fail_write()
      """)
  }

  @Test(.sampled(), arguments: ["run", "worker"])
  func `a full disk is asked now and then, and logged once`(table: String) async throws {
    try await CountQueue.with { queue in
      let lines = LogLines()
      try await working(queue, lines) { worker in
        try await eventually("a worker") { worker.pulse == .working }
        let began = ContinuousClock.now
        try await failing(table, "53100", queue)
        for number in 1...20 { try await queue.write("k\(number)") }
        try await eventually("a worker that says so", within: .seconds(30)) {
          table == "run" ? worker.pulse == .failing : !lines.all.isEmpty
        }
        // This is not a wait for a condition: the test counts the log lines and statements during
        // this time.
        try await Task.sleep(for: .seconds(6))
        let asked = try await queue.sql("select last_value / 2 from tries")
        print("asked \(asked) times, \(lines.all.count) lines")
        // A busy machine may sleep for longer.
        let seconds = Int(began.duration(to: .now) / .seconds(1))
        #expect(asked.first.flatMap { Int($0) } ?? .max < max(60, seconds * 8))
        // One line is logged for each failing task, not for each attempt.
        #expect(lines.all.count <= 6, "\(lines.all)")
        if table == "run" { try await expectFailure("SQLSTATE 53100", queue) }
        try await queue.sql("drop trigger fail_write on \(table)")
        try await queue.expectEverythingOnce()
        try await eventually("a worker that is ready") { worker.pulse == .working }
        try await eventually("status reads no failure") {
          try await queue.look { try await $0.observe() }.workers.allSatisfy { $0.failure == nil }
        }
      }
    }
  }

  private func expectFailure(_ reason: String, _ queue: CountQueue) async throws {
    try await eventually("status reads the failure") {
      let observation = try await queue.look { try await $0.observe() }
      return observation.hasOnlyFailingWorkers
        && observation.workers.map { $0.failure?.reason } == [reason]
    }
  }

  @Test(.sampled())
  func `a worker that may not claim runs fails, although its polls succeed`() async throws {
    try await CountQueue.with { queue in
      try await working(queue, LogLines()) { worker in
        try await eventually("a worker") { worker.pulse == .working }
        let idle = try await queue.look { try await $0.observe() }
        #expect(!idle.hasOnlyFailingWorkers)
        // There is no event, so only the claim of the run fails.
        try await queue.sql(
          """
          insert into run (job, key, state, due, first_event_at, last_event_at)
          values ('count', 'k1', 'ready', now() + interval '2 s', now(), now())
          """)
        try await failing("run", "42501", queue)
        try await expectFailure("SQLSTATE 42501", queue)
        #expect(worker.pulse == .failing)
        try await queue.sql("drop trigger fail_write on run")
        try await eventually("a worker that is ready") { worker.pulse == .working }
      }
    }
  }

  @Test(.sampled(), arguments: [true, false])
  func `a server that is read-only for a while ends no worker, which is not ready`(
    endsSessions: Bool
  ) async throws {
    try await CountQueue.with { queue in
      let database = try await queue.sql("select current_database()")[0]
      let lines = LogLines()
      try await working(queue, lines) { worker in
        try await eventually("a worker") { worker.pulse == .working }
        try await queue.write("k1")
        let connection = try await Connection.open(queue.configuration)
        func change(_ value: String) async throws {
          try await connection.script(
            Statement(
              "test/change",
              """
              set session characteristics as transaction read write;
              alter database \(database) set default_transaction_read_only = \(value)
              """))
          // A session keeps the default with which it began, so the worker must replace it.
          guard endsSessions || value == "on" else { return }
          try await connection.script(
            Statement(
              "test/end",
              """
              select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and pid <> pg_backend_pid()
              """))
        }
        try await change("on")
        try await eventually("a worker that is not ready", within: .seconds(20)) {
          worker.pulse == .failing
        }
        #expect(!worker.isStopping)
        try await change("off")
        try await queue.write("k2")
        try await queue.expectEverythingOnce()
        try await eventually("a worker that is ready") { worker.pulse == .working }
        await connection.close()
      }
      #expect(lines.all.count < 15, "\(lines.all)")
    }
  }

  @Test func `a claim whose end cannot be written stays in doubt until it is`() {
    let claims = HeldClaims()
    let token = UUID()
    claims.begin(token)
    claims.abandon(token)
    // A release that began at this time gives no information about a claim that the server may
    // still execute.
    claims.released(since: .now)
    #expect(claims.isInDoubt)
    // Only a release ends the doubt, even if releases fail for a long time.
    claims.released(since: .now + .seconds(61))
    #expect(!claims.isInDoubt)
  }

  /// The runs of the part have the token of the claim, which is known until the last part ends.
  @Test func `a part of a claim whose end cannot be written is in doubt after the last part`() {
    let claims = HeldClaims()
    let token = UUID()
    claims.begin(token)
    claims.divide(token, into: 3)
    claims.abandon(token)
    claims.end(token)
    claims.released(since: .now + .seconds(61))
    #expect(claims.known == [token])
    #expect(!claims.isInDoubt)
    claims.end(token)
    #expect(claims.known.isEmpty)
    #expect(claims.isInDoubt)
    claims.released(since: .now + .seconds(61))
    #expect(!claims.isInDoubt)
  }

  @Test(.sampled()) func `a failure whose text cannot be stored is settled without it`()
    async throws
  {
    try await CountQueue.with { queue in
      try await queue.sql(
        """
        create function refuse_text() returns trigger language plpgsql as $$
        begin
          if new.error ~ '[^ -~]' then
            raise exception 'character has no equivalent in encoding' using errcode = '22P05';
          end if;
          return new;
        end $$
        """)
      for table in ["dead_run", "failed_attempt"] {
        try await queue.sql(
          "create trigger refuse_text before insert on \(table) for each row execute function refuse_text()"
        )
      }
      try await queue.write("bad \u{2192} \u{65E5}\u{672C}")
      let lines = LogLines()
      try await working(queue, lines) { _ in
        try await eventually("a dead run") { try await queue.count("dead_run") == 1 }
      }
      #expect(try await queue.sql("select error from dead_run") == ["\"bad ? ?? always fails\""])
    }
  }
}

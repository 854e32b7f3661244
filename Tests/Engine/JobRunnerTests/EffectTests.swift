import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests effects, which are performed outside transactions and end with a check of the fence.
@Suite struct EffectTests {
  @Test func `an effect is performed once and its output is kept`() async throws {
    try await SendQueue.with { queue in
      try await queue.enqueue("a", "b")
      try await queue.withWorker { _ in
        try await eventually("both are done") { try await queue.count("run_history") == 2 }
      }
      #expect(queue.sent.letters.map(\.key).sorted() == ["a", "b"])
      let kept = try await queue.test.sql(
        "select (output ->> 'number')::bigint = id from run_history")
      #expect(kept == ["t", "t"])
      #expect(try await queue.count("run") == 0)
    }
  }

  @Test func `nobody sees an open transaction while it is performed`() async throws {
    try await SendQueue.with { queue in
      for number in 1...20 { try await queue.enqueue("\(number)", what: "wait") }
      try await queue.withWorker { _ in
        try await eventually("eight are performed") { queue.sent.letters.count == 8 }
        // Eight effects are in progress. Polls of the dispatcher are short, so no connection is in
        // a transaction for long.
        let open = """
          pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
            and xact_start < clock_timestamp() - interval '100 ms'
          """
        #expect(try await queue.count(open) == 0)
        let connections = try await queue.count(
          "pg_stat_activity where datname = current_database() and backend_type = 'client backend'")
        // The connections are: the dispatcher, the heartbeats, two executors, one for claims, two
        // for completions, and the test.
        #expect(connections <= 8, "\(connections) connections for eight effects")
        queue.sent.open()
        try await eventually("all are done") { try await queue.count("run") == 0 }
      }
      #expect(Set(queue.sent.letters.map(\.id)).count == 20)
    }
  }

  @Test func `one run at a time of a key`() async throws {
    try await SendQueue.with { queue in
      try await queue.enqueue("a", what: "wait")
      try await queue.withWorker { _ in
        try await eventually("it is performed") { queue.sent.letters.count == 1 }
        try await queue.enqueue("a")
        try await eventually("two runs wait") { try await queue.count("run") == 2 }
        try await Task.sleep(for: .milliseconds(300))
        #expect(Set(queue.sent.letters.map(\.id)).count == 1)
        queue.sent.open()
        try await eventually("the second is performed") {
          Set(queue.sent.letters.map(\.id)).count == 2
        }
      }
    }
  }

  @Test func `one that fails is tried again with its id, and dies with its reason`() async throws {
    try await SendQueue.with { queue in
      try await queue.enqueue("a", what: "fail once")
      try await queue.enqueue("b", what: "fail")
      try await queue.enqueue("c", what: "refuse")
      try await queue.withWorker { _ in
        try await eventually("two are dead and one is done") {
          let dead = try await queue.count("dead_run")
          let left = try await queue.count("run")
          return dead == 2 && left == 0
        }
      }
      let letters = Dictionary(grouping: queue.sent.letters, by: \.key)
      #expect(letters["a"]?.map(\.attempt) == [1, 2])
      #expect(letters["b"]?.map(\.attempt) == [1, 2, 3])
      #expect(letters["c"]?.map(\.attempt) == [1])
      #expect(
        letters.values.allSatisfy { Set($0.map(\.id)).count == 1 }, "the id stays over attempts")
      let dead = try await queue.test.sql("select key, attempt, error from dead_run order by key")
      #expect(dead == ["b,3,\"the other side is down\"", "c,1,\"there is no such address\""])
    }
  }

  @Test func `an effect that cannot connect to another database uses up its attempts`() async throws
  {
    try await SendQueue.with { queue in
      try await queue.enqueue("a", what: "other database")
      try await queue.withWorker { _ in
        try await eventually("it is dead") { try await queue.count("dead_run") == 1 }
      }
      #expect(queue.sent.letters.map(\.attempt) == [1, 2, 3])
    }
  }

  @Test(.sampled(), arguments: ["42501", "42P10", "XX000", "54000"])
  func `one that happened is completed when the error of its completion has passed`(
    code: String
  ) async throws {
    try await SendQueue.with { queue in
      try await queue.test.sql(
        """
        create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'not now' using errcode = '\(code)'; end $$
        """)
      try await queue.test.sql(
        "create trigger refuse before delete on run for each row execute function refuse()")
      try await queue.enqueue("a")
      try await queue.withWorker { _ in
        try await eventually("it is performed") { queue.sent.letters.count == 1 }
        try await Task.sleep(for: .milliseconds(500))
        #expect(try await queue.test.sql("select state, attempt from run") == ["running,1"])
        try await queue.test.sql("drop trigger refuse on run")
        try await eventually("it is done") { try await queue.count("run_history") == 1 }
      }
      #expect(queue.sent.letters.count == 1, "another attempt would perform it again")
    }
  }

  @Test func `what it writes stands behind the fence, and may end the run`() async throws {
    try await SendQueue.with { queue in
      try await queue.enqueue("a", what: "write")
      try await queue.enqueue("b", what: "write and end")
      try await queue.withWorker { _ in
        try await eventually("both are done") { try await queue.count("run_history") == 2 }
      }
      #expect(try await queue.test.sql("select key from noted order by key") == ["a", "b"])
      #expect(try await queue.count("run_history where outcome = 'done'") == 2)
      #expect(queue.sent.letters.count == 2, "an error behind its end changes nothing")
    }
  }

  @Test func `a transaction of an effect whose run another worker has claimed writes nothing`()
    async throws
  {
    try await SendQueue.with { queue in
      try await queue.enqueue("a", what: "wait, then write")
      try await queue.withWorker { _ in
        try await eventually("it is performed") { queue.sent.letters.count == 1 }
        // If the run still belonged to the first worker, the worker would release it and perform it
        // again.
        try await queue.takeOver()
        queue.sent.open()
        try await eventually("its transaction has ended") { !queue.sent.ends.isEmpty }
        #expect(queue.sent.ends == ["ZB011"])
        #expect(try await queue.count("noted") == 0)
        #expect(try await queue.count("run where state = 'running'") == 1)
        #expect(try await queue.count("run_history") == 0)
      }
    }
  }

  @Test func `a late completion of a run that another worker has claimed changes nothing`()
    async throws
  {
    try await SendQueue.with { queue in
      try await queue.enqueue("a", what: "wait")
      try await queue.withWorker { _ in
        try await eventually("it is performed") { queue.sent.letters.count == 1 }
        try await queue.test.sql("update run set token = gen_random_uuid()")
        queue.sent.open()
        try await Task.sleep(for: .milliseconds(300))
        // Its late completion affects no row.
        #expect(try await queue.count("run where state = 'running'") == 1)
        #expect(try await queue.count("run_history") == 0)
        try await queue.test.sql("delete from run")
      }
    }
  }

  @Test func `an effect is not performed if the lease ended after its claim was sent`()
    async throws
  {
    try await SendQueue.with { queue in
      try await queue.enqueue("a")
      let job = SendJob.registered(queue.sent)
      let registration = Registration(
        of: WorkerContext([job], logger: .quiet), on: queue.test.configuration,
        in: queue.test.schema)
      let session = try await registration.control.session()
      try await registration.enter(on: session)
      _ = try await Queue(session).fold()
      let executor = registration.makeSharingExecutor()
      guard var claim = try await executor.claim(job) else { throw TestFailure("no run is due") }
      // While the claim was sent, the lease ended, and a heartbeat began the current term.
      claim.term -= 1
      await executor.finish(claim)
      #expect(queue.sent.letters.isEmpty)
      #expect(try await queue.test.sql("select state, attempt from run") == ["ready,0"])
      await executor.close()
      try await registration.leave(on: registration.control.session())
      await registration.control.close()
    }
  }

  @Test(.sampled()) func `one that is too slow is cancelled and tried again`() async throws {
    try await SendQueue.with { queue in
      try await queue.enqueue("a", what: "slow", job: "brief-send")
      try await queue.withWorker(isBrief: true) { _ in
        try await eventually("it is dead") { try await queue.count("dead_run") == 1 }
      }
      #expect(queue.sent.letters.map(\.attempt) == [1, 2, 3])
      #expect(try await queue.test.sql("select error from dead_run")[0].contains("took longer"))
    }
  }

  @Test(.sampled())
  func `ones that block hold up neither others nor the worker, and are given up`()
    async throws
  {
    try await SendQueue.with { queue in
      // There are more effects than cores, but fewer than the job's concurrency.
      for number in 1...6 {
        try await queue.enqueue("blocked \(number)", what: "block", job: "brief-send")
      }
      try await queue.withWorker(isBrief: true) { _ in
        try await eventually("six block") { queue.sent.letters.count == 6 }
        try await queue.enqueue("free", job: "brief-send")
        try await eventually("the other one is done", within: .seconds(3)) {
          try await queue.count("run_history") == 1
        }
        // The timeout is half a second, and the patience is five more seconds. After that, other
        // workers get the runs.
        try await eventually("one is given up", within: .seconds(12)) {
          try await queue.count("run where last_error like '%took longer%'") >= 1
        }
        queue.sent.open()
        try await eventually("all are done") { try await queue.count("run") == 0 }
      }
    }
  }

  @Test(.sampled()) func `a worker whose executors all are lost ends`() async throws {
    try await SendQueue.with { queue in
      for number in 1...8 {
        try await queue.enqueue("blocked \(number)", what: "block", job: "brief-send")
      }
      let worker = Worker(
        [BriefSendJob.registered(queue.sent)], on: queue.test.configuration,
        schema: queue.test.schema, options: Worker.Options(grace: .milliseconds(200)),
        logger: .quiet)
      await #expect(throws: LostExecutors.self) { try await worker.run() }
      #expect(try await queue.count("run where state = 'running'") == 0)
      queue.sent.open()
    }
  }

  @Test(.sampled()) func `a drain ends if all executors of a job are lost`() async throws {
    try await SendQueue.with { queue in
      for number in 1...8 {
        try await queue.enqueue("blocked \(number)", what: "block", job: "brief-send")
      }
      defer { queue.sent.open() }
      await #expect(throws: LostExecutors.self) { _ = try await queue.test.drain() }
    }
  }

  @Test func `a stop asks what is performed to end, and gives its runs back with their attempt`()
    async throws
  {
    try await SendQueue.with { queue in
      try await queue.enqueue("a", what: "wait")
      try await queue.withWorker { _ in
        try await eventually("it is performed") { queue.sent.letters.count == 1 }
      }
      #expect(try await queue.test.sql("select state, attempt from run") == ["ready,0"])
      #expect(try await queue.count("worker") == 0)
    }
  }

  @Test(.sampled(), arguments: ["large", "nul", "nan"])
  func `an output that cannot be kept is not, and the run is done`(what: String) async throws {
    try await SendQueue.with { queue in
      try await queue.enqueue("a", what: what)
      #expect(try await queue.test.drain() == 0)
      #expect(
        try await queue.test.sql("select outcome, output is null, attempt from run_history")
          == ["done,t,1"])
    }
  }

  @Test func `a drain and a run by hand perform too`() async throws {
    try await SendQueue.with { queue in
      for number in 1...20 { try await queue.enqueue("\(number)") }
      #expect(try await queue.test.drain() == 0)
      #expect(try await queue.count("run_history") == 20)
      let runner = InlineRunner(
        SendJob.registered(queue.sent), on: queue.test.configuration, schema: queue.test.schema,
        logger: .quiet)
      #expect(try await runner.work(key: "by hand") == .done(runs: 1, report: Report()))
      #expect(queue.sent.letters.map(\.key) == ["by hand"])
    }
  }

  @Test func `a dry run of an effect is refused, whoever asks`() async throws {
    try await SendQueue.with { queue in
      try await queue.enqueue("a")
      let runner = InlineRunner(
        SendJob.registered(queue.sent), on: queue.test.configuration, schema: queue.test.schema,
        logger: .quiet)
      await #expect(throws: NoDryRun(job: "send")) {
        try await runner.dryRun(key: "a") { _, _ in () }
      }
      await #expect(throws: NoDryRun(job: "send")) { try await runner.removals(key: "a") }
      #expect(queue.sent.letters.isEmpty)
    }
  }

  @Test func `claims of effects wait for the disk, and others do not`() async throws {
    try await SendQueue.with { queue in
      let connection = try await queue.test.connect()
      for (isDurable, expected) in [(true, "on"), (false, "off")] {
        let (_, shown): (Void, [String]) = try await connection.atomically(
          in: queue.test.schema, .run(SQL.Queue.limitClaim, Int64(10), isDurable),
          .rows(Statement("test/show", "select current_setting('synchronous_commit')")) {
            @Sendable (row) throws(PostgresError) in try row.decode(String.self)
          })
        #expect(shown == [expected])
      }
      await connection.close()
    }
  }

  @Test func `the token says whether a claim is of an effect, whatever the schema says of the job`()
    async throws
  {
    try await SendQueue.with { queue in
      try await queue.enqueue("a", what: "wait")
      try await queue.withWorker { _ in
        try await eventually("it is performed") { queue.sent.letters.count == 1 }
        let version = "substr(token::text, 15, 1)"
        #expect(try await queue.test.sql("select \(version) from run") == ["8"])
        #expect(
          try await queue.test.sql("select is_direct, performs_effects from worker") == ["t,t"])
        queue.sent.open()
      }
    }
  }
}

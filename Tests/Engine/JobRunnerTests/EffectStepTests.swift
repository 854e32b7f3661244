import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests the durable steps of effects, whose results are stored and final.
@Suite(.timeLimit(.minutes(5))) struct EffectStepTests {
  @Test func `an effect performs its steps once, and the end of the run deletes them`() async throws
  {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("plain")
      #expect(try await queue.test.drain() == 0)
      #expect(queue.till.keys == ["\(id)/charge", "\(id)/mail"])
      #expect(try await queue.test.sql("select attempt, output from run_history") == ["1,[1]"])
      for table in ["run", "run_checkpoint", "run_step"] {
        #expect(try await queue.test.count(table) == 0, "\(table)")
      }
    }
  }

  @Test func `a failed attempt continues after the last stored step, whose result is final`()
    async throws
  {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("bad-1")
      try await queue.workOnce()
      #expect(try await queue.memo.runs() == ["bad-1,running,f,t"])
      #expect(try await queue.steps() == ["\(id)/charge/1"])
      queue.till.open()
      #expect(try await queue.test.drain() == 0)
      #expect(queue.till.keys == ["\(id)/charge", "\(id)/mail"])
      // The output contains the number of the first attempt's receipt.
      #expect(try await queue.test.sql("select attempt, output from run_history") == ["2,[1]"])
      #expect(try await queue.test.count("run_step") == 0)
    }
  }

  @Test func `attempts that fail after a stored step count`() async throws {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("bad-1")
      #expect(try await queue.test.drain() == 1)
      #expect(try await queue.test.sql("select attempt from dead_run") == ["3"])
      #expect(queue.till.keys == ["\(id)/charge"])
    }
  }

  @Test func `all results of concurrent steps are stored`() async throws {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("both-1")
      #expect(try await queue.test.drain() == 0)
      #expect(
        Set(queue.till.keys) == ["\(id)/charge", "\(id)/letter", "\(id)/parcel", "\(id)/mail"])
      #expect(queue.till.keys.count == 4)
    }
  }

  @Test func `an effect without steps reads and writes no table of steps`() async throws {
    try await ChargeQueue.with { queue in
      try await queue.test.sql("alter table run_step rename to hidden_step")
      try await queue.test.sql("alter table run_checkpoint rename to hidden_checkpoint")
      try await queue.test.sql("select enqueue('send', 'a')")
      #expect(try await queue.test.drain() == 0)
      #expect(try await queue.test.count("run_history") == 1)
    }
  }

  // MARK: Cancellation

  @Test(.sampled()) func `after the cancellation of an attempt, no further step begins`()
    async throws
  {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("deaf-1")
      let worker = queue.test.worker([ChargeJob.registered(queue.till)])
      async let working: Void = worker.run()
      try await eventually("the first step") { try await queue.steps() == ["\(id)/charge/1"] }
      #expect(try await queue.memo.queue.cancel(id, patience: .seconds(10)) == .cancelled(id))
      worker.stop()
      try await working
      #expect(queue.till.keys == ["\(id)/charge"])
    }
  }

  @Test(.sampled()) func `after the timeout of an attempt, no further step begins`() async throws {
    try await ChargeQueue.with { queue in
      let id = try await queue.memo.enqueue("a", job: "brief-charge")
      try await queue.memo.workOnce(BriefChargeJob.registered(queue.till))
      #expect(queue.till.keys == ["\(id)/charge"])
      #expect(try await queue.test.sql("select error from dead_run")[0].contains("took longer"))
    }
  }

  // MARK: Sleeps

  @Test(.sampled()) func `a sleeping run waits until the stored instant, and uses up no attempt`()
    async throws
  {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("sleep-1")
      try await queue.workOnce()
      let state = """
        select run_state(\(id), 'charge-order', 'sleep-1') ->> 'state', attempt, claim_number,
          round(extract(epoch from due - now()) / 600) from run
        """
      #expect(try await queue.memo.runs() == ["sleep-1,running,f,t"])
      #expect(try await queue.test.sql(state) == ["sleeping,0,-1,6"])
      // The stored instant is used instead of the instant that the next attempt computes.
      try await queue.test.sql(
        """
        update run_step set result = to_json(result::text::float8 - 1800) where name = 'cooling-off'
        """)
      try await queue.memo.makeDue()
      try await queue.workOnce()
      #expect(try await queue.memo.runs() == ["sleep-1,running,f,t"])
      #expect(try await queue.test.sql(state) == ["sleeping,0,-1,3"])
      #expect(queue.till.keys == ["\(id)/charge"])
      // A drain does not wait for sleeps.
      #expect(try await queue.test.drain() == 0)
      #expect(queue.till.keys == ["\(id)/charge", "\(id)/mail"])
      #expect(try await queue.test.sql("select attempt, output from run_history") == ["1,[1]"])
    }
  }

  @Test func `a sleep that ends after the maximum wait does not end the process`() async throws {
    try await ChargeQueue.with { queue in
      _ = try await queue.enqueue("sleep-1")
      try await queue.workOnce()
      try await queue.test.sql("update run_step set result = '1e300' where name = 'cooling-off'")
      try await queue.memo.makeDue()
      try await queue.workOnce()
      let years = "select round(extract(epoch from due - now()) / 86400 / 365) from run"
      #expect(try await queue.test.sql(years) == ["10"])
    }
  }

  @Test(.sampled()) func `a run continues after its sleep`() async throws {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("nap-1")
      let began = ContinuousClock.now
      try await eventually("the end") {
        try await queue.workOnce()
        return try await queue.test.count("run") == 0
      }
      #expect(began.duration(to: .now) >= .milliseconds(300))
      #expect(queue.till.keys == ["\(id)/charge", "\(id)/mail"])
      #expect(try await queue.test.sql("select attempt, output from run_history") == ["1,[1]"])
      // The first attempt ended with the sleep, and the next attempt began after the stored
      // instant.
      #expect(
        try await queue.test.sql("select count(*), bool_and(is_snooze) from failed_attempt")
          == ["1,t"])
    }
  }

  // MARK: Identity

  @Test func `later calls with the key become the next run, and do not change this run`()
    async throws
  {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("later-1", note: "old")
      try await queue.workOnce()
      let next = try await queue.enqueue("later-1", note: "new")
      #expect(try await queue.memo.runs() == ["later-1,ready,f,f", "later-1,running,f,t"])
      #expect(try await queue.workOnce() == false)
      #expect(
        try await queue.test.sql("select id, payload ->> 'note' from run where has_checkpoint")
          == ["\(id),old"])
      queue.till.open()
      #expect(try await queue.test.drain() == 0)
      #expect(
        queue.till.keys == ["\(id)/charge", "\(id)/mail", "\(next)/charge", "\(next)/mail"])
    }
  }

  @Test func `a step of a worker that has lost its run is not stored, and no other step begins`()
    async throws
  {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("lost-1")
      try await queue.workOnce()
      #expect(queue.till.keys == ["\(id)/charge"])
      #expect(try await queue.memo.runs() == ["lost-1,running,t,f"])
      #expect(try await queue.test.count("run_step") == 0)
      #expect(try await queue.test.count("run_checkpoint") == 0)
    }
  }

  @Test func `a worker that has lost its run begins no step`() async throws {
    try await ChargeQueue.with { queue in
      try await queue.enqueue("plain")
      let registration = Registration(
        of: WorkerContext([ChargeJob.registered(queue.till)], logger: .quiet),
        on: queue.test.configuration, in: queue.test.schema)
      try await registration.enter(on: registration.control.session())
      let executor = registration.makeSharingExecutor()
      let claim = try #require(
        try await executor.claimInTurn(ChargeJob.registered(queue.till)))
      try await queue.test.sql("update run set token = gen_random_uuid()")
      _ = await executor.finish(claim)
      #expect(queue.till.keys == [])
      await executor.close()
      await registration.control.close()
    }
  }

  // MARK: By hand

  @Test func `a retried run continues after its last step`() async throws {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("dead-1")
      try await queue.workOnce()
      #expect(try await queue.test.count("dead_run") == 1)
      #expect(try await queue.steps() == ["\(id)/charge/1"])
      #expect(try await queue.memo.queue.retry(ids: [id]) == [RetriedRun(id: id, dead: 1)])
      #expect(try await queue.memo.runs() == ["dead-1,running,f,t"])
      queue.till.open()
      #expect(try await queue.test.drain() == 0)
      #expect(queue.till.keys == ["\(id)/charge", "\(id)/mail"])
      #expect(try await queue.test.count("run_step") == 0)
    }
  }

  @Test func `a retry with another payload performs all steps again, with other keys`() async throws
  {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("dead-1", note: "old")
      try await queue.workOnce()
      let new = try await queue.memo.queue.retry(id, payload: #"{"note": "new"}"#).id
      queue.till.open()
      #expect(try await queue.test.drain() == 0)
      #expect(queue.till.keys == ["\(id)/charge", "\(new)/charge", "\(new)/mail"])
      #expect(try await queue.steps() == ["\(id)/charge/1"])
      try await queue.memo.purge()
      #expect(try await queue.test.count("run_step") == 0)
    }
  }

  @Test func `the steps of a cancelled run are deleted, and steps of other runs remain`()
    async throws
  {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("later-1")
      let other = try await queue.enqueue("later-2")
      try await queue.workOnce()
      try await queue.workOnce()
      #expect(try await queue.memo.queue.cancel(id) == .cancelled(id))
      try await queue.memo.purge()
      let left = try await queue.steps().map { $0.split(separator: "/")[0] }
      #expect(left == ["\(other)"])
      #expect(try await queue.test.count("run_checkpoint") == 1)
    }
  }

  @Test func `a transaction that completes the run deletes its steps`() async throws {
    try await ChargeQueue.with { queue in
      try await queue.enqueue("end-1")
      try await queue.workOnce()
      #expect(try await queue.test.count("run") == 0)
      #expect(try await queue.test.count("run_step") == 0)
      #expect(try await queue.test.count("run_checkpoint") == 0)
    }
  }

  @Test func `the details and the state of a run contain its stored steps`() async throws {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("later-1")
      let state = "select s ->> 'steps' from run_state(\(id), 'charge-order', 'later-1') s"
      #expect(try await queue.test.sql(state) == [""])
      try await queue.workOnce()
      #expect(try await queue.test.sql(state) == [#""[""charge""]""#])
      let life = try #require(try await queue.memo.queue.life(of: id))
      #expect(life.checkpoint?.steps == ["charge"] && life.checkpoint?.done == nil)
      let shown = try #require(try await queue.memo.queue.run(id, isOnOneLine: true))
      #expect(shown.contains(#""steps": ["charge"]"#))
      queue.till.open()
      #expect(try await queue.test.drain() == 0)
      #expect(try await queue.test.sql(state) == [""])
    }
  }

  // MARK: Errors

  @Test func `a step that begins twice in an attempt fails, and is performed once`() async throws {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("twice-1")
      #expect(try await queue.test.drain() == 1)
      #expect(queue.till.keys == ["\(id)/charge"])
      let error = try await queue.test.sql("select error from dead_run")[0]
      #expect(
        error.contains("the step charge begins twice in one attempt (job charge-order, run \(id))"))
    }
  }

  /// Two runs would occupy both connections of the worker and wait for each other forever.
  @Test(.sampled())
  func `in a transaction of the effect, neither a step nor another transaction begins`()
    async throws
  {
    try await ChargeQueue.with { queue in
      for key in ["inside-1", "inside-2", "nested-1", "nested-2"] { try await queue.enqueue(key) }
      #expect(try await queue.test.drain() == 4)
      #expect(!queue.till.keys.contains(where: { $0.hasSuffix("/inside") }))
      let errors = try await queue.test.sql("select error from dead_run order by key")
      for (error, what) in zip(errors, ["the step inside", "a transaction"].flatMap { [$0, $0] }) {
        #expect(error.contains("\(what) begins inside a transaction of the effect (job charge"))
      }
    }
  }

  @Test func `a result of more than 64 KB is not stored, and the step is not performed again`()
    async throws
  {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("large-1")
      #expect(try await queue.test.drain() == 1)
      #expect(queue.till.keys == ["\(id)/charge"])
      #expect(try await queue.test.count("run_step") == 0)
      let error = try await queue.test.sql("select error from dead_run")[0]
      #expect(
        error.contains("at most 65536 are stored (job charge-order, run \(id)): return only an id"))
    }
  }

  @Test func `after a result that cannot be encoded, the step is not performed again`()
    async throws
  {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("refused-1")
      #expect(try await queue.test.drain() == 1)
      #expect(queue.till.keys == ["\(id)/charge", "\(id)/refused"])
      let error = try await queue.test.sql("select error from dead_run")[0]
      #expect(
        error.contains("the result of the step refused cannot be encoded: the result is refused"))
    }
  }

  @Test func `a result that a release cannot decode is left to another release`() async throws {
    try await ChargeQueue.with { queue in
      let id = try await queue.enqueue("later-1")
      try await queue.workOnce()
      try await queue.test.sql("update run_step set result = '{\"amount\": 1}'")
      try await queue.memo.makeDue()
      try await queue.workOnce(release: 3)
      let error = try await queue.test.sql("select last_error from run where has_checkpoint")[0]
      #expect(
        error.contains(
          """
          release 3 of shop cannot read the run: the stored result of the step charge cannot be read: number is missing \
          (job charge-order, run \(id))
          """))
      // Another release that contains the job claims the run.
      try await queue.test.sql(
        """
        insert into worker (id, name, is_direct, pid, jobs, program, release)
        values (gen_random_uuid(), 'other', false, 1, '{charge-order}', 'shop', 2)
        """)
      try await queue.memo.makeDue()
      try await queue.workOnce(release: 3)
      #expect(
        try await queue.test.sql("select id, state, batch_limit, worker from run")
          == ["\(id),running,-5,"])
      #expect(queue.till.keys == ["\(id)/charge"])
    }
  }

  @Test func `a step that was performed waits until its result can be stored`() async throws {
    try await ChargeQueue.with { queue in
      try await queue.test.sql(
        """
        create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'not now' using errcode = '42501'; end $$
        """)
      try await queue.test.sql(
        "create trigger refuse before insert on run_step for each row execute function refuse()")
      let id = try await queue.enqueue("plain")
      async let worked = queue.workOnce()
      try await eventually("the first step") { queue.till.keys.count == 1 }
      try await Task.sleep(for: .milliseconds(300))
      #expect(try await queue.test.sql("select state, attempt from run") == ["running,1"])
      try await queue.test.sql("drop trigger refuse on run_step")
      let didWork = try await worked
      #expect(didWork)
      #expect(queue.till.keys == ["\(id)/charge", "\(id)/mail"])
      #expect(try await queue.test.count("run_history") == 1)
    }
  }
}

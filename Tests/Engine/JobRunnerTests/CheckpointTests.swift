import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests that a run with a stored state continues after its last committed step, as the same run.
@Suite(.timeLimit(.minutes(5))) struct CheckpointTests {
  @Test func `a run continues after its last step, and each step is committed once`() async throws {
    try await MemoQueue.with { memo in
      let id = try await memo.enqueue("bad-4", note: "first")
      try await memo.workOnce()
      #expect(try await memo.runs() == ["bad-4,running,f,t"])
      #expect(
        try await memo.test.sql("select state, done, total from run_checkpoint")
          == ["{\"position\":1,\"text\":\"\"}".csv + ",1,4"])
      try await memo.letGo()
      #expect(try await memo.test.drain() == 0)
      #expect(try await memo.notes("bad-4") == (1...4).map { "\($0),\(id) first".csvRow })
      #expect(try await memo.test.history().map(\.report) == [["steps": 4]])
      #expect(try await memo.test.count("run_checkpoint") == 0)
      #expect(try await memo.test.count("run") == 0)
    }
  }

  @Test func `failures without a committed step in between use up the attempts`() async throws {
    try await MemoQueue.with { memo in
      try await memo.enqueue("bad-3")
      #expect(try await memo.test.drain() == 1)
      // The first attempt commits a step, and counts as attempt 1.
      #expect(try await memo.test.sql("select attempt from dead_run") == ["3"])
      #expect(try await memo.notes("bad-3").count == 1)
    }
  }

  // MARK: Calls of the same key

  @Test(.sampled())
  func `later calls with the key become the next run, and do not change this run`()
    async throws
  {
    try await MemoQueue.with { memo in
      let id = try await memo.enqueue("later-3", note: "old")
      try await memo.workOnce()
      let next = try await memo.enqueue("later-3", note: "new")
      #expect(try await memo.runs() == ["later-3,ready,f,f", "later-3,running,f,t"])
      // The next run is due, but the key already has an unfinished run.
      #expect(try await memo.workOnce() == false)
      try await memo.test.sql(
        "select enqueue('memo', 'later-3', '{\"note\": \"newest\"}', replace => true)")
      try await memo.queue.foldAfterOthers()
      #expect(
        try await memo.test.sql("select id, payload ->> 'note' from run where state = 'running'")
          == ["\(id),old"])
      try await memo.letGo()
      #expect(try await memo.test.drain() == 0)
      let notes = try await memo.notes("later-3")
      #expect(Array(notes.prefix(3)) == (1...3).map { "\($0),\(id) old".csvRow })
      #expect(notes.count == 6 && notes[3...].allSatisfy { $0.contains("newest") })
      #expect(notes[3...].allSatisfy { !$0.contains("\(next) ") })
    }
  }

  @Test func `the wait of a run is not shortened by later calls`() async throws {
    try await MemoQueue.with { memo in
      try await memo.enqueue("later-3")
      try await memo.workOnce()
      let due = "select due > now() + interval '50 min' from run where has_checkpoint"
      #expect(try await memo.test.sql(due) == ["t"])
      try await memo.enqueue("later-3")
      #expect(try await memo.test.sql(due) == ["t"])
      // A worker that ends when idle waits for neither of the two runs.
      #expect(try await memo.queue.pendingWork(of: ["memo"]).hasRuns == false)
      #expect(try await memo.queue.pendingWork().hasRuns)
    }
  }

  // MARK: Deaths

  @Test func `a retried run continues, and is never merged with the next run of its key`()
    async throws
  {
    try await MemoQueue.with { memo in
      let id = try await memo.enqueue("dead-3", note: "old")
      try await memo.workOnce()
      #expect(try await memo.test.count("dead_run") == 1)
      try await memo.enqueue("dead-3", note: "new")
      #expect(try await memo.queue.retry(ids: [id]) == [RetriedRun(id: id, dead: 1)])
      #expect(try await memo.runs() == ["dead-3,ready,f,f", "dead-3,running,f,t"])
      try await memo.letGo()
      #expect(try await memo.test.drain() == 0)
      #expect(
        try await Array(memo.notes("dead-3").prefix(3)) == [
          "1,\(id) old".csvRow, "2,\(id) old".csvRow, "3,\(id) old".csvRow,
        ])
      #expect(try await memo.notes("dead-3").count == 6)
    }
  }

  @Test(.sampled()) func `a run stays dead while another run of its key has begun`() async throws {
    try await MemoQueue.with { memo in
      let first = try await memo.enqueue("dead-3")
      try await memo.workOnce()
      let second = try await memo.enqueue("dead-3")
      try await memo.workOnce()
      #expect(try await memo.test.count("dead_run") == 2)
      #expect(try await memo.queue.retry(ids: [first]) == [RetriedRun(id: first, dead: 1)])
      await #expect(throws: KeyIsTaken(ids: [second])) {
        try await memo.queue.retry(ids: [second])
      }
      let selection = DeadSelection(RunSelection(job: "memo"))
      var preview = RetryPreview()
      let dead = try await memo.queue.deadRuns(selection)
      #expect(dead.map(\.id) == [second])
      let ready = try await preview.add(dead, of: memo.queue)
      #expect(ready.isEmpty)
      let settled = try await memo.queue.retry(selection)
      #expect(settled.taken == [second] && settled.ready.isEmpty)
      #expect(try await memo.test.count("dead_run") == 1)
      try await memo.letGo()
      #expect(try await memo.test.drain() == 1)
      #expect(try await memo.queue.retry(ids: [second]).map(\.id) == [second])
      #expect(try await memo.test.drain() == 0)
      #expect(try await memo.notes("dead-3").count == 6)
    }
  }

  @Test func `dead runs of one key with stored steps are retried one after another`() async throws {
    try await MemoQueue.with { memo in
      var ids: [Int64] = []
      for _ in 1...2 {
        ids.append(try await memo.enqueue("dead-2"))
        try await memo.workOnce()
      }
      // A third run that has stored no state.
      let plain = try await memo.enqueue("dead-2")
      try await memo.test.sql(
        """
        do $$ begin
          insert into dead_run (id, job, key, attempt, error) select id, job, key, 3, 'x' from run;
          delete from run;
        end $$
        """)
      // A preview in pieces of one run makes the same decisions as the retry.
      var (preview, previewed) = (RetryPreview(), [Int64]())
      for run in try await memo.queue.deadRuns(DeadSelection()) {
        previewed += try await preview.add([run], of: memo.queue).map(\.id)
      }
      #expect(previewed == [ids[0], plain].sorted())
      let settled = try await memo.queue.retry(DeadSelection())
      #expect(settled.taken == [ids[1]])
      #expect(Set(settled.ready.map(\.id)) == [ids[0], plain])
      #expect(try await memo.runs() == ["dead-2,ready,f,f", "dead-2,running,f,t"])
    }
  }

  @Test func `a preview distinguishes keys that differ only in their Unicode spelling`()
    async throws
  {
    try await MemoQueue.with { memo in
      // The letter é has one scalar in the first key, and two in the second key.
      for key in ["dead-caf\u{e9}-3", "dead-cafe\u{301}-3"] {
        _ = try await memo.enqueue(key)
        try await memo.workOnce()
      }
      let dead = try await memo.queue.deadRuns(DeadSelection())
      #expect(dead.count == 2)
      var preview = RetryPreview()
      let ready = try await preview.add(dead, of: memo.queue)
      #expect(ready.map(\.id) == dead.map(\.id))
      let settled = try await memo.queue.retry(DeadSelection())
      #expect(settled.ready.count == 2 && settled.taken.isEmpty)
    }
  }

  @Test(.sampled()) func `a run of a dead worker continues after its last step`() async throws {
    try await MemoQueue.with { memo in
      let id = try await memo.enqueue("hang-3")
      try await memo.test.dieAfterOneStep(of: memo.job)
      try await memo.enqueue("hang-3")
      try await eventually("its run is back") {
        _ = try await memo.queue.reclaim()
        return try await memo.runs() == ["hang-3,ready,f,f", "hang-3,running,f,t"]
      }
      #expect(
        try await memo.test.sql("select id, crashes from run where has_checkpoint") == ["\(id),1"])
      try await memo.letGo()
      #expect(try await memo.test.drain() == 0)
      #expect(try await Array(memo.notes("hang-3").prefix(3)) == (1...3).map { "\($0),\(id)" })
    }
  }

  @Test func `a worker that lost its run cannot overwrite the checkpoint`() async throws {
    try await MemoQueue.with { memo in
      try await memo.enqueue("lost-4")
      try await memo.workOnce()
      // The second step commits with the old claim. The third step detects that the claim is lost.
      #expect(try await memo.notes("lost-4").count == 2)
      #expect(
        try await memo.test.sql("select state::jsonb ->> 'position' from run_checkpoint") == ["2"])
      #expect(try await memo.runs() == ["lost-4,running,t,t"])
    }
  }

  @Test func `a claim that its worker does not know returns with its checkpoint`() async throws {
    try await MemoQueue.with { memo in
      try await memo.enqueue("later-3")
      try await memo.workOnce()
      try await memo.enqueue("later-3")
      let worker = WorkerIdentity()
      try await memo.test.sql(
        """
        update run set token = '\(UUID())', worker = '\(worker.id)', attempt = 1 where has_checkpoint
        """)
      try await memo.queue.releaseUnknown(to: worker)
      #expect(try await memo.runs() == ["later-3,ready,f,f", "later-3,running,f,t"])
    }
  }

  // MARK: By hand

  @Test func `a waiting run is cancelled at once, and the next one of its key stays`()
    async throws
  {
    try await MemoQueue.with { memo in
      let id = try await memo.enqueue("later-3")
      try await memo.workOnce()
      try await memo.enqueue("later-3")
      #expect(try await memo.queue.runs(limit: 9).map(\.state) == ["ready", "ready"])
      #expect(try await memo.queue.cancel(id) == .cancelled(id))
      #expect(try await memo.runs() == ["later-3,ready,f,f"])
      #expect(try await memo.test.history().map(\.outcome) == ["cancelled"])
      #expect(try await memo.test.count("run_checkpoint") == 1)
      try await memo.purge()
      #expect(try await memo.test.count("run_checkpoint") == 0)
    }
  }

  @Test func `all runs of a key are cancelled, and checkpoints of other runs stay`() async throws {
    try await MemoQueue.with { memo in
      for key in ["later-1/3", "later-2/3", "other/later-3"] {
        try await memo.enqueue(key)
      }
      try await memo.test.sql(
        "update run set key = replace(key, 'other/', '') where key like 'other%'")
      for _ in 1...3 { try await memo.workOnce() }
      try await memo.enqueue("later-3")
      var cancelled = 0
      try await memo.queue.cancel(RunSelection(keyPrefix: "later-3")) { runs, _ in
        cancelled += runs.count
      }
      #expect(cancelled == 2)
      try await memo.purge()
      #expect(
        try await memo.test.sql("select key from run_checkpoint order by 1") == [
          "later-1/3", "later-2/3",
        ])
    }
  }

  @Test(.sampled()) func `a run by hand and a dry run continue after the last step`() async throws {
    try await MemoQueue.with { memo in
      try await memo.enqueue("later-3")
      try await memo.workOnce()
      try await memo.enqueue("later-3")
      try await memo.letGo()
      let inline = memo.test.inlineRunner(memo.job)
      let dryRun = try await inline.dryRun(key: "later-3") { _, _ in }
      #expect(dryRun?.report == ["steps": 2])
      #expect(try await memo.runs() == ["later-3,ready,f,f", "later-3,running,f,t"])
      #expect(try await inline.work(key: "later-3") == .done(runs: 1, report: ["steps": 2]))
      #expect(try await memo.runs() == ["later-3,ready,f,f"])
    }
  }

  @Test func `the details of a run show its progress`() async throws {
    try await MemoQueue.with { memo in
      let id = try await memo.enqueue("dead-5")
      try await memo.workOnce()
      for _ in 1...2 {
        let life = try #require(try await memo.queue.life(of: id))
        #expect(life.checkpoint?.done == 1 && life.checkpoint?.total == 5)
        let shown = try #require(try await memo.queue.run(id, isOnOneLine: true))
        #expect(shown.contains("\"done\": 1") && !shown.contains("has_checkpoint"))
        guard life.state == "dead" else { break }
        _ = try await memo.queue.retry(ids: [id])
      }
      #expect(try await memo.queue.life(of: id)?.state == "ready")
    }
  }

  // MARK: States

  @Test func `a state of more than 64 KB fails its step, and nothing of the step stays`()
    async throws
  {
    try await MemoQueue.with { memo in
      try await memo.enqueue("large-3")
      #expect(try await memo.test.drain() == 1)
      #expect(try await memo.notes("large-3").count == 1)
      let error = try await memo.test.sql("select error from dead_run")[0]
      #expect(error.contains("at most 65536 are stored") && error.contains("job memo, run "))
      #expect(try await memo.test.sql("select done from run_checkpoint") == ["1"])
    }
  }

  @Test func `a state that a release cannot decode is retried, and its error names the release`()
    async throws
  {
    try await MemoQueue.with { memo in
      let id = try await memo.enqueue("later-3")
      try await memo.workOnce()
      try await memo.test.sql("update run_checkpoint set state = '{\"place\": 1}'")
      try await memo.makeDue()
      try await memo.workOnce(release: ProgramRelease(program: "memo", number: 3, jobs: [memo.job]))
      #expect(
        try await memo.test.sql("select id, attempt, last_error from run where has_checkpoint")[0]
          .hasPrefix(
            "\(id),1,\"release 3 of memo cannot read the run: the stored state cannot be read: "))
      // Another release that contains the job gets the run.
      try await memo.test.sql(
        """
        insert into worker (id, name, is_direct, pid, jobs, program, release)
        values (gen_random_uuid(), 'other', false, 1, '{memo}', 'memo', 2)
        """)
      try await memo.makeDue()
      try await memo.workOnce(release: ProgramRelease(program: "memo", number: 3, jobs: [memo.job]))
      #expect(
        try await memo.test.sql("select id, state, batch_limit, worker from run")
          == ["\(id),running,-5,"])
    }
  }

  // MARK: Limits

  @Test func `a waiting run with a checkpoint has no permit`() async throws {
    try await MemoQueue.with { memo in
      let job = MeteredMemoJob.registered
      try await memo.enqueue("a/1", job: "metered-memo")
      try await memo.workOnce(job)
      #expect(try await memo.runs() == ["a/1,running,f,t"])
      #expect(
        try await memo.test.sql(
          "select claim_room('metered-memo'), is_group_full('metered-memo', 'a')") == ["1,f"])
      try await memo.enqueue("a/2", job: "metered-memo")
      try await memo.workOnce(job)
      #expect(try await memo.runs() == ["a/1,running,f,t", "a/2,running,f,t"])
      // As soon as one run is claimed, it counts.
      try await memo.makeDue()
      try await memo.test.sql(
        """
        update run set worker = gen_random_uuid(), token = gen_random_uuid(), claim_number = nextval('claim_number_seq')
        where key = 'a/1'
        """)
      #expect(
        try await memo.test.sql(
          "select claim_room('metered-memo'), is_group_full('metered-memo', 'a')") == ["0,t"])
      #expect(try await memo.workOnce(job) == false)
    }
  }
}

extension String {
  /// The text in the format in which the tests' queries return a column with quotes or commas.
  fileprivate var csv: String { "\"" + replacing("\"", with: "\"\"") + "\"" }

  /// A row of two columns.
  ///
  /// The second column contains a space.
  fileprivate var csvRow: String {
    let parts = split(separator: ",", maxSplits: 1)
    return "\(parts[0]),\"\(parts[1])\""
  }
}

import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests the payloads of a run that fails, and is merged into another run of its key.
extension AllPayloadsTests {
  /// The last payload has a run of its own, because the first run is executed during the call.
  @Test(.sampled(), arguments: [false, true])
  func `replaced payloads are deleted if their run fails`(isCrash: Bool) async throws {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", in: test)
      try await fold(test)
      let worker = UUID()
      try await claim(as: worker, in: test)
      try await test.sql("select enqueue('digest', 'a', '{\"text\": \"2\"}', replace => true)")
      try await enqueue("a", "3", in: test)
      try await fold(test)
      try await release(worker, isCrash: isCrash, in: test)
      #expect(try await test.sql("select count(*), count(token) from run") == ["1,0"])
      try await test.drain()
      #expect(try await written(test) == ["a:2-3"])
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
    }
  }

  /// The earlier call commits after the call with `replace` was claimed, so it has its own run.
  @Test(.sampled()) func `a late payload is deleted if its run is merged into the replacing run`()
    async throws
  {
    try await NoticeBoard.with { test in
      let worker = UUID()
      let connection = try await test.connect()
      try await connection.transaction(in: test.schema) { transaction in
        let early = "select enqueue('digest', 'a', '{\"text\": \"1\"}')"
        try await transaction.run(.run(Statement("test/early", early)))
        try await test.sql("select enqueue('digest', 'a', '{\"text\": \"2\"}', replace => true)")
        try await fold(test)
        try await claim(as: worker, in: test)
      }
      await connection.close()
      try await fold(test)
      #expect(try await test.sql("select count(*) from run") == ["2"])
      try await release(worker, isCrash: false, in: test)
      try await test.drain()
      #expect(try await written(test) == ["a:2"])
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
    }
  }

  /// The ids of the calls are ids of the run that receives their payloads.
  ///
  /// The run with the later payload has failed once, so it has already received its payload. The
  /// earlier call has the lower number, because its transaction commits late.
  @Test(.sampled(), arguments: [false, true])
  func `a late call's payload joins a run that waits for its next attempt`(isRunning: Bool)
    async throws
  {
    try await NoticeBoard.with { test in
      let worker = UUID()
      let connection = try await test.connect()
      try await connection.transaction(in: test.schema) { transaction in
        let early = "select enqueue('digest', 'a', '{\"text\": \"1\"}')"
        try await transaction.run(.run(Statement("test/early", early)))
        try await enqueue("a", "2", in: test)
        try await fold(test)
        try await claim(as: worker, in: test)
        if !isRunning { try await release(worker, isCrash: false, in: test) }
      }
      await connection.close()
      try await fold(test)
      if isRunning { try await release(worker, isCrash: false, in: test) }
      let ids = "select count(*), min(cardinality(earlier_ids)) from run"
      #expect(try await test.sql(ids) == ["1,2"])
      try await test.drain()
      #expect(try await written(test) == ["a:1-2"])
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
    }
  }

  /// An operator starts a run of the key while the dispatch of a call is not yet committed.
  @Test(.sampled()) func `a run without a call does not receive the payload of a ready run`()
    async throws
  {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", in: test)
      try await fold(test)
      try await test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, attempt, token, worker)
        select 'digest', 'a', 'running', now(), now(), now(), 1, id, id
        from (select gen_random_uuid() as id) i
        """)
      let ids = try await test.sql("select id from run where state = 'running'")
      let connection = try await test.connect()
      let taken = try await Session(connection, in: test.schema).atomically(
        .count(SQL.Queue.takePayloads, "digest", ids.compactMap { Int64($0) }, ["a"]))
      await connection.close()
      #expect(taken == 0)
      try await test.sql("delete from run where state = 'running'")
      try await test.drain()
      #expect(try await written(test) == ["a:1"])
    }
  }

  /// The earlier call is replaced by the run's call, so the run receives no other payload.
  @Test(.sampled()) func `a replaced call that is dispatched late does not change the run's id`()
    async throws
  {
    try await NoticeBoard.with { test in
      let worker = UUID()
      let connection = try await test.connect()
      try await connection.transaction(in: test.schema) { transaction in
        let early = "select enqueue('digest', 'a', '{\"text\": \"1\"}')"
        try await transaction.run(.run(Statement("test/early", early)))
        try await test.sql("select enqueue('digest', 'a', '{\"text\": \"2\"}', replace => true)")
        try await fold(test)
        try await claim(as: worker, in: test)
        try await release(worker, isCrash: false, in: test)
      }
      let id = try await test.sql("select id from run")
      await connection.close()
      try await fold(test)
      #expect(try await test.sql("select id from run") == id)
      try await test.drain()
      #expect(try await written(test) == ["a:2"])
    }
  }

  /// Both dead runs have received their payloads.
  @Test(.sampled()) func `the payloads of dead runs with one key are processed by one run`()
    async throws
  {
    try await NoticeBoard.with { test in
      for text in ["1", "2"] {
        try await enqueue("a", text, "worst", in: test)
        _ = try await test.drain()
      }
      try await test.sql(
        "update run_payload set payload = '{\"text\": \"3\"}' where payload ->> 'text' = 'worst'")
      let connection = try await test.connect()
      let dead = try await test.sql("select id from dead_run").compactMap { Int64($0) }
      #expect(dead.count == 2)
      _ = try await Queue(Session(connection, in: test.schema)).retry(ids: dead)
      await connection.close()
      try await test.drain()
      #expect(try await written(test) == ["a:1-3-2-3"])
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
    }
  }

  /// Both runs have already received their payloads.
  @Test(.sampled()) func `a dead run's payloads join a run that waits for its next attempt`()
    async throws
  {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", "worst", in: test)
      #expect(try await test.drain() == 1)
      try await test.sql("update run_payload set payload = '{\"text\": \"2\"}' where id > 1")
      try await enqueue("a", "3", in: test)
      try await fold(test)
      try await test.sql("update run set attempt = 1")
      try await test.sql(
        "update run_payload set taken_by = (select id from run) where taken_by is null")
      let connection = try await test.connect()
      let dead = try await test.sql("select id from dead_run").compactMap { Int64($0) }
      _ = try await Queue(Session(connection, in: test.schema)).retry(ids: dead)
      await connection.close()
      #expect(try await test.sql("select count(*) from run") == ["1"])
      try await test.drain()
      #expect(try await written(test) == ["a:1-2-3"])
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
    }
  }

  /// Claims the only run for a worker that reads only the newest payload.
  func claimNewest(as worker: UUID, in test: JobTest) async throws {
    try await test.sql(
      "update run set state = 'running', attempt = 1, token = '\(worker)', worker = '\(worker)'")
  }

  /// Claims the only run, with all stored payloads.
  func claim(as worker: UUID, in test: JobTest) async throws {
    try await claimNewest(as: worker, in: test)
    try await test.sql("update run_payload set taken_by = (select id from run)")
  }

  /// Returns a claimed run to the queue after a failed attempt, or after the death of its worker.
  func release(_ worker: UUID, isCrash: Bool, in test: JobTest) async throws {
    let connection = try await test.connect()
    let session = Session(connection, in: test.schema)
    if isCrash {
      _ = try await Queue(session).reclaim()
    } else {
      let none: Int32? = nil
      try await session.atomically(
        .run(
          SQL.Queue.release, "digest", ["a"], worker, Int32(0), Int64(0), none, "failed"))
    }
    await connection.close()
  }
}

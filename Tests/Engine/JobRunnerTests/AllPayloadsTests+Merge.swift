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
      try await test.sql(
        "update run set state = 'running', attempt = 1, token = '\(worker)', worker = '\(worker)'")
      try await test.sql("update run_payload set taken_by = (select id from run)")
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
        try await test.sql(
          "update run set state = 'running', attempt = 1, token = '\(worker)', worker = '\(worker)'"
        )
        try await test.sql("update run_payload set taken_by = (select id from run)")
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

  /// Returns a claimed run to the queue after a failed attempt, or after the death of its worker.
  private func release(_ worker: UUID, isCrash: Bool, in test: JobTest) async throws {
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

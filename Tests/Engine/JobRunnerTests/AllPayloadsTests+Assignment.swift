import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests how a worker that reads only the newest payload assigns stored payloads to its runs.
extension AllPayloadsTests {
  /// Assigns the free payloads of the key `a` to the running run, and returns their number.
  private func assign(in test: JobTest) async throws -> Int {
    let ids = try await test.sql("select id from run where state = 'running'")
    let tokens = try await test.sql("select token from run where state = 'running'")
    let token = try #require(tokens.first.flatMap { UUID(uuidString: $0) })
    let connection = try await test.connect()
    let count = try await Session(connection, in: test.schema).atomically(
      .count(SQL.Queue.assignPayloads, "digest", ids.compactMap { Int64($0) }, ["a"], token))
    await connection.close()
    return count
  }

  /// The ready run was created while the run with the checkpoint was parked.
  @Test func `a run with a checkpoint is not assigned the payloads of a ready run`() async throws {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", in: test)
      try await fold(test)
      try await test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, attempt, token, worker,
          payload, payload_event, has_checkpoint)
        select 'digest', 'a', 'running', now(), now(), now(), 1, id, id, '{"text": "0"}', 1000, true
        from (select gen_random_uuid() as id) i
        """)
      #expect(try await assign(in: test) == 0)
      try await test.sql("delete from run where state = 'running'")
      try await test.drain()
      #expect(try await written(test) == ["a:1"])
    }
  }

  /// A worker that reads all payloads has received the first payload, and its attempt has failed.
  @Test func `replaced payloads are deleted if a worker reads only the newest payload`()
    async throws
  {
    try await NoticeBoard.with { test in
      let (first, second) = (UUID(), UUID())
      try await enqueue("a", "1", in: test)
      try await fold(test)
      try await claim(as: first, in: test)
      try await test.sql("select enqueue('digest', 'a', '{\"text\": \"2\"}', replace => true)")
      try await fold(test)
      try await release(first, isCrash: false, in: test)
      #expect(try await test.sql("select count(*) from run") == ["1"])
      try await claimNewest(as: second, in: test)
      #expect(try await assign(in: test) == 1)
      #expect(try await test.sql("select payload ->> 'text' from run_payload") == ["2"])
      try await release(second, isCrash: false, in: test)
      try await test.drain()
      #expect(try await written(test) == ["a:2"])
    }
  }

  /// A worker that reads only the newest payload has assigned all payloads, and has failed.
  @Test(.sampled(), arguments: [1, 1_000_000])
  func `a run with too many payloads keeps the first, and the rest make the next run`(size: Int)
    async throws
  {
    try await NoticeBoard.with { test in
      let count = size == 1 ? 2_500 : 10
      try await test.sql(
        """
        select enqueue('digest', 'a', jsonb_build_object('text', n || repeat('x', \(size))))
        from generate_series(1, \(count)) n
        """)
      try await fold(test)
      try await test.sql("update run_payload set taken_by = (select id from run)")
      let runs = size == 1 ? [1...1000, 1001...2000, 2001...2500] : [1...4, 5...8, 9...10]
      let expected = runs.map { "a:" + $0.map(String.init).joined(separator: "-") }
      let seen = try await dryRun(in: test) ?? []
      #expect(seen.map { $0.replacing("x", with: "") } == [expected[0]])
      #expect(try await test.drain() == 0)
      let taken = try await test.sql("select replace(text, 'x', '') from noticed order by id")
      #expect(taken == expected)
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
    }
  }
}

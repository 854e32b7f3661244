import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests the calls that enqueue runs, in SQL and in Swift, and the arguments that they refuse.
@Suite struct EnqueueCallTests {
  /// Returns the SQLSTATE with which a statement is refused.
  private func refusal(_ sql: String, _ test: JobTest) async -> SQLState? {
    do throws(PostgresError) {
      try await test.sql(sql)
      return nil
    } catch {
      return error.sqlState
    }
  }

  @Test(
    .sampled(),
    arguments: [
      ("select enqueue('unknown', 'a')", "ZB005"), ("select enqueue(null, 'a')", "ZB005"),
      ("select enqueue('notice', '')", "ZB006"),
      ("select enqueue('notice', repeat('x', 257))", "ZB006"),
      ("select enqueue('notice', e'a\\nb')", "ZB006"), ("select enqueue('numbered')", "ZB006"),
      ("select enqueue('notice', replace => true)", "ZB006"),
      ("select enqueue('notice', 'a', to_jsonb(repeat(md5('x'), 40000)))", "ZB007"),
      // A stored value is compressed, so its size on disk would be accepted.
      ("select enqueue('notice', 'a', body) from stored", "ZB007"),
      (
        "select enqueue_many('notice', jsonb_build_array(jsonb_build_object('payload', body))) from stored",
        "ZB007"
      ),
      ("select enqueue('notice', 'a', ('[1e' || repeat('9', 9) || ']')::jsonb)", "22003"),
      ("select enqueue('notice', 'a', run_at => 'infinity')", "ZB008"),
      ("select enqueue('notice', 'a', run_at => '10000-01-01 00:00Z')", "ZB008"),
      ("select enqueue_many('unknown', '[]')", "ZB005"),
      ("select enqueue_many('notice', '{}')", "ZB009"),
      ("select enqueue_many('notice', null)", "ZB009"),
      ("select enqueue_many('notice', '[1]')", "ZB009"),
      ("select enqueue_many('notice', '[{\"key\": \"a\"}, {\"runat\": \"2024-01-01\"}]')", "ZB009"),
      ("select enqueue_many('notice', '[{}, {\"key\": \"\"}]')", "ZB006"),
      ("select enqueue_many('notice', '[{}, {\"run_at\": \"soon\"}]')", "22007"),
      ("select enqueue_many('notice', '[{\"run_at\": \"infinity\"}]')", "ZB008"),
      ("select enqueue_many('notice', '[{\"run_at\": \"294276-12-31T00:00:00Z\"}]')", "ZB008"),
      ("select enqueue_many('numbered', '[{\"key\": \"1\"}, {}]')", "ZB006"),
    ])
  func `a bad call is refused, and nothing is enqueued`(sql: String, state: String) async throws {
    try await NoticeBoard.with { test in
      try await test.sql(
        "create table stored as select to_jsonb(repeat('x', 3000000)) as body")
      #expect(await refusal(sql, test) == SQLState(stringLiteral: state))
      let events = try await test.sql("select count(*) from event")
      #expect(events == ["0"])
    }
  }

  @Test func `many runs are asked for in one call, and their ids come in its order`() async throws {
    try await NoticeBoard.with { test in
      let ids = try await test.sql(
        """
        select enqueue_many('notice', '[{"key": "b", "payload": {"text": "x"}}, {},
          {"key": "a", "run_at": "2200-01-01T00:00:00", "replace": true}]')
        """)
      try await test.sql("set timezone to 'Asia/Tokyo'")
      let asked = try await test.sql(
        "select run_id, key, payload ->> 'text', iso_text(run_at), replaces from event order by id")
      #expect(
        asked == [
          "\(ids[0]),b,x,,", "\(ids[1]),#\(ids[1]),,,", "\(ids[2]),a,,2200-01-01T00:00:00Z,t",
        ])
    }
  }

  @Test func `an instant without an offset is UTC whatever the session says`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql(
        """
        select set_config('timezone', 'Asia/Tokyo', true),
          enqueue_many('notice', '[{"run_at": "2200-01-01 00:00"}]')
        """)
      #expect(try await test.sql("select iso_text(run_at) from event") == ["2200-01-01T00:00:00Z"])
    }
  }

  @Test func `a job value is enqueued in a transaction of ours, and goes with its rollback`()
    async throws
  {
    try await NoticeBoard.with { test in
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      struct Undone: Error {}
      await #expect(throws: Undone.self) {
        try await session.transaction { transaction in
          try await transaction.enqueue(RunRequest(NoticeJob(text: "no"), key: "a"))
          throw Undone()
        }
      }
      let later = Date(timeIntervalSince1970: 4_102_444_800.25)
      let ids = try await session.transaction { transaction in
        let one = try await transaction.enqueue(RunRequest(NoticeJob(text: "yes"), key: "a"))
        let more = try await transaction.enqueue([
          RunRequest(NoticeJob(), at: later), RunRequest(DigestJob(text: "d"), key: "k"),
          RunRequest(NoticeJob(text: "moved"), key: "b", at: later, replacing: true),
        ])
        return [one] + more
      }
      let asked = try await test.sql(
        """
        select run_id, topic, coalesce(payload ->> 'text', '-'), extract(epoch from run_at), replaces
        from event order by run_id
        """)
      #expect(
        Set(asked) == [
          "\(ids[0]),enqueue/notice,yes,,", "\(ids[1]),enqueue/notice,-,4102444800.250000,",
          "\(ids[2]),enqueue/digest,d,,", "\(ids[3]),enqueue/notice,moved,4102444800.250000,t",
        ])
      await connection.close()
    }
  }

  @Test func `another client sends the SQL and the parameters that a request gives`() async throws {
    try await NoticeBoard.with { test in
      let request = try RunRequest(
        NoticeJob(text: "it's"), key: "a", at: Date(timeIntervalSince1970: 4_102_444_800.5),
        replacing: true)
      // A client in another language uses a prepared statement with text parameters.
      let values = request.parameters.map {
        $0.map { "'\($0.replacing("'", with: "''"))'" } ?? "null"
      }
      let sql = RunRequest.sql(in: test.schema)
      var literal = sql
      for (number, value) in values.enumerated().reversed() {
        literal = literal.replacing("$\(number + 1)", with: value)
      }
      let id = try await test.sql(literal)
      #expect(
        try await test.sql(
          "select run_id, key, payload ->> 'text', extract(epoch from run_at), replaces from event")
          == ["\(id[0]),a,it's,4102444800.500000,t"])
    }
  }

  @Test(arguments: ["1500-03-01T00:00:00Z", "0001-01-01T00:00:00Z"])
  func `an instant of long ago keeps its day`(text: String) async throws {
    try await NoticeBoard.with { test in
      let date = Date(timeIntervalSince1970: Double(try #require(Schedule.instant(of: text))))
      let request = RunRequest(job: "notice", key: "a", at: date)
      #expect(request.parameters[3] == text.replacing("Z", with: ".000000Z"))
      let connection = try await test.connect()
      _ = try await Queue(Session(connection, in: test.schema)).enqueueByHand(request)
      #expect(
        try await test.sql(
          """
          select run_at = '\(text)', (select after ->> 'at' from audit where action = 'enqueue')
          from event
          """) == ["t,\(text)"])
      await connection.close()
    }
  }
}

import BatonPostgres
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// The later of two calls counts, regardless of which transaction began first.
@Suite struct CallOrderTests {
  /// One connection begins a transaction, and calls only after another connection has called and
  /// committed.
  private func callLate(
    _ late: String, after early: String, _ test: JobTest
  ) async throws {
    let connection = try await test.connect()
    try await connection.transaction(in: test.schema) { transaction in
      try await transaction.run(.run(Statement("test/begin", "select now()")))
      try await test.sql(early)
      try await transaction.run(.run(Statement("test/late", late)))
    }
    await connection.close()
  }

  @Test(arguments: [
    "select enqueue('notice', 'k', '{\"text\": \"shipped\"}')",
    "select enqueue_many('notice', '[{\"key\": \"k\", \"payload\": {\"text\": \"shipped\"}}]')",
  ])
  func `the payload of the later call is the run's`(late: String) async throws {
    try await NoticeBoard.with { test in
      try await callLate(
        late, after: "select enqueue('notice', 'k', '{\"text\": \"paid\"}')", test)
      try await test.fold()
      #expect(try await test.sql("select payload ->> 'text' from run") == ["shipped"])
    }
  }

  @Test func `a timer that the later call moves is due when that says`() async throws {
    try await NoticeBoard.with { test in
      let call = "select enqueue('notice', 'k', run_at => now() + interval '%', replace => true)"
      try await callLate(
        call.replacing("%", with: "5 days"), after: call.replacing("%", with: "1 hour"), test)
      try await test.fold()
      #expect(
        try await test.sql("select run_at > now() + interval '4 days', due = run_at from run")
          == ["t,t"])
    }
  }

  @Test(arguments: [
    "select append_events('notice.given', array['k'])",
    "select enqueue('notice', 'k')",
    "insert into event_1 (topic, key) values ('notice.given', 'k')",
    "insert into event_2 (topic, key) values ('notice.given', 'k')",
  ])
  func `every writer stamps its event with the time of the call`(call: String) async throws {
    try await NoticeBoard.with { test in
      try await callLate(
        call, after: "create table earlier as select clock_timestamp() as at", test)
      #expect(try await test.sql("select recorded_at > at from event, earlier") == ["t"])
    }
  }

  @Test func `an event that is younger than its reader has no age`() async throws {
    try await NoticeBoard.with { test in
      let connection = try await test.connect()
      try await connection.transaction(in: test.schema) { transaction in
        try await transaction.run(.run(Statement("test/begin", "select now()")))
        try await test.sql("select append_events('notice.given', array['k'])")
        let folding = try await transaction.run(ObservationCalls.folding)
        #expect(folding.oldestUnfoldedSeconds == 0)
        try await test.fold()
        let jobs = try await transaction.run(ObservationCalls.jobs)
        #expect(jobs.first { $0.name == "notice" }?.oldestWrite.seconds == 0)
      }
      await connection.close()
    }
  }

  /// The poll in the fold's transaction uses the transaction's now(), which is older than the
  /// event.
  @Test func `a run without a debounce is due for the poll after its fold`() async throws {
    try await NoticeBoard.with { test in
      let connection = try await test.connect()
      let look = try await connection.transaction(in: test.schema) { transaction in
        try await transaction.run(QueueCalls.lockCursor)
        try await test.sql("select enqueue('numbered', '7')")
        return try await transaction.run(
          QueueCalls.advance(inPieces: false), QueueCalls.fold(atOnce: false, inPieces: false),
          QueueCalls.poll
        ).2
      }
      #expect(look.dueJobs.map(\.name) == ["numbered"])
      await connection.close()
    }
  }
}

extension JobTest {
  /// Dispatches the committed events, like a dispatcher.
  fileprivate func fold() async throws {
    let connection = try await connect()
    _ = try await Queue(Session(connection, in: schema)).fold()
    await connection.close()
  }
}

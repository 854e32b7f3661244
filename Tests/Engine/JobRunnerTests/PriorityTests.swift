import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests two jobs of one worker.
///
/// One of the jobs is less urgent.
private struct UrgentJob: BatchJob {
  static let definition = Definition<Self>("urgent", batch: 1, priority: 2)

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {
    for run in batch { try await context.note("urgent", run.attempt) }
  }

  static let registered = RegisteredJob(UrgentJob.self) { PacedContext(transaction: $0) }
}

private struct PatientJob: BatchJob {
  static let definition = Definition<Self>("patient", batch: 1)

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {
    for run in batch { try await context.note("patient-\(run.key)", run.attempt) }
  }

  static let registered = RegisteredJob(PatientJob.self) { PacedContext(transaction: $0) }
}

@Suite struct PriorityTests {
  private static let jobs = [PatientJob.registered, UrgentJob.registered]

  /// Returns the processed runs in the order of their processing.
  private func worked(_ asked: String...) async throws -> [String] {
    var worked: [String] = []
    try await JobTest.noting(Self.jobs) { test in
      try await test.sql("alter table noted add id bigint generated always as identity")
      let connection = try await Connection.open(test.configuration)
      for asked in asked {
        for call in asked.split(separator: ";") { try await test.sql(String(call)) }
        _ = try await Queue(Session(connection, in: test.schema)).foldAtOnce()
      }
      await connection.close()
      let worker = test.worker(Self.jobs)
      #expect(try await worker.runUntilIdle() == 0)
      worked = try await test.sql("select key from noted order by id")
    }
    return worked
  }

  @Test func `a call's choice goes first, then the job's own, then the rest`() async throws {
    let order = try await worked(
      """
      select enqueue('patient', '9', priority => 9);
      select enqueue('patient', '6', priority => 6)
      """, "select enqueue('patient', '5')", "select enqueue('patient', '1', priority => 1)")
    #expect(order == ["patient-1", "patient-5", "patient-6", "patient-9"])
  }

  @Test func `of several calls the most urgent holds, but a replacing one holds alone`()
    async throws
  {
    let order = try await worked(
      """
      select enqueue('patient', 'moved', priority => 1);
      select enqueue('patient', 'urged', priority => 9);
      select enqueue('patient', 'plain', priority => 4)
      """,
      """
      select enqueue('patient', 'moved', priority => 8, replace => true);
      select enqueue('patient', 'urged', priority => 2);
      select enqueue('patient', 'plain')
      """)
    #expect(order == ["patient-urged", "patient-plain", "patient-moved"])
  }

  @Test(.sampled()) func `each tenth claim takes what waits longest`() async throws {
    let order = try await worked(
      "select enqueue('patient', 'old', priority => 9)",
      "select enqueue('patient', n::text, priority => 1) from generate_series(1, 30) n")
    let place = try #require(order.firstIndex(of: "patient-old"))
    #expect(place > 0 && place < 10, "it was number \(place)")
    #expect(order.count == 31)
  }

  @Test func `a worker's most urgent job goes first, and each tenth pass all`() async throws {
    let order = try await worked(
      "select enqueue('patient', n::text) from generate_series(1, 3) n",
      "select enqueue('urgent', n::text) from generate_series(1, 40) n")
    let patient = order.indices.filter { order[$0].hasPrefix("patient") }
    #expect(order.count == 43)
    #expect(patient.first == 9 || patient.first == 10)
    #expect(try #require(patient.last) <= 33)
  }

  @Test func `a call can be more urgent than another job`() async throws {
    let order = try await worked(
      "select enqueue('urgent', 'a')", "select enqueue('patient', 'b', priority => 1)")
    #expect(order == ["patient-b", "urgent"])
  }

  @Test func `a run that comes back keeps its priority`() async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql("select enqueue('note', 'bad', priority => 2)")
      _ = try await queue.queue.foldAtOnce()
      let registration = queue.registration()
      try await registration.enter(on: registration.control.session())
      registration.worker.learn(try await queue.queue.poll().dueJobs)
      _ = try await registration.makeSharingExecutor().workOnce(queue.job)
      let left = try await queue.test.sql("select state, priority, attempt from run")
      #expect(left == ["ready,2,1"])
    }
  }

  @Test(.sampled()) func `runs of several priorities are read by the index alone`() async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        """
        select enqueue('note', n::text, priority => 1 + n % 9) from generate_series(1, 3000) n
        """)
      _ = try await queue.queue.foldAtOnce()
      try await queue.test.sql("analyze run")
      // The limit is one or two pages for each of nine priorities, plus the pages of ten runs.
      let most = 200
      let pages = try await TestSchema.fewestPages(atMost: most) {
        let plan = try await queue.test.explain(
          SQL.Queue.claimByPriority,
          "text, bigint, uuid, uuid, boolean, int[], timestamptz[], bigint[], timestamptz, boolean",
          "'note', 10, gen_random_uuid(), gen_random_uuid(), false, '{}', '{}', '{}', null, false",
          options: "analyze, buffers, costs off, timing off",
          as: .run(SQL.Queue.limitClaim, Int64?.none, false))
        #expect(!plan.joined().contains("Seq Scan on run"))
        return plan
      }
      #expect(pages <= most)
      let locked = try await queue.test.sql(
        "select count(*) from run where state = 'ready' and xmax <> 0")
      #expect(locked == ["0"])
    }
  }
}

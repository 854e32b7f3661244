import BatonJobs
import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// The digest job in a release that receives only the newest payload.
private struct NewestDigestJob: BatchJob {
  static let definition = Definition<Self>(
    "digest", retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)))

  var text = ""

  static func run(_ batch: [Run<Self>], in context: NoticeBoard) async throws {
    for run in batch {
      if run.payload.text == "worst" { throw Permanent("never") }
      try await context.write(["\(run.key):\(run.payload.text)"])
    }
  }

  static var registered: RegisteredJob {
    RegisteredJob(NewestDigestJob.self) { NoticeBoard(transaction: $0) }
  }
}

/// Tests deployments that change the `payloads` option, while workers of both releases run.
extension AllPayloadsTests {
  /// Stores the definition of a release's job, as a worker does when it starts.
  private func deploy(_ job: RegisteredJob, in test: JobTest) async throws {
    let connection = try await test.connect()
    try await Queue(Session(connection, in: test.schema)).define([job])
    await connection.close()
  }

  /// Executes all runs with a release's job, without changing the stored definition.
  @discardableResult
  private func work(_ job: RegisteredJob, in test: JobTest) async throws -> Int {
    let drainer = try await Drainer(
      [job], on: test.configuration, schema: test.schema, logger: .quiet)
    let dead = try await drainer.drain()
    try await drainer.close()
    return dead
  }

  @Test func `a release that reads only the newest payload leaves no payloads`() async throws {
    try await NoticeBoard.with { test in
      try await enqueue("a", "0", in: test)
      try await fold(test)
      try await deploy(NewestDigestJob.registered, in: test)
      try await work(NewestDigestJob.registered, in: test)
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
      try await enqueue("a", "5", in: test)
      try await work(DigestJob.registered, in: test)
      #expect(try await written(test) == ["a:0", "a:5"])
    }
  }

  @Test func `an old release reads payloads from before and after the deployment`() async throws {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", "2", in: test)
      try await fold(test)
      try await deploy(NewestDigestJob.registered, in: test)
      try await enqueue("a", "3", in: test)
      try await fold(test)
      try await work(DigestJob.registered, in: test)
      #expect(try await written(test) == ["a:1-2-3"])
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
    }
  }

  @Test func `a dry run and an operator see the payloads that the next claim takes`() async throws {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", in: test)
      try await fold(test)
      try await deploy(NewestDigestJob.registered, in: test)
      try await enqueue("a", "2", in: test)
      try await fold(test)
      try await deploy(DigestJob.registered, in: test)
      #expect(try await dryRun(in: test) == ["a:1-2"])
      let ids = try await test.sql("select id from run")
      let id = try #require(ids.first.flatMap { Int64($0) })
      let connection = try await test.connect()
      let shown = try await Queue(Session(connection, in: test.schema)).payloads(of: id)
      await connection.close()
      let texts = ["1", "2"].map { "{\n    \"text\": \"\($0)\"\n}" }
      #expect(shown == .carried(id, texts, of: 2))
      try await work(DigestJob.registered, in: test)
      #expect(try await written(test) == ["a:1-2"])
    }
  }

  /// The run's own payload is not stored, and exceeds 4 MiB together with the stored payloads.
  @Test(.sampled()) func `a dry run leaves a payload that exceeds 4 MiB to the next run`()
    async throws
  {
    try await NoticeBoard.with { test in
      let enqueue =
        "select enqueue('digest', 'a', jsonb_build_object('text', n || repeat('x', 1000000)))"
      try await test.sql("\(enqueue) from generate_series(1, 4) n")
      try await fold(test)
      try await deploy(NewestDigestJob.registered, in: test)
      try await test.sql("\(enqueue) from generate_series(5, 5) n")
      try await fold(test)
      try await deploy(DigestJob.registered, in: test)
      let seen = try await dryRun(in: test) ?? []
      #expect(seen.map { $0.replacing("x", with: "") } == ["a:1-2-3-4"])
      try await work(DigestJob.registered, in: test)
      let taken = try await test.sql("select replace(text, 'x', '') from noticed order by id")
      #expect(taken == ["a:1-2-3-4", "a:5"])
    }
  }

  @Test func `payloads that an old release has completed are not executed again`() async throws {
    try await NoticeBoard.with { test in
      try await deploy(NewestDigestJob.registered, in: test)
      try await deploy(DigestJob.registered, in: test)
      try await enqueue("a", "1", "2", in: test)
      try await work(NewestDigestJob.registered, in: test)
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
      try await enqueue("a", "3", in: test)
      try await work(DigestJob.registered, in: test)
      #expect(try await written(test) == ["a:2", "a:3"])
    }
  }

  @Test func `payloads of a run that died in an old release stay with the dead run`() async throws {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", "worst", in: test)
      #expect(try await work(NewestDigestJob.registered, in: test) == 1)
      try await enqueue("a", "2", in: test)
      try await work(DigestJob.registered, in: test)
      #expect(try await written(test) == ["a:2"])
      let stored = try await test.sql(
        """
        select count(*), count(d.id) from run_payload p left join dead_run d on d.id = p.taken_by
        """)
      #expect(stored == ["2,2"])
    }
  }
}

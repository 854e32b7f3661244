import BatonJobs
import BatonLive
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Executes the calls of docs/guides/run-state.md without changes.
@Suite(.timeLimit(.minutes(5))) struct DocumentedRunStateTests {
  private func page() throws -> String {
    try String(
      contentsOf: Checkout.root.appending(path: "docs/guides/run-state.md"), encoding: .utf8)
  }

  /// Returns the calls of the first block.
  private func calls() throws -> [String] {
    try page().matches(of: /\n(select [^;]+\));/).map { String($0.output.1) }
  }

  private static func with(
    _ body: (JobTest, ReportServer) async throws -> Void
  ) async throws {
    let jobs = [RegisteredJob(RenderReport.self) { _ in NoPrinter() }]
    try await TestSchema.run(jobs) { test in
      let hub = LiveHub(test.configuration, in: test.schema)
      defer { hub.close() }
      let worker = Worker(
        jobs, on: test.configuration, schema: test.schema,
        options: Worker.Options(grace: .milliseconds(200)), logger: .quiet)
      async let working: Void = worker.run()
      let result: Result<Void, any Error>
      do {
        result = .success(try await body(test, ReportServer(test: test, runs: RunWatch(hub))))
      } catch {
        result = .failure(error)
      }
      worker.stop()
      try await working
      try result.get()
    }
  }

  @Test func `a server waits for the output of a report`() async throws {
    try await Self.with { _, server in
      let pages = try await server.report(7)
      #expect(pages == RenderReport.Pages(pages: 3))
    }
  }

  @Test func `the calls in SQL return and cancel a run`() async throws {
    let calls = try calls()
    #expect(calls.count == 3)
    try await TestSchema.run([RegisteredJob(RenderReport.self) { _ in NoPrinter() }]) { test in
      let id = try await test.sql(calls[0])[0]
      let read = calls[1].replacing("4711", with: id)
      let state = "select s ->> 'state' from (\(read)) q (s)"
      #expect(try await test.sql(state) == ["waiting"])
      _ = try await test.sql(calls[2].replacing("4711", with: id))
      #expect(try await test.drain() == 0)
      #expect(try await test.sql(state) == ["cancelled"])
    }
  }

  @Test func `the function that checks the user reads only the user's own runs`() async throws {
    let function = try #require(
      try page().firstMatch(of: /\n(create function report_state[^`]+end;)\n/))
    try await TestSchema.run([RegisteredJob(RenderReport.self) { _ in NoPrinter() }]) { test in
      let (connection, role) = (try await test.connect(), "web_\(UInt64.random(in: .min ... .max))")
      func run(_ text: String) async throws {
        try await connection.script(
          Statement("test/run", "set search_path to \(test.schema.name); \(text)"))
      }
      try await run("create table report (id bigint, owner text, run bigint)")
      try await run(String(function.output.1))
      try await run(
        """
        insert into report select 7, 'ann', enqueue('render-report', '7');
        create role \(role);
        grant usage on schema \(test.schema.name) to \(role);
        grant execute on function report_state to \(role);
        """)
      let queue = Queue(Session(connection, in: test.schema))
      _ = try await queue.grant("render-report", to: role, mayCancel: false)
      try await run("set role \(role)")
      func state(of reader: String) async throws -> [String] {
        try await connection.sql(
          "select coalesce(report_state(7, '\(reader)') ->> 'state', 'null')", in: test.schema)
      }
      #expect(try await state(of: "ann") == ["waiting"])
      #expect(try await state(of: "ben") == ["null"])
      let error = await #expect(throws: PostgresError.self) {
        try await connection.sql("select run_state(1, 'render-report')", in: test.schema)
      }
      #expect(error?.sqlState == .insufficientPrivilege)
      try await run("reset role; drop owned by \(role); drop role \(role)")
      await connection.close()
    }
  }
}

/// The page's effect: it renders a report and returns the number of pages.
private struct RenderReport: EffectJob {
  static let definition = Definition<Self>("render-report", concurrency: 2, keepsHistory: true)

  typealias Key = Int64

  struct Pages: Codable, Equatable {
    let pages: Int
  }

  static func perform(_ run: Run<Self>, in printer: NoPrinter) async throws -> Pages {
    Pages(pages: 3)
  }
}

private struct NoPrinter: Sendable {}

/// The page's server.
private struct ReportServer {
  let test: JobTest
  let runs: RunWatch

  /// Enqueues a report, and waits for its output.
  func report(_ number: Int64) async throws -> RenderReport.Pages? {
    let request = try RunRequest(RenderReport(), key: number)
    let id = try await enqueue(request)
    let status = try await runs.wait(for: EnqueuedRun(request, id: id), timeout: .seconds(30))
    return status.state == .ended ? try status.output(of: RenderReport.self) : nil
  }

  private func enqueue(_ request: RunRequest) async throws -> Int64 {
    let connection = try await test.connect()
    let id = try await Queue(Session(connection, in: test.schema)).enqueue(request)
    await connection.close()
    return id
  }
}

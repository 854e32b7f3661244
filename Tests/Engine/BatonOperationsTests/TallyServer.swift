import BatonJobs
import BatonPostgres
import Foundation
import Logging
import TestSupport
import Testing

@testable import Baton
@testable import BatonOperations
@testable import JobRunner

/// A job that records its keys in a table, has a history, and fails if its key requests that.
struct TallyJob: BatchJob {
  static let definition = Definition<Self>(
    "tally", on: [.schedule(.cron("0 3 * * *", missed: .once))],
    retry: .attempts(1, exponentialFrom: .milliseconds(1), to: .milliseconds(1)),
    keepsHistory: true)

  static func run(_ batch: [Run<Self>], in context: Transaction) async throws {
    if let bad = batch.first(where: { $0.key.hasPrefix("bad") }) {
      throw TestFailure("\(bad.key) cannot be counted")
    }
    try await context.run(
      .run(
        Statement("test/tally", "insert into tally (key) select unnest($1::text[])"),
        batch.map(\.key)))
  }
}

/// A schema with the tally job, and the configuration of its HTTP server.
struct TallyServer {
  let test: TestSchema
  let api: API
  let queue: Queue
  static let job = RegisteredJob(TallyJob.self) { $0 }

  static func with(
    isReadOnly: Bool = false, _ body: (TallyServer) async throws -> Void
  ) async throws {
    try await TestSchema.with { test in
      try await test.sql(
        "create table tally (id bigint generated always as identity primary key, key text)")
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      try await queue.define([job])
      let reader = PageReader(subject(test), patience: .seconds(60))
      try await body(
        TallyServer(test: test, api: api(test, reader, isReadOnly: isReadOnly), queue: queue))
      await reader.close()
      await connection.close()
    }
  }

  static func subject(_ test: TestSchema) -> HTTPSubject {
    HTTPSubject(
      configuration: test.configuration, actions: test.configuration,
      dryRuns: test.configuration, schema: test.schema, parts: [], jobs: [job],
      tables: TableTriggers(test.schema, of: "test", jobs: [job]), worker: nil)
  }

  private static func api(_ test: TestSchema, _ reader: PageReader, isReadOnly: Bool) -> API {
    let subject = subject(test)
    let logger = Logger(label: "api") { _ in SwiftLogNoOpLogHandler() }
    return API(
      subject: subject, reader: reader,
      // The tests check the responses, and not their speed on a busy machine.
      actions: isReadOnly
        ? nil : ActionHandlers(subject, patience: .seconds(60), logger: logger),
      read: {
        let observation = try? await reader.read { try await Queue($0).observe() }
        return Reading(observation: observation)
      }, logger: logger)
  }

  // MARK: Asking

  func get(_ target: String) async -> Response {
    await api.response(to: request("GET", target), by: "ann")
  }

  func post(_ path: String, _ body: String = "", type: String = "application/json") async
    -> Response
  {
    var request = request("POST", path)
    (request.body, request.contentTypes) = (Array(body.utf8), [type])
    return await api.response(to: request, by: "ann")
  }

  func request(_ method: String, _ target: String) -> Request {
    let path = String(target.prefix { $0 != "?" })
    return Request(
      method: method, path: path, query: FormText.pairs(target.dropFirst(path.count + 1)))
  }

  /// Processes all remaining runs.
  func drain() async throws {
    _ = try await queue.foldAtOnce()
    let runner = InlineRunner(
      Self.job, on: test.configuration, schema: test.schema,
      logger: Logger(label: "work") { _ in SwiftLogNoOpLogHandler() })
    _ = try await runner.workDue()
  }
}

extension Response {
  /// Returns the response, decoded from JSON.
  func decoded<T: Decodable>(_ type: T.Type = T.self) throws -> T {
    try #require(status == 200, "\(status) \(body)")
    return try JSONDecoder().decode(T.self, from: Data(body.utf8))
  }

  var complaint: APIError? {
    status == 200 ? nil : try? JSONDecoder().decode(APIError.self, from: Data(body.utf8))
  }
}

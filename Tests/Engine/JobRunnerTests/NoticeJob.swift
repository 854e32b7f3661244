import BatonJobs
import BatonPostgres
import JobRunner
import JobTesting
import TestSupport

/// A job that records its key or its payload.
struct NoticeJob: BatchJob {
  static let definition = Definition<Self>(
    "notice", on: [.event(Topic("notice.given"))],
    debounce: .perKey(quiet: .seconds(120), atMost: .seconds(600)))

  var text: String?

  static func run(_ batch: [Run<Self>], in context: NoticeBoard) async throws {
    try await context.write(batch.map { $0.payload.text ?? $0.key })
  }

  static var registered: RegisteredJob {
    RegisteredJob(NoticeJob.self) { NoticeBoard(transaction: $0) }
  }
}

/// A job that requests all payloads, and records one text for each of its runs.
struct DigestJob: BatchJob {
  static let definition = Definition<Self>(
    "digest", retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)),
    payloads: .all)

  var text = ""

  init(text: String) { self.text = text }

  init(from decoder: any Decoder) throws {
    text =
      try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .text)
      ?? ""
  }

  static func run(_ batch: [Run<Self>], in context: NoticeBoard) async throws {
    for run in batch {
      let texts = run.payloads.map(\.text)
      try await context.write(["\(run.key):\(texts.joined(separator: "-"))"])
      if texts.contains("bad"), run.attempt < 3 { throw FailedRuns([run.id: NoDigest()]) }
      if texts.contains("worst") { throw Permanent("never") }
    }
  }

  static var registered: RegisteredJob {
    RegisteredJob(DigestJob.self) { NoticeBoard(transaction: $0) }
  }
}

/// A job that parses its keys.
struct NumberedJob: BatchJob {
  static let definition = Definition<Self>("numbered")
  typealias Key = Int64

  static func run(_ batch: [Run<Self>], in context: NoticeBoard) async throws {
    try await context.write(batch.map { "\($0.key)" })
  }

  static var registered: RegisteredJob {
    RegisteredJob(NumberedJob.self) { NoticeBoard(transaction: $0) }
  }
}

struct NoDigest: Error {}

/// A table of texts that the tests read.
struct NoticeBoard: Sendable {
  let transaction: Transaction

  /// Calls the body with a schema that contains the board's jobs and table.
  static func with(_ body: (JobTest) async throws -> Void) async throws {
    try await TestSchema.run([NoticeJob.registered, DigestJob.registered, NumberedJob.registered]) {
      test in
      try await test.sql("create table noticed (id bigint generated always as identity, text text)")
      try await body(test)
    }
  }

  func write(_ texts: [String]) async throws {
    try await transaction.run(
      .run(
        Statement(
          "test/write_notices",
          """
          insert into noticed (text) select unnest($1::text[])
          """), texts))
  }
}

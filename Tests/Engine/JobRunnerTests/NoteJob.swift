import BatonJobs
import BatonPostgres
import Logging
import TestSupport

@testable import JobRunner

/// The table that the tests' job writes to.
///
/// It shows how often each key was processed.
struct Notebook: Sendable {
  let transaction: Transaction

  func note(_ keys: [String]) async throws {
    try await transaction.run(
      .run(
        Statement("test/note", "insert into noted (key) select unnest($1::text[])"), keys))
  }

  /// Executes a statement that only the server can end.
  ///
  /// The thread of the connection waits for it.
  func sleep() async throws {
    try await transaction.run(.run(Statement("test/sleep", "select pg_sleep(60)")))
  }
}

/// The tests' job.
///
/// It records its keys, and fails if a key requests that.
struct NoteJob: BatchJob {
  static let definition = Definition<Self>(
    "note", on: [.event(Topic("note.written"))],
    debounce: .perKey(quiet: .milliseconds(200), atMost: .seconds(2)), batch: 10,
    retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)))

  typealias Key = NoteKey

  static func run(_ batch: [Run<Self>], in context: Notebook) async throws {
    try await context.note(batch.map(\.key.description))
    if batch.contains(where: { $0.key.description.hasPrefix("later") }) {
      throw Snooze(for: .seconds(3600))
    }
    if batch.contains(where: { $0.key.description.hasPrefix("never") }) {
      throw Permanent("it can never be done")
    }
    if batch.contains(where: { $0.key.description.hasPrefix("wordy") }) {
      throw TestFailure(String(repeating: "é", count: 50_000))
    }
    if let bad = batch.first(where: { $0.key.description.hasPrefix("bad") }) {
      throw TestFailure("\(bad.key) always fails")
    }
  }
}

/// A job like ``NoteJob``, whose runs exceed a short timeout.
///
/// The other job has the default timeout, because a busy machine can stop for seconds.
struct BriefNoteJob: BatchJob {
  static let definition = Definition<Self>(
    "brief-note", on: [.event(Topic("note.written"))],
    debounce: .perKey(quiet: .milliseconds(200), atMost: .seconds(2)), batch: 10,
    retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)),
    timeout: .seconds(1))

  static let registered = RegisteredJob(BriefNoteJob.self) { Notebook(transaction: $0) }

  static func run(_ batch: [Run<Self>], in context: Notebook) async throws {
    try await context.note(batch.map(\.key))
    if let slow = batch.first(where: { $0.key.hasPrefix("slow") }) {
      try await Task.sleep(for: .seconds(5))
      throw TestFailure("\(slow.key) was not cancelled")
    }
    if let busy = batch.first(where: { $0.key.hasPrefix("busy") }) {
      let end = ContinuousClock.now + .seconds(5)
      while .now < end { try await context.note([busy.key]) }
      throw TestFailure("\(busy.key) was not cancelled")
    }
    if batch.contains(where: { $0.key.hasPrefix("stuck") }) { try await context.sleep() }
  }
}

/// A key with any text, except for a text that means that the key cannot be parsed.
struct NoteKey: JobKey {
  static let expected = "readable"
  let description: String

  init?(_ text: String) {
    guard !text.hasPrefix("unreadable") else { return nil }
    description = text
  }
}

/// A queue of the test's own, with the tests' job.
struct NoteQueue: Sendable {
  let test: TestSchema
  let connection: Connection
  let queue: Queue
  var job = Self.usual

  static let usual = RegisteredJob(NoteJob.self) { Notebook(transaction: $0) }

  /// Calls the body with a queue that has one job.
  static func with(
    _ job: RegisteredJob = usual, _ body: (NoteQueue) async throws -> Void
  ) async throws {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let queue = NoteQueue(
        test: test, connection: connection, queue: Queue(Session(connection, in: test.schema)),
        job: job)
      try await test.sql(
        "create table noted (id bigint generated always as identity primary key, key text)")
      try await queue.queue.define([queue.job])
      try await body(queue)
      await connection.close()
    }
  }

  /// Returns an executor with its own worker, registered on its own connection.
  func executor(_ identity: WorkerIdentity = WorkerIdentity()) async throws -> RunExecutor {
    let registration = registration(identity)
    try await registration.enter(on: registration.control.session())
    return registration.makeSharingExecutor()
  }

  /// Returns executors of one worker that is not registered.
  func executors(_ count: Int) -> [RunExecutor] {
    let registration = registration()
    return (0..<count).map { _ in registration.makeExecutor() }
  }

  /// Returns a worker that is not registered yet.
  func registration(_ identity: WorkerIdentity = WorkerIdentity()) -> Registration {
    Registration(
      of: WorkerContext([job], identity: identity, logger: .quiet), on: test.configuration,
      in: test.schema)
  }

  func write(_ keys: String...) async throws {
    let list = keys.map { "'\($0)'" }.joined(separator: ",")
    try await test.sql("select append_events('note.written', array[\(list)])::text")
  }

  func count(_ query: String) async throws -> Int {
    guard let text = try await test.sql("select count(*) from \(query)").first,
      let count = Int(text)
    else { throw TestFailure("no count for \(query)") }
    return count
  }

  func noted() async throws -> [String] {
    try await test.sql("select key from noted order by key")
  }
}

extension Logger {
  /// A logger without output, because these tests cause failing runs on purpose.
  static var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

extension AttemptResult {
  /// The error of the work, or nil if it succeeded.
  var error: (any Error)? {
    guard case .undone(let error, _) = self else { return nil }
    return error
  }
}

import BatonJobs
import BatonPostgres
import Foundation
import JobRunner
import JobTesting
import Logging
import Synchronization
import TestSupport

/// The tests' effect.
///
/// It sends to an outbox in this process, in place of another service, and behaves as its payload
/// requests.
struct SendJob: EffectJob {
  static let definition = Definition<Self>(
    "send", on: [.event(Topic("letter.written"))], concurrency: 8,
    retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)),
    timeout: .seconds(60), keepsHistory: true)

  var what: String?

  struct Receipt: Encodable {
    let number: Int64
    var text = ""
    var weight: Double?
  }

  static func perform(_ run: Run<Self>, in outbox: Outbox) async throws -> Receipt {
    outbox.sent(run.id, run.key, attempt: run.attempt)
    switch run.payload.what {
    case "fail": throw TestFailure("the other side is down")
    case "fail once" where run.attempt == 1: throw TestFailure("the other side is down")
    case "refuse": throw Permanent("there is no such address")
    case "other database": throw PostgresError(.cannotConnect, "another database is down")
    case "wait": try await outbox.wait()
    case "wait, then write":
      try await outbox.wait()
      try await outbox.write(run.key)
    case "write": try await outbox.write(run.key)
    case "write and end":
      try await outbox.write(run.key, endingRun: true)
      throw TestFailure("too late")
    case "nan": return Receipt(number: run.id, weight: .nan)
    case "nul": return Receipt(number: run.id, text: "\0")
    case "large": return Receipt(number: run.id, text: String(repeating: "x", count: 70_000))
    default: break
    }
    return Receipt(number: run.id)
  }

  static func registered(_ sent: Outbox.Sent) -> RegisteredJob {
    RegisteredJob(SendJob.self) { Outbox(list: sent, effect: $0) }
  }
}

/// An effect like ``SendJob``, whose runs exceed a short timeout.
struct BriefSendJob: EffectJob {
  static let definition = Definition<Self>(
    "brief-send", concurrency: 8,
    retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)),
    timeout: .milliseconds(500) * patience, keepsHistory: true)

  var what: String?

  static func perform(_ run: Run<Self>, in outbox: Outbox) async throws {
    outbox.sent(run.id, run.key, attempt: run.attempt)
    switch run.payload.what {
    case "slow": try await Task.sleep(for: .seconds(30))
    case "block": outbox.block()
    default: break
    }
  }

  static func registered(_ sent: Outbox.Sent) -> RegisteredJob {
    RegisteredJob(BriefSendJob.self) { Outbox(list: sent, effect: $0) }
  }
}

/// The sent payloads, and a gate for effects that wait.
struct Outbox: Sendable {
  /// One entry for each sent payload.
  final class Sent: Sendable {
    struct Letter: Hashable {
      let id: Int64
      let key: String
      let attempt: Int
    }

    private let state = Mutex((letters: [Letter](), ends: [String](), isOpen: false))

    var letters: [Letter] { state.withLock { $0.letters } }
    /// The ends of all transactions: `committed`, or the SQLSTATE of the error.
    var ends: [String] { state.withLock { $0.ends } }
    var isOpen: Bool { state.withLock { $0.isOpen } }

    func append(_ letter: Letter) { state.withLock { $0.letters.append(letter) } }
    func note(end: String) { state.withLock { $0.ends.append(end) } }
    func open() { state.withLock { $0.isOpen = true } }
  }

  let list: Sent
  let effect: Effect

  var isOpen: Bool { list.isOpen }

  /// Waits until the gate opens.
  func wait() async throws {
    while !isOpen { try await Task.sleep(for: .milliseconds(5)) }
  }

  /// Writes a row in a transaction of the effect, and records the end of the transaction.
  func write(_ key: String, endingRun: Bool = false) async throws {
    do {
      try await effect.transaction(endingRun: endingRun) { transaction in
        try await transaction.run(
          .run(Statement("test/write", "insert into noted (key) values ($1)"), key))
      }
      list.note(end: "committed")
    } catch let error as PostgresError {
      list.note(end: error.sqlState.code)
      throw error
    }
  }

  /// Blocks the thread until the gate opens, like a library that does not support tasks.
  func block() {
    while !isOpen { Thread.sleep(forTimeInterval: 0.01) }
  }

  func sent(_ id: Int64, _ key: String, attempt: Int) {
    list.append(Sent.Letter(id: id, key: key, attempt: attempt))
  }
}

/// A schema with the effect job, and its workers.
struct SendQueue: Sendable {
  let test: JobTest
  let sent = Outbox.Sent()

  static func with(_ body: (SendQueue) async throws -> Void) async throws {
    let sent = Outbox.Sent()
    try await TestSchema.run([SendJob.registered(sent), BriefSendJob.registered(sent)]) { test in
      try await test.sql("create table noted (key text)")
      try await body(SendQueue(test: test))
    }
  }

  func enqueue(_ keys: String..., what: String? = nil, job: String = "send") async throws {
    for key in keys {
      let payload = what.map { "'{\"what\": \"\($0)\"}'" } ?? "null"
      try await test.sql("select enqueue('\(job)', '\(key)', \(payload))")
    }
  }

  /// Runs `body` together with a worker of one of the two jobs.
  func withWorker(
    isBrief: Bool = false, _ body: (Worker) async throws -> Void
  ) async throws {
    let job = isBrief ? BriefSendJob.registered(sent) : SendJob.registered(sent)
    let worker = Worker(
      [job], on: test.configuration, schema: test.schema,
      options: Worker.Options(grace: .milliseconds(200)), logger: .quiet)
    try await running(worker) { try await body(worker) }
  }

  /// Gives the running run to another worker, as if that worker had claimed it.
  func takeOver() async throws {
    try await test.sql(
      """
      insert into worker (id, name, is_direct, pid, jobs)
      values (gen_random_uuid(), 'other', false, 1, '{send}')
      """)
    try await test.sql(
      """
      update run set token = gen_random_uuid(),
        worker = (select id from worker where name = 'other')
      """)
  }

  func count(_ query: String) async throws -> Int {
    guard let text = try await test.sql("select count(*) from \(query)").first,
      let count = Int(text)
    else { throw TestFailure("no count for \(query)") }
    return count
  }
}

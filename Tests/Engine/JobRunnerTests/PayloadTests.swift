import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests runs as their jobs receive them: payloads of the job's type, keys, and the queue's data
/// about the run.
@Suite struct PayloadTests {
  private let letters = LetterJob.registered

  private func enqueue(_ key: String, _ payload: String?, _ test: JobTest) async throws {
    let json = payload.map { "'\($0)'::jsonb" } ?? "null"
    try await test.sql("select enqueue('letter', '\(key)', \(json))::text")
  }

  @Test func `the fields of the payload are the job's, others are ignored`() async throws {
    try await JobTest.noting([letters]) { test in
      try await enqueue("1", #"{"to": "Ann", "stamps": 2, "sealed": true}"#, test)
      try await enqueue("2", #"{"to": "Bob"}"#, test)
      #expect(try await test.drain() == 0)
      #expect(try await test.noted() == ["1:Ann:2@1", "2:Bob:0@1"])
    }
  }

  @Test func `what cannot be read fails alone and says where`() async throws {
    try await JobTest.noting([letters]) { test in
      for key in 1...5 { try await enqueue("\(key)", #"{"to": "Ann"}"#, test) }
      try await enqueue("6", nil, test)
      try await enqueue("7", #"{"to": "Ann", "stamps": "two"}"#, test)
      try await enqueue("8", #"{"to": null}"#, test)
      try await enqueue("nine", #"{"to": "Ann"}"#, test)
      #expect(try await test.drain() == 4)
      let dead = try await test.sql("select key, attempt, error from dead_run order by key")
      #expect(
        dead == [
          "6,3,\"the payload cannot be read: to is missing\"",
          "7,3,\"the payload cannot be read: stamps is not of type Int\"",
          "8,3,\"the payload cannot be read: to is null and should be a String\"",
          "nine,3,\"the key 'nine' is not a whole number\"",
        ])
      // The batch was not halved because of the failing runs: the other runs were processed
      // together.
      #expect(try await test.sql("select count(*), count(distinct xact) from noted") == ["5,1"])
    }
  }

  /// PostgreSQL also writes such a column of a declared table as text.
  @Test func `numbers that JSON cannot hold are texts on the way, and numbers in the job`()
    async throws
  {
    try await JobTest.noting([ScaleJob.registered]) { test in
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      for (key, weight) in [("a", Double.nan), ("b", .infinity), ("c", 1.5)] {
        _ = try await queue.enqueue(RunRequest(ScaleJob(weight: weight), key: key))
      }
      try await test.sql(
        "select enqueue('scale', 'd', jsonb_build_object('weight', '-Infinity'::double precision))")
      try await test.sql(
        "select enqueue('scale', 'e', jsonb_build_object('weight', 'NaN'::numeric))")
      #expect(try await test.drain() == 0)
      #expect(
        try await test.noted().sorted() == ["a:nan@1", "b:inf@1", "c:1.5@1", "d:-inf@1", "e:nan@1"])
      await connection.close()
    }
  }

  @Test func `a run that has no payload is read as one without fields`() async throws {
    try await JobTest.noting([StampJob.registered]) { test in
      try await test.sql("select enqueue('stamp', 'a')::text")
      #expect(try await test.drain() == 0)
      #expect(try await test.noted() == ["a:0@1"])
    }
  }

  @Test func `a run knows its id, attempt and times, and a dry run that it is one`() async throws {
    try await JobTest.noting([HeaderJob.registered]) { test in
      try await test.sql("select enqueue('header', 'a')::text")
      let asked = Date()
      let seen = try await test.inlineRunner(HeaderJob.registered).dryRun(key: "a") {
        transaction, _ in try await HeaderContext(transaction: transaction).read()
      }
      #expect(seen?.after == ["0:a:1:true"])
      #expect(try await test.drain() == 0)
      // The first attempt fails.
      let id = try #require(
        try await test.sql("select key from noted").first?.split(separator: ":"))
      #expect(id.dropFirst() == ["a", "2", "false"] && Int64(id[0]) ?? 0 > 0)
      let times = try await test.sql("select xact from noted").first?.split(separator: ":") ?? []
      for time in times {
        let seconds = try #require(Double(time))
        #expect(abs(seconds - asked.timeIntervalSince1970) < 60)
      }
      #expect(times.count == 2)
    }
  }

  @Test func `named runs of a batch fail, the others go on without a penalty`() async throws {
    try await JobTest.noting([letters]) { test in
      for key in 1...6 {
        try await enqueue("\(key)", #"{"to": "\#(key == 3 ? "nobody" : "Ann")"}"#, test)
      }
      #expect(try await test.drain() == 1)
      #expect(
        try await test.sql("select key, attempt, error from dead_run")
          == ["3,3,\"nobody lives there\""])
      // The other runs are immediately processed together again, each in its first attempt.
      let worked = try await test.sql(
        "select count(*), count(distinct xact), max(position) from noted")
      #expect(worked == ["5,1,1"])
    }
  }

  @Test func `whoever was tried behind a broken transaction does not pay for it`() async throws {
    try await JobTest.noting([letters]) { test in
      for key in 1...4 {
        try await enqueue("\(key)", #"{"to": "\#(key == 2 ? "zero" : "Ann")"}"#, test)
      }
      #expect(try await test.drain() == 1)
      let dead = try await test.sql("select key, attempt, error like '%division%' from dead_run")
      #expect(dead == ["2,3,t"])
      #expect(try await test.sql("select count(*), max(position) from noted") == ["3,1"])
    }
  }

  @Test func `an operator who works a batch by hand sees that a run in it failed`() async throws {
    try await JobTest.noting([letters]) { test in
      try await enqueue("1", #"{"to": "Ann"}"#, test)
      try await enqueue("2", nil, test)
      let result = try await test.inlineRunner(letters).workDue()
      #expect(result == .failed("the payload cannot be read: to is missing"))
      #expect(try await test.noted() == ["1:Ann:0@1"])
    }
  }

  @Test func `a run of a schedule by hand is given what its occurrences are`() async throws {
    try await JobTest.noting([PostmanJob.registered]) { test in
      try await test.setClock(to: "2024-05-15 12:00Z")
      let seen = try await test.inlineRunner(PostmanJob.registered).dryRun(key: "scheduled") {
        transaction, _ in try await HeaderContext(transaction: transaction).read()
      }
      #expect(seen?.after.count == 1 && seen?.after.first?.hasPrefix("Hill:") == true)
      let result = try await test.inlineRunner(PostmanJob.registered).workSchedule()
      #expect(result == .done(runs: 1, report: [:]))
      #expect(try await test.noted().first?.hasPrefix("Hill:") == true)
    }
  }

  @Test(.sampled())
  func `a schedule gives its runs a payload, and they know which occurrence they are`()
    async throws
  {
    try await JobTest.noting([PostmanJob.registered]) { test in
      try await test.setClock(to: "2024-05-15 12:00Z")
      #expect(
        try await test.sql("select payload from schedule") == [#""{""street"": ""Hill""}""#])
      try await test.setClock(to: "2024-05-20 00:00Z")
      #expect(try await test.fireSchedules() == 1)
      #expect(try await test.drain() == 0)
      #expect(try await test.noted() == ["Hill:1716163200@1"])
      let queue = Queue(Session(try await test.connect(), in: test.schema))
      #expect(try await queue.drift([PostmanJob.registered]).differences == [])
      try await test.sql("update schedule set payload = null")
      #expect(
        try await queue.drift([PostmanJob.registered]).differences
          == ["the schedule of job postman is registered as another"])
      try await queue.define([PostmanJob.registered])
      #expect(try await queue.drift([PostmanJob.registered]).differences == [])
    }
  }

  @Test func `any of a job's events wakes it`() async throws {
    try await JobTest.noting([StampJob.registered]) { test in
      try await test.sql("select append_events('stamp.sold', array['a'])::text")
      try await test.sql("select append_events('stamp.lost', array['b'])::text")
      try await test.sql("select append_events('stamp.found', array['c'])::text")
      #expect(try await test.drain() == 0)
      #expect(try await test.noted() == ["a:0@1", "b:0@1"])
    }
  }
}

// MARK: - Jobs

/// A job whose key is a number, and which fails for unknown names.
private struct LetterJob: BatchJob {
  static let definition = Definition<Self>(
    "letter", retry: .attempts(3, exponentialFrom: .zero, to: .zero))

  typealias Key = Int64

  let to: String
  let stamps: Int?

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {
    var failed: [Int64: any Error] = [:]
    for run in batch {
      do {
        if run.payload.to == "nobody" { throw TestFailure("nobody lives there") }
        if run.payload.to == "zero" { try await context.divideByZero() }
        try await context.note(
          "\(run.key):\(run.payload.to):\(run.payload.stamps ?? 0)", run.attempt)
      } catch {
        failed[run.id] = error
      }
    }
    if !failed.isEmpty { throw FailedRuns(failed) }
  }

  static let registered = RegisteredJob(LetterJob.self) { PacedContext(transaction: $0) }
}

extension PacedContext {
  fileprivate func divideByZero() async throws {
    try await transaction.run(.run(Statement("test/zero", "select 1 / (random() * 0)::integer")))
  }
}

/// A job that two events trigger.
private struct StampJob: BatchJob {
  static let definition = Definition<Self>(
    "stamp", on: [.event(Topic("stamp.sold")), .event(Topic("stamp.lost"))])

  let value: Int?

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {
    for run in batch { try await context.note("\(run.key):\(run.payload.value ?? 0)", run.attempt) }
  }

  static let registered = RegisteredJob(StampJob.self) { PacedContext(transaction: $0) }
}

private struct ScaleJob: BatchJob {
  static let definition = Definition<Self>("scale")

  let weight: Double

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {
    for run in batch { try await context.note("\(run.key):\(run.payload.weight)", run.attempt) }
  }

  static let registered = RegisteredJob(ScaleJob.self) { PacedContext(transaction: $0) }
}

/// A job whose runs have the payload of its schedule.
private struct PostmanJob: BatchJob {
  static let definition = Definition<Self>(
    "postman", on: [.cron("0 0 * * 1", payload: PostmanJob(street: "Hill"))])

  let street: String

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {
    for run in batch {
      let time = Int(run.scheduledFor.timeIntervalSince1970)
      try await context.note("\(run.payload.street):\(time)", run.attempt)
    }
  }

  static let registered = RegisteredJob(PostmanJob.self) { PacedContext(transaction: $0) }
}

/// A job that records the queue's data about its run.
///
/// The first attempt that is not a dry run fails.
private struct HeaderJob: BatchJob {
  static let definition = Definition<Self>(
    "header", retry: .attempts(3, exponentialFrom: .zero, to: .zero))

  static func run(_ batch: [Run<Self>], in context: HeaderContext) async throws {
    for run in batch {
      guard run.isDryRun || run.attempt > 1 else { throw TestFailure("the first attempt") }
      try await context.note(
        "\(run.id):\(run.key):\(run.attempt):\(run.isDryRun)",
        "\(run.scheduledFor.timeIntervalSince1970):\(run.firstEventAt.timeIntervalSince1970)")
    }
  }

  static let registered = RegisteredJob(HeaderJob.self) { HeaderContext(transaction: $0) }
}

private struct HeaderContext: Sendable {
  let transaction: Transaction

  func note(_ text: String, _ times: String) async throws {
    try await transaction.run(
      .run(Statement("test/header", "insert into noted (key, xact) values ($1, $2)"), text, times))
  }

  func read() async throws -> [String] {
    let list = Call.rows(Statement("test/headers", "select key from noted")) {
      (row) throws(PostgresError) in try row.decode(String.self)
    }
    return try await transaction.run(list)
  }
}

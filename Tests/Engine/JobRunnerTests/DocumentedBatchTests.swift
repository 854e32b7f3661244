import BatonJobs
import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Compiles and runs the examples of docs/guides/batches.md.
@Suite struct DocumentedBatchTests {
  /// Returns the statements of the SQL examples, in the order of the page.
  private func examples() throws -> [[String]] {
    let page = try Checkout.text("docs/guides/batches.md")
    return page.matches(of: /```sql\n([^`]+)```/).map { match in
      match.output.1.split(separator: ";").map(String.init).filter { $0.contains("select") }
    }
  }

  private let jobs = [
    RegisteredJob(Render.self) { Exports(transaction: $0) },
    RegisteredJob(RenderPage.self) { Exports(transaction: $0) },
    RegisteredJob(JoinPages.self) { Exports(transaction: $0) },
    RegisteredJob(Mail.self) { Exports(transaction: $0) },
    RegisteredJob(Archive.self) { Exports(transaction: $0) },
  ]

  @Test func `an export is archived after its parts`() async throws {
    let examples = try examples()
    try await JobTest.noting(jobs) { test in
      for statement in try #require(examples.first) { try await test.sql(statement) }
      for statement in examples[2] { try await test.sql(statement) }
      for statement in examples[1] { try await test.sql(statement) }
      #expect(try await test.drain() == 0)
      #expect(
        try await test.sql("select key from noted where key like 'packed%' order by 1")
          == ["\"packed export-7 true\"", "\"packed export-8 true\""])
      #expect(
        try await test.sql("select name, done from batch order by name")
          == ["export-7,4", "export-7/pages,2", "export-8,2"])
    }
  }

  @Test func `the Swift calls are the same as the SQL calls`() async throws {
    let chunks = [RunRequest(job: "render", key: "9/1"), RunRequest(job: "mail")]
    try await JobTest.noting(jobs) { test in
      let connection = try await test.connect()
      try await Session(connection, in: test.schema).transaction { transaction in
        try await transaction.openBatch("export-9", job: "archive")
        try await transaction.enqueue(chunks, batch: "export-9")
        try await transaction.sealBatch("export-9")
      }
      await connection.close()
      #expect(try await test.drain() == 0)
      #expect(
        try await test.sql("select key from noted where key like 'packed%'")
          == ["\"packed export-9 true\""])
    }
  }

  @Test func `a workflow starts each step after the step before`() async throws {
    let steps = [
      RegisteredJob(OrderFlow.self) { OrderSteps(transaction: $0) },
      RegisteredJob(StepRun<Charge>.self) { Exports(transaction: $0) },
      RegisteredJob(StepRun<Pack>.self) { Exports(transaction: $0) },
      RegisteredJob(StepRun<PrintLabel>.self) { Exports(transaction: $0) },
      RegisteredJob(StepRun<SendThanks>.self) { Exports(transaction: $0) },
    ]
    try await JobTest.noting(steps) { test in
      try await test.sql(
        "select enqueue_batch('7/charge', 'charge', '[{\"key\": \"7\"}]', 'order-flow')")
      #expect(try await test.drain() == 0)
      #expect(
        try await test.sql("select key from noted")
          .map { $0.replacing("\"", with: "") }.sorted()
          == ["charge 7", "pack 7", "print-label 7", "send-thanks 7"])
      #expect(
        try await test.sql("select name from batch order by id")
          == ["7/charge", "7/ship", "7/thank"])
    }
  }
}

private struct Exports: Sendable {
  let transaction: Transaction

  func note(_ text: String) async throws {
    try await BatchContext(transaction: transaction).note(text)
  }

  func pack(_ export: String, isComplete: Bool) async throws {
    try await note("packed \(export) \(isComplete)")
  }
}

private struct Archive: BatchJob {
  static let definition = Definition<Self>("archive")

  let batch: String
  let generation, done, dead, cancelled: Int

  static func run(_ batch: [Run<Self>], in exports: Exports) async throws {
    for run in batch {
      try await exports.pack(run.key, isComplete: run.payload.dead + run.payload.cancelled == 0)
    }
  }
}

private struct Render: BatchJob {
  static let definition = Definition<Self>("render")

  static func run(_ batch: [Run<Self>], in exports: Exports) async throws {}
}

private struct RenderPage: BatchJob {
  static let definition = Definition<Self>("render-page")

  static func run(_ batch: [Run<Self>], in exports: Exports) async throws {}
}

private struct JoinPages: BatchJob {
  static let definition = Definition<Self>("join-pages")

  static func run(_ batch: [Run<Self>], in exports: Exports) async throws {}
}

private struct Mail: BatchJob {
  static let definition = Definition<Self>("mail")

  static func run(_ batch: [Run<Self>], in exports: Exports) async throws {}
}

private struct OrderSteps: Sendable {
  let transaction: Transaction

  func begin(_ step: String, of order: String, _ jobs: [String]) async throws {
    let name = "\(order)/\(step)"
    try await transaction.openBatch(name, job: "order-flow")
    try await transaction.enqueue(
      jobs.map { RunRequest(job: $0, key: order) }, batch: name)
    try await transaction.sealBatch(name)
  }
}

private struct OrderFlow: BatchJob {
  static let definition = Definition<Self>("order-flow")

  let dead, cancelled: Int

  static func run(_ batch: [Run<Self>], in orders: OrderSteps) async throws {
    for run in batch where run.payload.dead + run.payload.cancelled == 0 {
      let parts = run.key.split(separator: "/").map(String.init)
      switch parts[1] {
      case "charge": try await orders.begin("ship", of: parts[0], ["pack", "print-label"])
      case "ship": try await orders.begin("thank", of: parts[0], ["send-thanks"])
      default: break
      }
    }
  }
}

private protocol StepKind: Sendable {
  static var name: String { get }
}

private enum Charge: StepKind { static let name = "charge" }
private enum Pack: StepKind { static let name = "pack" }
private enum PrintLabel: StepKind { static let name = "print-label" }
private enum SendThanks: StepKind { static let name = "send-thanks" }

/// A step of the workflow, which records its name and the order.
private struct StepRun<Kind: StepKind>: BatchJob {
  static var definition: Definition<Self> { Definition(Kind.name) }

  static func run(_ batch: [Run<Self>], in exports: Exports) async throws {
    for run in batch { try await exports.note("\(Kind.name) \(run.key)") }
  }
}

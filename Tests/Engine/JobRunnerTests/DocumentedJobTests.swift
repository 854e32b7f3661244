import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Compiles and runs the jobs of the guides.
///
/// `QuoteTests` compare these pages with this file: docs/guides/jobs.md, docs/guides/triggers.md,
/// docs/guides/effects.md, docs/guides/limits.md, docs/guides/enqueue.md, docs/guides/unique-jobs.md and
/// docs/guides/testing-jobs.md.
@Suite struct DocumentedJobTests {
  /// Returns the first call of `enqueue` in docs/guides/jobs.md, without changes.
  private func documentedCall() throws -> String {
    let page = Checkout.root.appending(path: "docs/guides/jobs.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    return String(try #require(text.firstMatch(of: /\n(select enqueue\([^;]+);/)).output.1)
  }

  @Test func `a letter is sent as the page asks for it`() async throws {
    try await JobTest.noting([RegisteredJob(SendLetter.self) { Post(transaction: $0) }]) { test in
      try await test.sql(documentedCall())
      #expect(try await test.drain() == 0)
      #expect(try await test.noted() == ["\"letter 7 to Ann@1\""])
    }
  }

  @Test func `a job reads the rows that it works with`() async throws {
    try await JobTest.noting([RegisteredJob(BillParcels.self) { $0 }]) { test in
      try await test.sql("create table parcel (buyer text, cents bigint)")
      try await test.sql("create table bill (buyer text, parcels bigint, cents bigint)")
      try await test.sql("insert into parcel values ('ann', 300), ('ann', 450), ('ben', 90)")
      try await test.sql("select enqueue('bill-parcels', b) from unnest(array['ann', 'ben']) b")
      #expect(try await test.drain() == 0)
      #expect(try await test.sql("select * from bill order by 1") == ["ann,2,750", "ben,1,90"])
    }
  }

  @Test func `what died is told to the operator`() async throws {
    let jobs = [
      RegisteredJob(SendLetter.self) { Post(transaction: $0) },
      RegisteredJob(TellOperator.self) { Pager(transaction: $0) },
    ]
    try await JobTest.noting(jobs) { test in
      try await test.sql("select enqueue('send-letter', '7')")
      #expect(try await test.drain() == 1)
      #expect(
        try await test.sql("select key from noted")
          == ["\"send-letter 7: the payload cannot be read: to is missing\""])
    }
  }

  @Test func `a run is asked for in Swift, and a webhook is posted`() async throws {
    let posted = Posted()
    let jobs = [
      RegisteredJob(SendLetter.self) { Post(transaction: $0) },
      RegisteredJob(Remind.self) { Post(transaction: $0) },
      RegisteredJob(PostWebhook.self) { _ in HTTP(posted: posted) },
      RegisteredJob(SyncAccount.self) { _ in HTTP(posted: posted) },
    ]
    try await JobTest.noting(jobs) { test in
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      let queue = Queue(session)
      let tomorrow = Date(timeIntervalSinceNow: 86_400)
      try await session.transaction { transaction in
        try await transaction.enqueue(RunRequest(SendLetter(to: "Ann", stamps: 1), key: 7))
      }
      try await session.transaction { transaction in
        try await transaction.enqueue(
          RunRequest(Remind(), key: "7", at: tomorrow, replacing: true))
      }
      let id = try await queue.enqueue(RunRequest(PostWebhook(url: "https://example.org")))
      let synced = try await queue.enqueue(RunRequest(SyncAccount(tenant: "7")))
      await connection.close()
      #expect(try await test.drain() == 0)
      #expect(try await test.noted() == ["\"letter 7 to Ann@1\""])
      #expect(
        posted.all.sorted()
          == ["https://example.org \(id)", "https://example.org/7 \(synced)"])
      #expect(try await test.sql("select job from run") == ["remind"])
    }
  }

  @Test func `an event makes a label`() async throws {
    try await JobTest.noting([RegisteredJob(PrintLabels.self) { Post(transaction: $0) }]) { test in
      try await test.sql("select append_events('parcel.picked', array['8'])")
      #expect(try await test.drain() == 0)
      #expect(try await test.noted() == ["\"label 8@1\""])
    }
  }

  @Test(.sampled()) func `an order of another schema thanks its buyer`() async throws {
    try await JobTest.noting([RegisteredJob(ThankBuyer.self) { Post(transaction: $0) }]) { test in
      try await test.sql("create schema shop")
      try await test.sql(
        "create table shop.orders (id integer primary key, customer_id text, status text)")
      let connection = try await test.connect()
      _ = try await TableTriggers(
        test.schema, of: "test", jobs: [RegisteredJob(ThankBuyer.self) { Post(transaction: $0) }]
      ).migrate(connection)
      await connection.close()
      try await test.sql("insert into shop.orders values (1, 'ann', 'new')")
      #expect(try await test.drain() == 0)
      #expect(try await test.noted() == ["\"thanks ann@1\""])
    }
  }

  @Test(.sampled()) func `a digest is sent in steps, by hand and on Mondays`() async throws {
    let address = try TestServer.address
    try await JobTest.run([RegisteredJob(SendDigest.self) { Digests($0) }], at: address) { test in
      try await test.setClock(to: "2024-02-29 23:59:59Z")
      try await test.sql("select enqueue('send-digest', 'user-1')")
      #expect(try await test.events() == ["enqueue/send-digest user-1"])
      #expect(try await test.drain() == 0)  // returns the number of dead runs
      #expect(try await test.runs().isEmpty)
      try await test.setClock(to: "2024-03-04 00:00Z")
      try await test.drain()  // fires the schedules whose time the clock has passed
      #expect(try await test.occurrences() == ["send-digest 2024-03-04T00:00:00Z fired"])
      #expect(try await test.history().map(\.report) == [["sent": 2], ["sent": 2]])
    }
  }
}

// MARK: - Jobs

private struct PrintLabels: BatchJob {
  static let definition = Definition<Self>("print-labels", on: [.event(Topic("parcel.picked"))])

  static func run(_ batch: [Run<Self>], in post: Post) async throws {
    for run in batch { try await post.note("label \(run.key)", 1) }
  }
}

private struct ThankBuyer: BatchJob {
  static let definition = Definition<Self>(
    "thank-buyer",
    on: [.table("shop.orders", on: .insert, .update(of: "status"), .delete, key: "customer_id")])

  static func run(_ batch: [Run<Self>], in post: Post) async throws {
    for run in batch { try await post.note("thanks \(run.key)", 1) }
  }
}

private struct SendLetter: BatchJob {
  static let definition = Definition<Self>("send-letter")

  typealias Key = Int64

  let to: String
  let stamps: Int?

  static func run(_ batch: [Run<Self>], in post: Post) async throws {
    for run in batch {
      try await post.send(run.key, to: run.payload.to, stamps: run.payload.stamps ?? 1)
    }
  }
}

extension SQL {
  fileprivate enum Parcels {
    static let sumByBuyer = Statement(
      "parcels/sum_by_buyer",
      """
      select buyer, count(*), sum(cents)::bigint from parcel where buyer = any ($1) group by buyer
      """)
    static let writeBill = Statement("parcels/write_bill", "insert into bill values ($1, $2, $3)")
  }
}

private struct BillParcels: BatchJob {
  static let definition = Definition<Self>("bill-parcels")

  static func run(_ batch: [Run<Self>], in transaction: Transaction) async throws {
    let sums = try await transaction.run(
      .rows(SQL.Parcels.sumByBuyer, batch.map(\.key), as: String.self, Int64.self, Int64.self))
    for (buyer, parcels, cents) in sums {
      try await transaction.run(.run(SQL.Parcels.writeBill, buyer, parcels, cents))
    }
  }
}

private struct Remind: BatchJob {
  static let definition = Definition<Self>("remind")

  static func run(_ batch: [Run<Self>], in post: Post) async throws {
    for run in batch { try await post.note("remind \(run.key)", 1) }
  }
}

private struct PostWebhook: EffectJob {
  static let definition = Definition<Self>("post-webhook", concurrency: 20, timeout: .seconds(10))

  let url: String

  static func perform(_ run: Run<Self>, in http: HTTP) async throws {
    try await http.post(run.payload.url, idempotencyKey: "\(run.id)")
  }
}

private struct SyncAccount: EffectJob {
  static let definition = Definition<Self>(
    "sync-account", concurrency: 20,
    limits: [.concurrency(50), .concurrency(2, per: .payload("tenant")), .perSecond(10, burst: 5)])

  let tenant: String

  static func perform(_ run: Run<Self>, in http: HTTP) async throws {
    try await http.post("https://example.org/\(run.payload.tenant)", idempotencyKey: "\(run.id)")
  }
}

private struct CallProvider: EffectJob {
  static let definition = Definition<Self>(
    "call-provider", concurrency: 20,
    limits: [.perSecond(5, burst: 10, per: .payload("tenant")), .perSecond(100, burst: 20)])

  let tenant: String

  static func perform(_ run: Run<Self>, in http: HTTP) async throws {
    try await http.post("https://example.org/\(run.payload.tenant)", idempotencyKey: "\(run.id)")
  }
}

private struct TellOperator: BatchJob {
  static let definition = Definition<Self>("tell-operator", on: [.event(.runDied)])

  typealias Key = Int64

  let died: DeadRun

  static func run(_ batch: [Run<Self>], in pager: Pager) async throws {
    for run in batch {
      try await pager.page(
        "\(run.payload.died.job) \(run.payload.died.key): \(run.payload.died.error)")
    }
  }
}

private struct SendDigest: StepJob {
  static let definition = Definition<Self>("send-digest", on: [.cron("0 0 * * 1")])

  struct State: StepState {
    var last = ""
  }

  static func step(
    _ run: Run<Self>, _ state: inout State, in digests: Digests
  ) async throws -> StepResult {
    guard let next = digests.chapter(after: state.last) else { return .done([:]) }
    state.last = next
    return .more(["sent": 1])
  }
}

// MARK: - What they work with

private struct Post: Sendable {
  let transaction: Transaction

  func send(_ number: Int64, to person: String, stamps: Int) async throws {
    try await note("letter \(number) to \(person)", stamps)
  }

  func note(_ text: String, _ count: Int) async throws {
    try await PacedContext(transaction: transaction).note(text, count)
  }
}

private struct HTTP: Sendable {
  let posted: Posted

  func post(_ url: String, idempotencyKey: String) async throws {
    posted.append("\(url) \(idempotencyKey)")
  }
}

private final class Posted: Sendable {
  private let list = Mutex<[String]>([])

  var all: [String] { list.withLock { $0 } }

  func append(_ text: String) { list.withLock { $0.append(text) } }
}

private struct Pager: Sendable {
  let transaction: Transaction

  func page(_ text: String) async throws {
    try await PacedContext(transaction: transaction).note(text, 1)
  }
}

private struct Digests: Sendable {
  init(_ transaction: Transaction) {}

  /// Of two, the one behind this.
  func chapter(after last: String) -> String? { ["": "one", "one": "two"][last] }
}

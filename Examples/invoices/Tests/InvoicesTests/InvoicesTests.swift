import Foundation
import JobTesting
import Testing

@testable import Invoices

/// Each test uses its own schema on the server at `DATABASE_URL`.
@Suite struct InvoicesTests {
  /// The file of the deliveries of all tests.
  private static let file: String = {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).tsv").path()
    setenv("PROVIDER_FILE", path, 1)
    return path
  }()

  /// Calls the body with a tenant in Tokyo and a tenant in New York.
  private func withTenants(_ body: (JobTest) async throws -> Void) async throws {
    let address = try #require(
      ProcessInfo.processInfo.environment["DATABASE_URL"],
      "set DATABASE_URL to the address that `invoices db up` prints")
    _ = Self.file
    try await JobTest.run(Invoices.jobs, parts: Invoices.parts, at: address) { test in
      try await test.setClock(to: "2026-03-15 12:00Z")
      try await test.sql(
        """
        insert into tenant (id, email, zone)
        values (1, 'one@example.org', 'Asia/Tokyo'), (2, 'two@example.org', 'America/New_York')
        """)
      #expect(try await test.drain() == 0)
      try await body(test)
    }
  }

  /// Returns the deliveries about a payment, in order, without the ids of the runs.
  private func deliveries(of payment: Int) throws -> [String] {
    try String(contentsOfFile: Self.file, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: "\t") }
      .filter { $0[2].hasSuffix("of payment \(payment)") }
      .map { "\($0[2].prefix { $0 != " " })" }
  }

  @Test func `a reminder moves with the due date of its invoice`() async throws {
    try await withTenants { test in
      try await test.sql(
        """
        insert into invoice (id, tenant, customer, cents, due_at)
        values (7, 1, 'Ann', 4200, '2026-03-16 12:00Z'), (8, 1, 'Ben', 4200, '2026-03-16 12:00Z')
        """)
      try await test.drain()
      try await test.sql("update invoice set due_at = '2026-03-18 12:00Z' where id = 7")
      try await test.sql("update invoice set paid_at = domain_now() where id = 8")
      try await test.advance(to: "2026-03-25 11:59Z")
      #expect(try await test.sql("select invoice from reminder") == [])
      #expect(try await test.advance(to: "2026-03-25 12:00Z") == 0)
      #expect(try await test.sql("select invoice from reminder") == ["7"])
      try await test.expectNothingLeft()
    }
  }

  @Test func `each tenant gets its report at 06 o'clock in its own time zone`() async throws {
    try await withTenants { test in
      // In Tokyo, April begins at 15:00 UTC.
      try await test.sql(
        """
        insert into invoice (tenant, customer, cents, issued_at, due_at) values
          (1, 'Ann', 4200, '2026-03-31 14:59Z', '2027-01-01 00:00Z'),
          (1, 'Ben', 1000, '2026-03-31 15:00Z', '2027-01-01 00:00Z')
        """)
      try await test.advance(to: "2026-03-31 20:59Z")
      #expect(try await test.sql("select tenant from report") == [])
      try await test.advance(to: "2026-03-31 21:00Z")
      #expect(try await test.sql("table report") == ["1,2026-03-01,1,4200"])
      try await test.advance(to: "2026-04-01 09:59Z")
      #expect(try await test.sql("select tenant from report") == ["1"])
      #expect(try await test.advance(to: "2026-04-01 10:00Z") == 0)
      #expect(try await test.sql("select tenant from report order by 1") == ["1", "2"])
    }
  }

  @Test func `an import stores each line of a file once`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).csv").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let lines = (1...3000).map { "customer-\($0),\($0)" }
    try lines.joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
    try await withTenants { test in
      try await test.sql("select enqueue('import-lines', 'march', '{\"path\": \"\(path)\"}')")
      #expect(try await test.drain() == 0)
      #expect(
        try await test.sql("select count(*), max(line), sum(cents) from upload_line")
          == ["3000,3000,4501500"])
      #expect(
        try await test.sql("select customer from upload_line where line = cents and line > 2999")
          == ["customer-3000"])
      #expect(try await test.history().map(\.report) == [["lines": 3000]])
      try "Ann,4200\nBen".write(toFile: path, atomically: false, encoding: .utf8)
      try await test.sql("select enqueue('import-lines', 'april', '{\"path\": \"\(path)\"}')")
      #expect(try await test.drain() == 1)
      #expect(
        try await test.sql("select error like '%line 2 is not a customer%' from dead_run") == ["t"])
    }
  }

  @Test func `an export is archived after its 50 chunks`() async throws {
    try await withTenants { test in
      try await test.sql(
        "insert into upload_line select 'march', n, 'Ann', n from generate_series(1, 205) n")
      try await test.sql("insert into export (id, upload) values (7, 'march')")
      #expect(try await test.drain() == 0)
      #expect(try await test.sql("table archive") == ["7,50,205,21115"])
    }
  }

  @Test func `a payment is booked after the confirmation of the bank`() async throws {
    try await withTenants { test in
      try await pay(901, test)
      #expect(try deliveries(of: 901) == ["request"])
      try await test.sql("select send_event('bank.confirmed', '901')")
      #expect(try await test.drain() == 0)
      #expect(try deliveries(of: 901) == ["request", "receipt"])
      #expect(try await test.sql("select from payment where paid_at is not null").count == 1)
      #expect(try await test.sql("select from invoice where paid_at is not null").count == 1)
    }
  }

  @Test func `a payment that is not confirmed within three days is cancelled`() async throws {
    try await withTenants { test in
      try await pay(902, test)
      try await test.advance(to: "2026-03-18 11:59Z")
      #expect(try deliveries(of: 902) == ["request"])
      #expect(try await test.advance(to: "2026-03-18 12:00Z") == 0)
      #expect(try deliveries(of: 902) == ["request", "cancellation"])
      #expect(try await test.sql("select from payment where paid_at is null").count == 1)
    }
  }

  private func pay(_ payment: Int, _ test: JobTest) async throws {
    try await test.sql(
      """
      insert into invoice (id, tenant, customer, cents, due_at)
      values (7, 1, 'Ann', 4200, '2027-01-01 00:00Z')
      """)
    try await test.sql("insert into payment (id, invoice, tenant) values (\(payment), 7, 1)")
    #expect(try await test.drain() == 0)
  }
}

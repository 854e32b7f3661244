import Foundation
import TestSupport
import Testing

/// A delivery to a mail server or a bank, as the example `invoices` records it.
struct RecordedDelivery {
  /// The seconds since 1970.
  let time: Double
  let tenant, what, key: String

  init(_ line: Substring) throws {
    let fields = line.split(separator: "\t").map(String.init)
    guard fields.count == 4, let time = Double(fields[0]) else {
      throw TestFailure("no delivery: \(line)")
    }
    (self.time, tenant, what, key) = (time, fields[1], fields[2], fields[3])
  }
}

extension KilledInvoices {
  func expectEverything(took duration: Duration) async throws {
    #expect(units.flatMap(\.problems) == [])
    #expect(try await sql("select job, key, error from dead_run") == [])
    try await expectRows()
    let deliveries = try deliveries()
    try await expectEach(of: deliveries)
    expectRates(of: deliveries.filter { $0.what.hasPrefix("mail ") })
    #expect(kills >= 5)
    print(
      """
      FIGURE invoices: \(kills) kills in \(duration), \(deliveries.count) deliveries of \
      \(Set(deliveries.map(\.what)).count), \
      \(deliveries.count - Set(deliveries.map(\.key)).count) repeated with the same key
      """)
  }

  /// Checks the writes in the database, each of which happens exactly once.
  private func expectRows() async throws {
    let sum = lines * (lines + 1) / 2
    #expect(
      try await sql("select count(*), max(line), sum(cents) from upload_line")
        == ["\(lines),\(lines),\(sum)"])
    // The report contains the sum over all attempts of the run.
    #expect(
      try await sql("select report ->> 'lines' from run_history where job = 'import-lines'")
        == ["\(lines)"])
    #expect(
      try await sql("select chunks, lines, cents from archive")
        == Array(repeating: "50,\(lines),\(sum)", count: Self.exports))
    #expect(
      try await sql("select generation, done, dead, cancelled from batch")
        == Array(repeating: "1,50,0,0", count: Self.exports))
    #expect(
      try await sql(
        """
        select count(*), count(*) filter (where r.due_at = i.due_at
          and r.sent_at >= i.due_at + interval '7 days')
        from reminder r join invoice i on i.id = r.invoice
        where i.id <= \(Self.reminders)
        """) == ["\(Self.reminders),\(Self.reminders)"])
    #expect(try await sql("select from reminder").count == Self.reminders)
    #expect(try await sql("select from report").count == Self.tenants * Self.months)
    #expect(
      try await sql("select id from payment where (paid_at is not null) <> (id % 2 = 1)") == [])
    #expect(
      try await sql("select from invoice where paid_at is not null").count == Self.payments / 2)
  }

  /// Checks that each delivery was made, and that repeated deliveries have the same key.
  private func expectEach(of deliveries: [RecordedDelivery]) async throws {
    var expected: Set<String> = []
    for mail in 1...Self.mails { expected.insert("mail to customer-\(mail): invoice \(mail)") }
    for invoice in 1...Self.reminders {
      expected.insert("mail to customer-\(invoice): reminder of invoice \(invoice)")
    }
    for payment in 1...Self.payments {
      let end = payment.isMultiple(of: 2) ? "cancellation" : "receipt"
      expected.formUnion(["request of payment \(payment)", "\(end) of payment \(payment)"])
    }
    // The occurrence at the beginning of a month reports the month before.
    let months = try await sql(
      """
      select to_char(date_trunc('month', now()) - make_interval(months => 1 + n), 'YYYY-MM')
      from generate_series(1, \(Self.months)) n
      """)
    for tenant in 1...Self.tenants {
      for month in months {
        expected.insert("mail to tenant-\(tenant)@example.org: report of \(month)")
      }
    }
    let keys = Dictionary(grouping: deliveries, by: \.what).mapValues { Set($0.map(\.key)) }
    #expect(expected.subtracting(keys.keys).sorted() == [], "lost")
    #expect(Set(keys.keys).subtracting(expected).sorted() == [], "not expected")
    #expect(keys.filter { $0.value.count > 1 }.isEmpty, "repeated with another key")
    #expect(
      Set(deliveries.map(\.key)).count == keys.count, "one key for two different deliveries")
  }

  /// Checks that no tenant got more mails in any period than the limit of the job allows.
  private func expectRates(of mails: [RecordedDelivery]) {
    for (tenant, mails) in Dictionary(grouping: mails, by: \.tenant) {
      let times = mails.map(\.time).sorted()
      var excess = 0
      for (first, start) in times.enumerated() {
        for (last, end) in times.enumerated().dropFirst(first) {
          // At most two mails of a tenant have started before the period, and are delivered in it.
          let most: Double = 23 + 20 * (end - start)
          if Double(last - first + 1) > most { excess += 1 }
        }
      }
      #expect(excess == 0, "tenant \(tenant)")
    }
  }
}

import Foundation
import JobTesting
import Testing

@testable import Orders

/// Each test uses its own schema on the server at `DATABASE_URL`.
@Suite struct OrdersTests {
  private func withOrders(_ body: (JobTest) async throws -> Void) async throws {
    let address = try #require(
      ProcessInfo.processInfo.environment["DATABASE_URL"],
      "set DATABASE_URL to the address that `orders db up` prints")
    try await JobTest.run(Orders.jobs, parts: Orders.parts, at: address, body)
  }

  @Test func `one transaction tells the warehouse about 20 parcels`() async throws {
    try await withOrders { test in
      try await test.sql(
        "insert into parcel (product, address) select 'tea', 'Street ' || n from generate_series(1, 20) n"
      )
      #expect(try await test.drain() == 0)
      #expect(
        try await test.sql("select count(*), count(distinct told_at) from to_pack") == ["20,1"])
      #expect(
        try await test.sql(
          "select runs, batches from job_activity where job = 'tell-warehouse'") == ["20,1"])
    }
  }

  @Test func `each step of a recall takes 1,000 parcels of the product`() async throws {
    try await withOrders { test in
      try await test.sql(
        "insert into parcel (product, address) select 'tea', 'Street ' || n from generate_series(1, 1500) n"
      )
      try await test.sql("insert into parcel (product, address) values ('jam', 'Street 1')")
      try await test.drain()
      try await test.sql("insert into recall values ('tea')")
      #expect(try await test.drain() == 0)
      #expect(try await test.sql("select product from to_pack") == ["jam"])
      #expect(try await test.sql("select count(distinct recalled_at) from parcel") == ["2"])
      #expect(try await test.history().map(\.report) == [["parcels recalled": 1500]])
    }
  }

  @Test func `days are counted in the morning by the time zone of Berlin`() async throws {
    try await withOrders { test in
      try await test.setClock(to: "2026-03-28 12:00Z")
      // Daylight saving time began in this night, so the 29th begins at 23:00 UTC and ends at 22:00
      // UTC.
      try await test.sql(
        """
        insert into parcel (product, address, ordered_at) values
          ('tea', 'Street 1', '2026-03-28 22:59Z'), ('tea', 'Street 2', '2026-03-28 23:00Z'),
          ('tea', 'Street 3', '2026-03-29 21:59Z'), ('tea', 'Street 4', '2026-03-29 22:00Z')
        """)
      try await test.setClock(to: "2026-03-30 04:00Z")
      #expect(try await test.drain() == 0)
      #expect(
        try await test.sql("select day, parcels from day_count order by 1")
          == ["2026-03-28,1", "2026-03-29,2"])
    }
  }

  @Test func `a recall is enqueued together with its row`() async throws {
    try await withOrders { test in
      try await test.sql("insert into recall values ('tea')")
      try await test.expectEnqueued(RecallProduct.self, key: "tea")
      try await test.drain()
      try await test.expectNothingLeft()
    }
  }

  @Test func `days are counted on every morning`() async throws {
    try await withOrders { test in
      try await test.setClock(to: "2026-03-28 12:00Z")
      try await test.advance(to: "2026-03-30 12:00Z")
      #expect(
        try await test.occurrences() == [
          "count-days 2026-03-29T04:00:00Z fired", "count-days 2026-03-30T04:00:00Z fired",
        ])
    }
  }

  @Test func `each change of a function, view or trigger has a new version number`() async throws {
    let sets = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../sql/versions.sql").standardized
    try await withOrders { test in
      for part in Orders.parts { try await test.checkVersions(of: part, at: sets) }
    }
  }
}

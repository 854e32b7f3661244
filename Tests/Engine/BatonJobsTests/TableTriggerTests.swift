import BatonJobs
import Testing

/// A job that declares table triggers.
@Suite struct TableTriggerTests {
  private struct Counting: BatchJob {
    static let definition = Definition<Self>(
      "count-orders",
      on: [
        .table("orders", on: .delete, .update(of: "status", "total"), .insert, key: "customer_id"),
        .event(Topic("order.sent")),
        .table(
          "shop.refunds", on: .insert, .update(of: "total"), key: "customer_id",
          when: "total > 0\nand true", payload: .columns("id", "total")),
      ])
    static func run(_ batch: [Run<Self>], in context: Int) async throws {}
  }

  @Test func `a job has several triggers, of tables too`() {
    let definition = Counting.definition.job
    #expect(definition.topics.map(\.name) == ["order.sent"])
    #expect(definition.tables.map(\.name) == ["orders", "shop.refunds"])
    #expect(definition.tables[0].operations.map(\.kind) == [.insert, .update, .delete])
    #expect(definition.tables[0].columns == ["customer_id", "status", "total"])
    #expect(definition.tables[1].schema == "shop" && definition.tables[1].table == "refunds")
    #expect(definition.tables[1].columns == ["customer_id", "id", "total"])
    #expect(definition.tables[0].condition == nil)
    // The list of a job's tables has one table per line.
    #expect(
      definition.tables.map(\.text) == [
        "orders by customer_id: insert, update of status total, delete",
        "shop.refunds by customer_id: insert, update of total, when total > 0 and true",
      ])
  }

  @Test func `a table that cannot be one stops the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = Trigger<Counting>.table("orders; drop table orders", on: .insert, key: "id")
    }
    await #expect(processExitsWith: .failure) {
      _ = Trigger<Counting>.table("a.b.c", on: .insert, key: "id")
    }
    await #expect(processExitsWith: .failure) {
      _ = Trigger<Counting>.table("orders", on: .insert, key: "customer id")
    }
    await #expect(processExitsWith: .failure) {
      _ = Trigger<Counting>.table("orders", on: .update(of: ""), key: "id")
    }
    await #expect(processExitsWith: .failure) {
      _ = Trigger<Counting>.table("orders", on: .update, .update(of: "status"), key: "id")
    }
    await #expect(processExitsWith: .failure) {
      _ = Trigger<Counting>.table(
        "orders", on: .insert, key: "id", payload: .columns(String(repeating: "a", count: 64)))
    }
  }

  @Test func `a table with one key twice stops the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = Definition<Counting>(
        "count-orders",
        on: [.table("orders", on: .insert, key: "id"), .table("orders", on: .delete, key: "id")])
    }
  }
}

import BatonJobs
import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// Tests triggers that are created again while writers write, as docs/internals/queue.md describes.
@Suite(.timeLimit(.minutes(5))) struct TableTriggerRaceTests {
  /// The declarations of a job in turn: the same trigger, one more, one less, and another key.
  private static let declarations: [TableDeclaration] = [
    .of("count", on: .insert), .of("count", on: .insert, payload: .columns("id")),
    .of("count", on: .insert, .update(of: "total"), .delete),
    .of("count", on: .insert, .delete), .of("count", on: .insert, key: "code"),
  ]

  /// Returns the number of rows.
  private static func rows(of orders: Orders) async throws -> Int {
    let texts = try await orders.texts("select count(*)::text from orders")
    return try #require(texts.first.flatMap { Int($0) })
  }

  @Test(.sampled()) func `while triggers are remade no write fails and no event is lost`()
    async throws
  {
    try await Orders.with { orders in
      try await orders.test.sql("alter table orders add code text")
      try await orders.test.sql("create table till (id integer primary key, cents integer)")
      try await orders.test.sql("insert into till values (1, 0)")
      try await orders.declare(Self.declarations[0])
      let written = try await withThrowingTaskGroup(of: Int.self) { group in
        for writer in 0..<4 {
          group.addTask { try await Self.write(orders, as: writer) }
        }
        for round in 1...(TestSize.isFull ? 15 : 6) {
          let declaration = Self.declarations[round % Self.declarations.count]
          try await orders.declare(declaration)
          // Some writes use the trigger. This is a wait for a state, not for a duration.
          let done = try await Self.rows(of: orders)
          try await eventually("more is written") { try await Self.rows(of: orders) >= done + 5 }
        }
        group.cancelAll()
        return try await group.reduce(0, +)
      }
      #expect(written >= 30)
      #expect(
        try await orders.texts(
          """
          select customer from orders except select key from event where topic = 'table/count'
          """) == [])
    }
  }

  /// Writes until it is cancelled: alone, after a read, and after a row for which other sessions
  /// wait.
  ///
  /// - Returns: the number of inserted rows.
  private static func write(_ orders: Orders, as name: Int) async throws -> Int {
    let connection = try await orders.test.connect()
    var count = 0
    while !Task.isCancelled {
      count += 1
      let before =
        switch count % 4 {
        case 0: "select from orders limit 1;"
        case 1: "update till set cents = cents + 1;"
        case 2: "set transaction isolation level repeatable read; select from till;"
        default: ""
        }
      let (id, key) = (name * 1_000_000 + count, "w\(name)-\(count)")
      // A connection for which no cancelled task waits.
      let done = Task {
        try await connection.script(
          Statement(
            "test/write",
            """
            begin; set local search_path to \(orders.test.schema); \(before)
            insert into orders (id, customer, code) values (\(id), '\(key)', '\(key)');
            update orders set total = total + 1 where id = \(id);
            commit;
            """))
      }
      try await done.value
    }
    await connection.close()
    return count
  }
}

import BatonPostgres
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Writers at the same time as a session that truncates their table, and a session that holds the
/// lock longer.
///
/// In the server, each writer stops waiting for a lock after 50 ms. Other delays on a busy machine
/// do not count.
@Suite(.timeLimit(.minutes(5)))
struct TruncationWriterTests {
  @Test(.sampled())
  func `a writer waits for 50 ms at most while a segment of the event log is emptied`()
    async throws
  {
    try await CountQueue.with { queue in
      let append = "append_events('source.changed', array['k1'])"
      let emptied = Tally()
      try await besideWriters(queue, "select \(append)", holding: "select \(append)") {
        connection in
        try await connection.sql(
          "update event_segment set rotated_at = now() - interval '1 hour'", in: queue.schema)
        _ = try await Queue(Session(connection, in: queue.schema)).foldAtOnce()
        // No other session folds, so the cursor is not needed.
        let segments = try await connection.sql("select rotate_event_log()", in: queue.schema)
        return emptied.add(Int(segments.first ?? "") ?? 0) >= 12
      }
    }
  }

  @Test(.sampled()) func `a writer waits for 50 ms at most while a day is emptied`() async throws {
    try await CountQueue.with { queue in
      let write =
        """
        insert into run_history (partition, created_at, id, job, key, attempt, outcome)
        values (3, timestamptz 'epoch' + interval '3 days', (random() * 1e15)::bigint, 'j', 'k', 1,
          'done')
        """
      let (emptied, left, tried) = (Tally(), Tally(), Tally())
      try await besideWriters(queue, write, holding: "select count(*) from run_history_3") {
        let empty = "select coalesce(truncate_partition('run_history_3', now())::text, 'later')"
        let answer = try await $0.sql(empty, in: queue.schema)
        if answer == ["true"] { emptied.add(1) }
        if answer == ["later"] { left.add(1) }
        return emptied.sum >= 12 && left.sum >= 12 || tried.add(1) >= 400
      }
      // A session that waits for the holder of the lock also blocks all later writers.
      #expect(left.sum >= 12)
      #expect(emptied.sum >= 12)
    }
  }

  /// Runs three writers, and a fourth session that repeatedly holds a lock for 150 ms, until
  /// `empty` reports that it is done.
  private func besideWriters(
    _ queue: CountQueue, _ write: String, holding: String,
    _ empty: @escaping @Sendable (Connection) async throws -> Bool
  ) async throws {
    let (written, refused, leftOut) = (Tally(), Tally(), Tally())
    let isOver = Flag()
    let call = Call<Void>.run(Statement("test/write_table", write))
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 {
        group.addTask { try await keepWriting(call, queue, written, refused, leftOut, isOver) }
      }
      group.addTask { try await keepHolding(holding, queue, isOver) }
      group.addTask {
        defer { isOver.set() }
        let connection = try await Connection.open(queue.configuration)
        while try await !empty(connection) { try await Task.sleep(for: .milliseconds(5)) }
        await connection.close()
      }
      defer { isOver.set() }
      for try await _ in group {}
    }
    print(
      """
      \(written.sum) writes, \(refused.sum) would have waited longer, \(leftOut.sum) where the machine \
      stood still
      """)
    #expect(written.sum > 100)
    #expect(leftOut.sum * 100 <= written.sum * patience)
    // The holder of the lock may have had no processor. With all other tests at the same time, one
    // in 57 writes was refused once. With a patience of 2 s in place of 20 ms, one in 44 is refused
    // on a quiet machine. The limit is one in 100.
    #expect(refused.sum * 100 <= written.sum * patience)
  }

  private func keepWriting(
    _ write: Call<Void>, _ queue: CountQueue, _ written: Tally, _ refused: Tally, _ leftOut: Tally,
    _ isOver: Flag
  ) async throws {
    let limit = Statement("test/limit_lock", "select set_config('lock_timeout', '50ms', true)")
    let watch = StallWatch(oversleep: .milliseconds(10))
    defer { watch.stop() }
    let connection = try await Connection.open(queue.configuration)
    while !isOver.isSet {
      let began = ContinuousClock.now
      do throws(PostgresError) {
        try await connection.atomically(in: queue.schema, .run(limit), write)
        written.add(1)
      } catch  where error.sqlState == .lockNotAvailable {
        // The holder of the lock may have had no processor.
        (watch.stalled(began...(.now)) ? leftOut : refused).add(1)
      }
    }
    await connection.close()
  }

  private func keepHolding(_ statement: String, _ queue: CountQueue, _ isOver: Flag) async throws {
    let connection = try await Connection.open(queue.configuration)
    let hold = Call<Int>.count(Statement("test/hold_table", statement))
    while !isOver.isSet {
      try await connection.transaction(in: queue.schema) { transaction in
        try await transaction.run(hold)
        try await Task.sleep(for: .milliseconds(150))
      }
      // Sessions that could not get the lock now have time for it.
      try await Task.sleep(for: .milliseconds(50))
    }
    await connection.close()
  }
}

/// A sum over the counts of several tasks.
private final class Tally: Sendable {
  private let value = Mutex(0)
  var sum: Int { value.withLock { $0 } }

  @discardableResult
  func add(_ more: Int) -> Int {
    value.withLock { value in
      value += more
      return value
    }
  }
}

import BatonPostgres
import BenchSQL
import Foundation
import TestSupport
import Testing

/// Tests `gymrats bench` with small sizes: it measures, refuses and cleans up.
///
/// The figures have no meaning here.
@Suite(.serialized) struct BenchTests {
  private static let cases =
    Randomness.sample(1, of: ["drain", "write-spread", "backlog", "pick-up", "footprint"])
    + (TestSize.isFull ? others : [])
  /// A change of a bench rarely affects only one case, so the slower cases run only at full size.
  private static let others = [
    "rerank", "visible", "close", "retention", "live", "write-hot", "visible-hot",
    "drain-long-transaction", "drain-long-transaction-same-due", "api", "api-live",
  ]
  private static let writerKeys = [
    "longest_ms", "writer_p99_alone_ms", "writer_p99_ms", "writer_longest_ms",
  ]
  /// The additional lines of each case.
  private static let notes = [
    "close": writerKeys, "retention": ["fixed_ms"] + writerKeys,
    "visible": visibleKeys, "visible-hot": visibleKeys, "live": liveKeys,
    "api-live": liveKeys,
    "backlog": ["runs_per_s"], "pick-up": ["p99_ms", "awake_p50_ms", "awake_p99_ms"],
    "footprint": [
      "workout_wal_bytes", "workout_rows", "workout_bytes", "rank_wal_bytes", "rank_us", "close_us",
      "member_wal_bytes", "member_rows", "member_bytes", "week_wal_bytes", "week_rows",
      "week_bytes",
    ],
  ]
  private static let withoutRawSide = ["backlog", "pick-up", "live", "api-live"]
  private static let liveKeys = ["p50_ms", "p95_ms", "publish_p50_ms", "publish_p99_ms"]
  private static let visibleKeys = ["p50_ms", "p95_ms", "recomputes_a_board_and_second"]

  /// Sizes smaller than `--quick`, if `--quick` still takes seconds.
  private static let sizes = [
    "retention": ["--size", "challenges=200", "--size", "notifications=2000"]
  ]

  private func withDatabase(_ body: (BatonProgram, Connection) async throws -> Void) async throws {
    try await OwnDatabase.with { address, connection in
      try await body(BatonProgram(environment: ["DATABASE_URL": address]), connection)
    }
  }

  private func schemas(_ connection: Connection) async throws -> [String] {
    let list = Call.rows(SQL.Stage.exists) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    return try await connection.run(list)
  }

  @Test(.sampled(), arguments: cases)
  func `a case answers with one line of JSON and leaves nothing behind`(name: String) async throws {
    try await withDatabase { gymrats, connection in
      let output = try await gymrats.succeed(
        ["bench", name, "--quick", "--json"] + Self.sizes[name, default: []])
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
      let notes = Self.notes[name, default: []]
      let keys = ["case", "ours", "raw", "ratio", "spread", "unit", "connections"]
      #expect(object.keys.sorted() == (keys + notes).sorted())
      for note in notes { #expect(try #require(object[note] as? Double) > 0, "\(note)") }
      #expect(object["case"] as? String == name)
      let ours = try #require(object["ours"] as? Double)
      #expect(ours > 0)
      if name == "footprint" {
        #expect(object["raw"] is NSNull && object["unit"] as? String == "B/workout")
      } else if name.hasPrefix("visible") || Self.withoutRawSide.contains(name) {
        #expect(object["raw"] is NSNull && object["ratio"] is NSNull)
        #expect(object["unit"] as? String == "ms")
      } else {
        let raw = try #require(object["raw"] as? Double)
        let ratio = try #require(object["ratio"] as? Double)
        #expect(abs(ratio - ours / raw) < 0.01)
      }
      #expect(try await schemas(connection).isEmpty)
    }
  }

  @Test(.sampled()) func `a table says what is written, and a trace what is sent`()
    async throws
  {
    try await withDatabase { gymrats, connection in
      let table = try await gymrats.succeed("bench", "drain", "--quick")
      #expect(table.contains("drain writes 2000 runs") && table.contains("synchronous_commit on"))
      let trace = try await gymrats.succeed("bench", "--trace", "--quick")
      let claim = try #require(trace.split(separator: "\n").first { $0.contains("queue/claim ") })
      #expect(claim.contains(" 500 "))
      // The round trips are: one to claim, one to end the runs and to commit, and none for each run.
      #expect(trace.split(separator: "\n").last?.drop { $0 == " " }.first == "2")
      #expect(try await schemas(connection).isEmpty)
    }
  }

  @Test func `a schema of its names is refused and left alone`() async throws {
    try await withDatabase { gymrats, connection in
      try await connection.script(Statement("test/raw", "create schema raw"))
      let ended = try await gymrats.run("bench", "drain", "--quick")
      #expect(ended.status == 64, "\(ended.errors)")
      #expect(ended.errors.contains("schema raw"))
      #expect(try await schemas(connection) == ["raw"])
    }
  }

  @Test(.sampled()) func `a Baton in use is refused, an empty one is not`() async throws {
    try await withDatabase { gymrats, connection in
      try await gymrats.succeed("migrate")
      try await gymrats.succeed("bench", "drain", "--quick")
      try await connection.script(
        Statement("test/user", "insert into gymrats.users (id, display_name) values ('u', 'U')"))
      let ended = try await gymrats.run("bench", "drain", "--quick")
      #expect(ended.status == 64, "\(ended.errors)")
      #expect(ended.errors.contains("in use"))
      #expect(try await schemas(connection).isEmpty)
    }
  }

  @Test func `a name that is no case is refused`() async throws {
    try await withDatabase { gymrats, _ in
      let ended = try await gymrats.run("bench", "drian")
      #expect(ended.status == 64, "\(ended.errors)")
      #expect(ended.errors.contains("drain"))
    }
  }

  @Test(.sampled(), arguments: [(SIGINT, "drain"), (SIGTERM, "write-spread")])
  func `a signal ends it and drops what it made`(signal: Int32, name: String) async throws {
    do {
      try await withDatabase { gymrats, connection in
        let bench = try gymrats.start(
          "bench", name, "--quick", "--seconds", "60", "--pairs", "1000")
        // In the middle of the bench, psql, pgbench or the worker is running.
        let isAtWork = name == "drain" ? "from raw.run" : "from baton_bench.workout"
        try await eventually("the bench at work", within: .seconds(60)) {
          let rows: [String]? = try? await connection.run(
            .rows(Statement("test/look", "select 1::text \(isAtWork) limit 1")) {
              (row) throws(PostgresError) in try row.decode(String.self)
            })
          return rows?.isEmpty == false
        }
        bench.signal(signal)
        let ended = try await bench.wait(within: .seconds(30))
        #expect(ended.status == 75, "\(ended.errors)")
        #expect(try await schemas(connection).isEmpty)
      }
    }
  }
}

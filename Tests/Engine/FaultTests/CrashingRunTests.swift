import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests a run that ends its process in every attempt.
@Suite(.timeLimit(.minutes(5)))
struct CrashingRunTests {
  /// Four executors have ten runs each, so the process always has other runs.
  @Test(.sampled(), arguments: ["trap", "exit", "memory"])
  func `a run that ends its process costs three restarts, and nobody else a run`(
    way: String
  ) async throws {
    try await TestSchema.with { schema in
      try await schema.sql("create table effect (key text, at timestamptz default now())")
      #expect(try await life(schema) == 0)
      try await schema.sql(
        """
        select append_events('crash.asked', array['\(way)'] || array_agg('k' || n))::text
        from generate_series(1, 59) n
        """)
      var restarts = 0
      while try await life(schema) != 0 {
        restarts += 1
        try #require(restarts < 10, "the run is never taken for the cause")
      }
      #expect(restarts == 3)
      #expect(try await schema.sql("select key from dead_run") == [way])
      #expect(try await schema.sql("select count(*) from run") == ["0"])
      let done = try await schema.sql("select count(*), count(distinct key) from effect")
      #expect(done == ["59,59"])
    }
  }

  @Test(.sampled()) func `two such runs become dead, and all other runs complete`() async throws {
    try await TestSchema.with { schema in
      try await schema.sql("create table effect (key text, at timestamptz default now())")
      #expect(try await life(schema) == 0)
      try await schema.sql(
        """
        select append_events('crash.asked', array['trap', 'exit'] || array_agg('k' || n))::text
        from generate_series(1, 58) n
        """)
      var restarts = 0
      while try await life(schema) != 0 {
        restarts += 1
        try #require(restarts < 20, "the runs are never taken for the cause")
      }
      print("\(restarts) restarts for two runs that end their process")
      #expect(try await schema.sql("select key from dead_run order by key") == ["exit", "trap"])
      #expect(try await schema.sql("select count(*) from run") == ["0"])
      let done = try await schema.sql("select count(*), count(distinct key) from effect")
      #expect(done == ["58,58"])
    }
  }

  /// Each death is noticed 18 s later, when the lease of the dead worker ends.
  @Test(.enabled(if: TestSize.isFull, "three leases of 18 s: make test-all"))
  func `one of a thousand effects ends its process three times and dies, and no other`()
    async throws
  {
    let folder = try TemporaryFolder()
    let box = folder.path + "/box"
    try await TestSchema.with { schema in
      #expect(try await life(schema, ["CRASH_BOX": box]) == 0)
      try await schema.sql(
        """
        select append_events('crash-effect.asked',
          array_agg(case when n = 500 then 'trap' else 'k' || n end order by n))::text
        from generate_series(1, 1000) n
        """)
      var restarts = 0
      while try await life(schema, ["CRASH_BOX": box]) != 0 {
        restarts += 1
        try #require(restarts < 10, "the run is never taken for the cause")
      }
      #expect(restarts == 3)
      #expect(try await schema.sql("select key from dead_run") == ["trap"])
      #expect(try await schema.sql("select count(*) from run") == ["0"])
      let begun = try String(contentsOfFile: box, encoding: .utf8).split(separator: "\n")
      print("\(begun.count) effects began")
      #expect(Set(begun).count == 1_000)
    }
    withExtendedLifetime(folder) {}
  }

  /// Runs a worker that a supervisor would start, and returns its exit status.
  private func life(
    _ schema: TestSchema, _ settings: [String: String] = [:]
  ) async throws -> Int32 {
    try await TestProcess(
      try BatonProgram.path(of: "CrashingWorker"), [],
      environment: BatonProgram.inherited.merging(
        [
          "DATABASE_URL": schema.configuration.address, "BATON_SCHEMA": schema.schema.name,
          // The runtime would take seconds to print the backtrace.
          "SWIFT_BACKTRACE": "enable=no",
        ].merging(settings) { $1 }
      ) { $1 }, directory: "/"
    ).wait(within: .seconds(120)).status
  }
}

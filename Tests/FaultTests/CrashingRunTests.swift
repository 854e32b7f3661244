import Foundation
import TestSupport
import Testing

/// A run that takes its process with it, every time.
@Suite(.timeLimit(.minutes(3)))
struct CrashingRunTests {
  @Test func `a run that crashes its process costs three restarts, and nobody else a run`()
    async throws
  {
    try await TestSchema.with { schema in
      let people = People(schema)
      for nth in 0..<10 {
        try await people.join("u\(nth)", group: "g\(nth)")
        #expect(try await people.record("u\(nth)", "w") == "accepted")
      }
      let poison = try #require(
        try await schema.sql("select id from challenge where group_id = 'g4' order by 1").first)
      // Its work takes long enough for us to be the crash, however busy the machine is.
      try await schema.sql(
        """
        create function stay() returns trigger language plpgsql as
        'begin perform pg_sleep(3); return null; end'
        """)
      try await schema.sql(
        """
        create trigger stay after update on publication for each row
        when (new.challenge_id = '\(poison)') execute function stay()
        """)
      var restarts = 0
      while try await schema.sql("select key from dead_run").isEmpty {
        try #require(restarts < 10, "the run is never taken for the cause")
        restarts += try await crash(on: poison, schema)
      }
      #expect(restarts == 3)
      #expect(try await schema.baton.run("worker", "--until-idle").status == 1)
      #expect(try await schema.sql("select key from dead_run") == [poison])
      #expect(try await schema.sql("select count(*) from run") == ["0"])
      #expect(try await schema.sql("select count(*) from standing") == ["19"])
    }
  }

  /// One life of a worker that a supervisor starts: it ends when it works the run, or by our signal
  /// when the run is dead; returns how many crashes that were.
  private func crash(on key: String, _ schema: TestSchema) async throws -> Int {
    let worker = try schema.baton.start("worker")
    defer { worker.signal(SIGKILL) }
    let holder =
      """
      select 'held' from run r join worker w on w.id = r.worker
      where r.key = '\(key)' and r.state = 'running' and w.name like '%:\(worker.id)'
      union all
      select 'dead' from dead_run
      """
    try await eventually("the run in hand, or dead", within: .seconds(60)) {
      try await !schema.sql(holder).isEmpty
    }
    let isCrash = try await schema.sql("select key from dead_run").isEmpty
    worker.signal(SIGKILL)
    _ = try await worker.wait()
    return isCrash ? 1 : 0
  }
}

import Foundation
import TestSupport
import Testing

/// Release 2 of a program names the `tally-items` job of release 1 `count-items`.
@Suite(.timeLimit(.minutes(5))) struct RenamedJobTests {
  private static let names = ["count-items", "tally-items"]

  /// Migrates with both releases, so that release 2 is current.
  private func withRename(_ body: (Released) async throws -> Void) async throws {
    try await Released.with { released in
      try await released.program(1).succeed("migrate")
      try await renamed(released).succeed("migrate")
      try await body(released)
    }
  }

  private func renamed(_ released: Released, _ names: [String] = names) -> BatonProgram {
    released.program(2, names: names)
  }

  private func expectEnd(_ released: Released) async throws {
    try await eventually("the end of all runs", within: .seconds(60)) {
      try await released.sql(
        "select (select count(*) from run) + (select count(*) from unfolded_event)") == ["0"]
    }
  }

  @Test(.sampled())
  func `both names are one queue: a key has one run, and everything is stored once`()
    async throws
  {
    try await withRename { released in
      try await released.sql("select enqueue('tally-items', 'a', run_at => now() + '1 day')")
      try await released.sql("select enqueue('count-items', 'a', run_at => now() + '1 day')")
      try await released.sql(
        #"select enqueue_many('count-items', '[{"key": "a", "run_at": "2999-01-01"}]')"#)
      try await released.sql("insert into item (key) values ('b')")
      // The worker of release 1 folds all events, and claims the run of the trigger.
      try await released.program(1).succeed("worker", "--until-idle")
      #expect(try await released.sql("select job, key from run") == ["tally-items,a"])
      #expect(try await released.sql("select key, release from tally") == ["b,1"])
      for table in ["job", "job_limit", "schedule", "table_trigger"] {
        let column = table == "job" ? "name" : "job"
        #expect(
          try await released.sql(
            "select \(column) from \(table) where \(column) in ('tally-items', 'count-items')")
            == ["tally-items"], "\(table)")
      }
      #expect(
        try await released.sql("select name, job from job_alias") == ["count-items,tally-items"])
    }
  }

  @Test(.sampled())
  func `workers of both releases execute the runs of both names, and a kill loses none`()
    async throws
  {
    try await withRename { released in
      let workers = try [
        released.program(1).start("worker"), renamed(released).start("worker"),
        renamed(released).start("worker"),
      ]
      defer { for worker in workers { worker.signal(SIGKILL) } }
      try await eventually("three workers") {
        try await released.sql("select count(*) from worker") == ["3"]
      }
      for (half, name) in ["tally-items", "count-items"].enumerated() {
        try await released.sql(
          "select enqueue('\(name)', 'k-' || n) from generate_series(\(half * 200), \(half * 200 + 299)) n"
        )
      }
      try await eventually("the first runs") {
        try await released.sql("select count(*) > 20 from tally") == ["t"]
      }
      workers[1].signal(SIGKILL)
      try await expectEnd(released)
      #expect(try await released.sql("select count(distinct key) from tally") == ["500"])
      #expect(
        try await released.sql("select job from job_activity where job like '%-items'")
          == ["tally-items"])
    }
  }

  @Test(.sampled())
  func `commands accept both names, and a rollback finds everything under the old one`()
    async throws
  {
    try await withRename { released in
      let program = renamed(released)
      #expect(try await program.succeed("jobs", "list").contains("tally-items (count-items)"))
      #expect(try await program.succeed("jobs", "show", "count-items").contains("tally-items"))
      try await program.succeed("enqueue", "count-items", "--key", "bad")
      try await program.succeed("enqueue", "tally-items", "--key", "later", "--in", "1h")
      let failed = try await program.run("worker", "--jobs", "count-items", "--until-idle")
      #expect(failed.status == 1, "\(failed.errors)")
      for (name, earlier) in [("count-items", program), ("tally-items", released.program(1))] {
        #expect(try await earlier.succeed("runs", "list", "--job", name).contains("later"))
        #expect(
          try await earlier.succeed("runs", "retry", "--job", name, "--dry-run").contains("bad"))
        #expect(
          try await earlier.succeed("schedule", "next", name, "--count", "1").contains("T04:00"))
        #expect(try await earlier.succeed("runs", "history", name).contains("no runs"))
      }
      try await program.succeed("schedule", "pause", "count-items")
      try await program.succeed("jobs", "pause", "count-items")
      #expect(
        try await released.sql(
          """
          select j.paused_at is not null, s.paused_at is not null from job j
          join schedule s on s.job = j.name where j.name = 'tally-items'
          """) == ["t,t"])
      try await program.succeed("jobs", "resume", "tally-items")
      try await released.program(1).succeed("migrate", "--take-over")
      // Callers continue to use the new name.
      try await released.sql("select enqueue('count-items', 'after')")
      try await released.program(1).succeed("worker", "--until-idle")
      #expect(
        try await released.sql("select key, release from tally where key = 'after'") == ["after,1"])
      try await released.program(1).succeed("runs", "cancel", "--job", "count-items")
      #expect(try await released.sql("select count(*) from run") == ["0"])
      try await released.program(1).succeed("jobs", "retire", "count-items")
      await #expect(throws: (any Error).self) {
        try await released.sql("select enqueue('count-items', 'retired')")
      }
    }
  }

  @Test(.sampled())
  func `a second rename keeps all names, and a list without the first name is refused`()
    async throws
  {
    try await withRename { released in
      for wrong in [["count-items"], ["sum-items", "count-items"]] {
        let refused = try await renamed(released, wrong).run("worker", "--until-idle")
        #expect(refused.status == 78, "\(refused.errors)")
        #expect(refused.errors.contains("The job 'count-items' is stored as 'tally-items'."))
      }
      #expect(
        try await released.sql("select count(*) from job where name = 'count-items'") == ["0"])
      try await renamed(released, ["sum-items", "tally-items", "count-items"]).succeed("migrate")
      for name in ["tally-items", "count-items", "sum-items"] {
        try await released.sql("select enqueue('\(name)', 'k', run_at => now() + '1 day')")
      }
      try await released.program(1).succeed("worker", "--until-idle")
      #expect(try await released.sql("select job, key from run") == ["tally-items,k"])
    }
  }

  @Test(.sampled()) func `a name that another job has is refused`() async throws {
    try await Released.with { released in
      try await released.program(1, greets: true).succeed("migrate")
      // The stored job belongs to a program that still has it.
      let taken = try await renamed(released, ["greet", "tally-items"]).run("migrate")
      #expect(taken.status == 78, "\(taken.errors)")
      #expect(
        taken.errors.contains(
          "The name 'greet' of the job 'tally-items' belongs to the job 'greet'."))
      // Two jobs with one name in a program are a bug, which stops the program before it connects.
      let twice = try await released.program(2, names: ["count", "greet"], greets: true).run("jobs")
      #expect(twice.status != 0)
      #expect(twice.errors.contains("several jobs have or had the same name: [\"greet\"]"))
      #expect(try await released.sql("select count(*) from job_alias") == ["0"])
    }
  }
}

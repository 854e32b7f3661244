import Foundation
import TestSupport
import Testing

/// Tests `jobs retire`, and jobs that no process registers any more, with real programs.
@Suite(.timeLimit(.minutes(5))) struct RetireCommandTests {
  @Test(.sampled())
  func `a job without a process is named by check, status and doctor until it is retired`()
    async throws
  {
    try await TestSchema.with { schema in
      let gymrats = schema.gymrats
      try await gymrats.succeed("migrate")
      try await schema.sql(
        "insert into job (name, quiet, at_most, program) values ('old-report', '0', '0', 'gymrats')"
      )
      try await schema.sql(
        """
        insert into schedule (job, expression, missed, next_at, in_development)
        values ('old-report', '0 6 * * *', 'once', now() - interval '1 day', false)
        """)
      for n in 1...3 { try await gymrats.succeed("enqueue", "old-report", "--key", "k\(n)") }
      _ = try await gymrats.run("worker", "--until-idle")
      try await gymrats.start("check").end(with: 0)
      try await schema.sql(
        "update job set registered_at = now() - interval '25 hours' where name = 'old-report'")
      let name = "No process has registered the job old-report for 25 h"
      let check = try await gymrats.run("check")
      #expect(check.status == 1 && check.output.contains(name), "\(check)")
      for command in ["status", "doctor"] {
        let output = try await gymrats.run(command).output
        #expect(output.contains("\(name), and it has 3 waiting runs and 1 schedule."), "\(output)")
        #expect(output.contains("jobs retire old-report --cancel-runs"))
        #expect(
          !output.contains("Start more workers") && !output.contains("is late by"), "\(output)")
      }
      #expect(
        try await gymrats.succeed("jobs", "retire", "old-report", "--cancel-runs", "--dry-run")
          == "old-report would be retired, and 1 schedule deleted\n3 runs would be cancelled\n")
      #expect(try await schema.sql("select count(*) from run where job = 'old-report'") == ["3"])
      #expect(
        try await gymrats.succeed("jobs", "retire", "old-report", "--cancel-runs")
          == "old-report is retired, and 1 schedule deleted\n3 runs cancelled\n")
      try await gymrats.start("check").end(with: 0)
      #expect(try await !gymrats.run("status").output.contains("old-report"))
      let refused = try await gymrats.run("enqueue", "old-report", "--key", "k")
      #expect(refused.status == 64 && refused.errors.contains("is retired since 20"), "\(refused)")
      #expect(try await gymrats.succeed("jobs").contains("retired"))
    }
  }

  @Test func `run and schedule backfill create no runs of a retired job`() async throws {
    try await TestSchema.with { schema in
      let gymrats = schema.gymrats
      try await gymrats.succeed("worker", "--until-idle")
      try await gymrats.succeed(
        "schedule", "add", "retention/extra", "--every", "1h", "--key", "scheduled")
      try await gymrats.succeed("jobs", "retire", "retention")
      try await schema.sql("delete from run where job = 'retention'")
      let range = ["--from", "2024-03-09", "--to", "2024-03-10"]
      for arguments in [
        ["run", "retention", "--key", "scheduled"],
        ["run", "retention", "--key", "scheduled", "--dry-run"],
        ["schedule", "backfill", "retention/extra"] + range,
        ["schedule", "backfill", "retention/extra", "--dry-run"] + range,
      ] {
        expectComplaint(
          try await gymrats.start(arguments).wait(), status: 64,
          what: "The job 'retention' is retired, so it gets no new runs.", place: "job retention",
          next: "`gymrats jobs retire retention --undo`")
      }
      let audited = "select count(*) from audit where action in ('run', 'schedule backfill')"
      #expect(try await schema.sql(audited) == ["0"])
      #expect(try await gymrats.succeed("run", "retention") == "retention: nothing to do\n")
      #expect(try await schema.sql("select count(*) from run where job = 'retention'") == ["0"])
      #expect(
        try await schema.sql("select count(*) from occurrence where outcome = 'backfilled'")
          == ["0"])
      // A run that was waiting when the job was retired is executed.
      try await schema.sql(
        """
        insert into run (job, key, state, first_event_at, last_event_at, due)
        values ('retention', 'scheduled', 'ready', now(), now(), now())
        """)
      try await gymrats.succeed("run", "retention", "--key", "scheduled")
      #expect(try await schema.sql("select count(*) from run where job = 'retention'") == ["0"])
    }
  }
}

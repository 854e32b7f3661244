import BatonPostgres
import Foundation
import TestSupport
import Testing

extension InlineRunnerTests {
  /// The program `baton` has no code of the job, so that only the database checks the key.
  @Test(.sampled()) func `a key is accepted or refused like everywhere else`() async throws {
    try await withBoard { schema, _ in
      let baton = BatonProgram(
        executable: try BatonProgram.path(of: "baton"),
        environment: ["DATABASE_URL": schema.configuration.address])
      for given in KeyCase.all {
        let ended = try await baton.run("enqueue", "verify-boards", "--key", given.key)
        guard !given.isValid else {
          #expect(ended.status == 0, "\(given.name)")
          continue
        }
        expectComplaint(
          ended, status: 64, what: "1 to 256 bytes", place: "--key", next: "Nothing was enqueued")
      }
    }
  }

  @Test(.sampled()) func `wrong names, keys and payloads are refused`() async throws {
    try await withBoard { schema, board in
      let gymrats = schema.gymrats
      expectComplaint(
        try await gymrats.run("run", "no-such-job"), status: 64, what: "no-such-job", place: "JOB",
        next: "Name a job of this program")
      expectComplaint(
        try await gymrats.run("enqueue", "no-such-job", "--key", board), status: 64,
        what: "no-such-job", place: "JOB", next: "gymrats jobs")
      expectComplaint(
        try await gymrats.run("enqueue", "recompute-ranks", "--key", "a\tb"), status: 64,
        what: "control characters", place: "--key", next: "Nothing was enqueued")
      expectComplaint(
        try await gymrats.run("run", "recompute-ranks", "--key", ""), status: 64,
        what: "1 to 256 bytes", place: "--key", next: "in the job's format")
      expectComplaint(
        try await gymrats.run("enqueue", "recompute-ranks", "--key", board, "--payload", "{"),
        status: 64, what: "not JSON", place: "--payload", next: "Nothing was enqueued")
      expectComplaint(
        try await gymrats.run("runs", "show", "4711"), status: 66, what: "no run 4711",
        place: "run 4711", next: "gymrats runs list")
      expectComplaint(
        try await gymrats.run("jobs", "pause", "no-such-job"), status: 64, what: "no-such-job",
        place: "JOB", next: "gymrats jobs")
    }
  }

  @Test(.sampled()) func `a key that its job cannot read is refused before anything runs`()
    async throws
  {
    try await withBoard { schema, _ in
      // The rows are so old that an accidental run would delete them.
      try await schema.sql(
        """
        insert into dead_run (id, job, key, attempt, error, died_at)
        values (1, 'a-job', 'a key', 8, 'an error', now() - interval '10 years')
        """)
      let before = try await schema.sql("select count(*) from event")
      for (job, key, reason) in [
        ("close-week", "abc", "or a Monday"), ("recompute-ranks", "zzz", "id of a challenge"),
        ("retention", "foo", "not 'scheduled'"), ("purge-runs", "foo", "not 'scheduled'"),
        ("open-week", "foo", "not 'scheduled'"),
        ("notify-rank-changes", "foo", "not 'scheduled'"), ("resync-boards", "foo", "a number"),
        ("verify-boards", "foo", "not 'scheduled'"),
      ] {
        for command in [["run"], ["run", "--dry-run"], ["run", "--json"], ["enqueue"]] {
          expectComplaint(
            try await schema.gymrats.start(command + [job, "--key", key]).wait(), status: 64,
            what: reason, place: "--key \(key)", next: "Nothing was done")
        }
      }
      #expect(try await schema.sql("select id from dead_run") == ["1"])
      #expect(try await schema.sql("select count(*) from event") == before)
      #expect(try await schema.sql("select count(*) from run") == ["0"])
      // Possible keys of these jobs: the shared key, and the key of a backfilled occurrence.
      for key in ["scheduled", "2024-05-20T00:00:00Z"] {
        try await schema.gymrats.succeed("run", "purge-runs", "--key", key)
        try await schema.gymrats.succeed("run", "close-week", "--key", key, "--dry-run")
      }
      #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
    }
  }

  @Test(.sampled())
  func `a key that a job of the other product cannot read is refused, and so is none`()
    async throws
  {
    try await TestSchema.with { schema in
      let whosthere = BatonProgram(
        executable: try BatonProgram.path(of: "whosthere"),
        environment: ["DATABASE_URL": schema.configuration.address])
      try await whosthere.succeed("migrate")
      for (job, reason) in [
        ("auto-check-out", "a whole number"), ("announce-first-arrival", "a whole number"),
        ("push-message", "the id of a message"), ("end-stale-presences", "not 'scheduled'"),
        ("retention", "not 'scheduled'"), ("purge-runs", "not 'scheduled'"),
      ] {
        expectComplaint(
          try await whosthere.run("run", job, "--key", "foo bar"), status: 64, what: reason,
          place: "--key foo bar", next: "Nothing was done")
      }
      // Any valid key can be the id of a group or a user, and these jobs require a key.
      for job in ["summarize-groups", "award-achievements"] {
        expectComplaint(
          try await whosthere.run("enqueue", job), status: 64, what: "requires a key",
          place: "--key", next: "Nothing was enqueued")
        expectComplaint(
          try await whosthere.run("run", job, "--key", "a\tb"), status: 64,
          what: "control characters", place: "--key")
        try await whosthere.succeed("run", job, "--key", "foo bar")
      }
    }
  }
}

import TestSupport
import Testing

/// Tests the errors of `run --key` if no run with the key is ready and the job requires a payload.
@Suite(.timeLimit(.minutes(5)))
struct RunWithoutPayloadTests {
  /// A key of the `push-webhook` job: the id of a device, a slash, and the id of a notification.
  private static let key = "1/1"

  private func withDeadRun(_ body: (TestSchema) async throws -> Void) async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.sql(
        """
        insert into dead_run (id, job, key, payload, attempt, error)
        values (901, 'push-webhook', '\(Self.key)', '{"subject": "notification"}', 20, 'an error')
        """)
      try await body(schema)
    }
  }

  @Test(.sampled()) func `run names the dead run with the key, and the command that retries it`()
    async throws
  {
    try await withDeadRun { schema in
      expectComplaint(
        try await schema.gymrats.run("run", "push-webhook", "--key", Self.key), status: 64,
        what: "No run of push-webhook with this key is ready, and run 901 is dead.",
        place: "--key 1/1", next: "`gymrats runs retry 901` makes run 901 ready again")
      #expect(try await schema.sql("select id from dead_run") == ["901"])
      #expect(try await schema.sql("select count(*) from event") == ["0"])
      #expect(try await schema.sql("select count(*) from run") == ["0"])
      #expect(try await schema.sql("select count(*) from audit where action = 'run'") == ["0"])
    }
  }

  @Test(.sampled()) func `run names the missing payload if the key has no run at all`() async throws
  {
    try await withDeadRun { schema in
      expectComplaint(
        try await schema.gymrats.run("run", "push-webhook", "--key", "1/2"), status: 64,
        what: "a new run needs a payload", place: "--key 1/2", next: "subject is missing")
    }
  }

  @Test(.sampled()) func `run names the payload of a ready run that the job cannot decode`()
    async throws
  {
    try await withDeadRun { schema in
      try await schema.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, payload)
        values ('push-webhook', '\(Self.key)', 'ready', now(), now(), now(), '{"subject": 1}')
        """)
      expectComplaint(
        try await schema.gymrats.run("run", "push-webhook", "--key", Self.key), status: 64,
        what: "subject is not of type String", place: "the payload of 1/1", next: "Nothing was done"
      )
    }
  }

  @Test(.sampled()) func `enqueue names the form of the key that the job requires`() async throws {
    try await withDeadRun { schema in
      expectComplaint(
        try await schema.gymrats.run("enqueue", "verify-boards"), status: 64,
        what: "verify-boards requires a key", place: "--key",
        next: "Give a key that is 'scheduled' or a schedule's of this job.")
      let required = try await schema.gymrats.succeed("jobs", "show", "verify-boards")
      #expect(required.contains("  key       required\n"), "\(required)")
    }
  }
}

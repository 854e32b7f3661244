import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Runs the commands of `baton` in the guides for operators without changes.
@Suite(.timeLimit(.minutes(5))) struct OperatorExampleTests {
  /// Returns the commands in the shell blocks of a section, each as its arguments.
  private func commands(_ page: String, _ section: String) throws -> [[String]] {
    let text = try Checkout.text(page)
    let start = try #require(text.firstRange(of: "\n\(section)\n")).upperBound
    let rest = text[start...]
    let end = rest.firstRange(of: "\n## ")?.lowerBound ?? rest.endIndex
    return rest[..<end].matches(of: /(?m)^baton (.+?)(?:\s+#.*)?$/).map { match in
      match.output.1.matches(of: /'([^']*)'|(\S+)/).map { String($0.output.1 ?? $0.output.2 ?? "") }
    }
  }

  private func with(
    _ body: (TestSchema, BatonProgram) async throws -> Void
  ) async throws {
    try await TestSchema.with { schema in
      try await schema.sql(
        """
        insert into job (name, quiet, at_most)
        select n, '0', '0' from unnest('{sync-account,import,render-report}'::text[]) n
        """)
      try await schema.sql(
        """
        insert into job_limit (job, concurrency, declared_concurrency, group_concurrency,
          declared_group_concurrency, group_field)
        values ('sync-account', 50, 50, 2, 2, 'tenant')
        """)
      try await schema.sql(
        """
        insert into dead_run (id, job, key, attempt, error) values (17, 'import', 'tenant-7/2026-11', 3, 'x')
        """)
      try await body(
        schema,
        BatonProgram(
          executable: try BatonProgram.path(of: "baton"),
          environment: ["DATABASE_URL": schema.configuration.address]))
    }
  }

  @Test(.sampled()) func `limits and pauses are set, listed and reset`() async throws {
    try await with { schema, baton in
      let commands = try commands("docs/guides/limits.md", "## Change limits at run time")
      #expect(commands.count == 8)
      for arguments in commands {
        let output = try await baton.succeed(arguments)
        guard arguments == ["limits", "list"] else { continue }
        #expect(output.contains("20 instead of 50") && output.contains("1 instead of 2"))
        #expect(output.contains("acme") && output.contains("5 instead of 1"))
      }
      #expect(try await baton.succeed("limits").hasPrefix("no limits are set"))
      #expect(
        try await schema.sql("select concurrency, group_concurrency from job_limit") == ["50,2"])
      // A job without groups.
      expectComplaint(
        try await baton.run("jobs", "pause", "import", "--group", "acme"), status: 64,
        what: "no limit per group", place: "the group", next: "Declare a limit")
    }
  }

  @Test(.sampled()) func `runs are found, and a dead run is retried with another payload`()
    async throws
  {
    try await with { schema, baton in
      let commands = try commands("docs/guides/operating.md", "### Find runs")
      #expect(commands.count > 5)
      for arguments in commands where arguments.starts(with: ["runs", "list"]) {
        #expect(try await baton.succeed(arguments) != "")
      }
      let found = try await baton.succeed(commands[0])
      #expect(found.hasPrefix("17  dead  import  tenant-7/2026-11"))
      let retry = try #require(commands.first { $0.starts(with: ["runs", "retry", "17"]) })
      // A dry run refuses what the command refuses, and changes nothing.
      for dryRun in [[], ["--dry-run"]] {
        for payload in ["{", #"{"language": "\u0000"}"#] {
          let refused = ["runs", "retry", "17", "--payload", payload] + dryRun
          #expect(try await baton.start(refused).wait().status == 64)
        }
      }
      let preview = try await baton.succeed(retry + ["--dry-run"])
      #expect(preview.hasSuffix("1 dead run would be ready again\n"))
      #expect(try await schema.sql("select id from dead_run where id = 17") == ["17"])
      #expect(try await baton.succeed(retry).hasPrefix("run 17 is ready again as run "))
      #expect(
        try await schema.sql("select payload ->> 'language', earlier_ids from run") == ["de,{17}"])
      expectComplaint(
        try await baton.start(retry).wait(), status: 66,
        what: "Run 17 was retried or merged as run ", place: "run 17",
        next: "Nothing was retried")
      expectComplaint(
        try await baton.run("runs", "discard", "17"), status: 66,
        what: "which is ready", place: "run 17", next: "Nothing was discarded")
    }
  }

  @Test(.sampled()) func `a role gets and loses a grant, and a shell waits`() async throws {
    try await with { schema, baton in
      let commands = try commands("docs/guides/run-state.md", "## Rights").map { arguments in
        arguments.map { $0 == "web" ? "postgres" : $0 }
      }
      #expect(commands.count == 3)
      #expect(try await baton.succeed(commands[0]).hasPrefix("postgres may read and cancel runs"))
      #expect(try await baton.succeed(commands[1]).contains("read, cancel"))
      try await baton.succeed(commands[2])
      #expect(try await baton.succeed("jobs", "grants") == "no grants\n")
      let wait = try #require(
        try self.commands("docs/guides/run-state.md", "## Wait in a shell").first)
      expectComplaint(
        try await baton.start(wait).wait(), status: 66, what: "no run 4711", place: "run 4711",
        next: "runs list")
      try await baton.start("runs", "wait", "17").end(with: 1)
      let id = try await schema.sql("select enqueue('import', 'a')")[0]
      expectComplaint(
        try await baton.run("runs", "wait", id, "--timeout", "0s"), status: 75,
        what: "still waiting", place: "run \(id)", next: "--timeout")
      #expect(
        try await baton.run("runs", "wait", id, "--timeout", "0s", "--json").output
          .contains(#""state": "waiting""#))
    }
  }
}

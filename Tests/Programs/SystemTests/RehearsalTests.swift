import BatonPostgres
import TestSupport
import Testing

/// Tests the rehearsal of a dead run that docs/guides/troubleshooting.md describes.
@Suite(.timeLimit(.minutes(5)))
struct RehearsalTests {
  @Test(.sampled()) func `the commands of the page make a dead run that can be discarded`()
    async throws
  {
    let page = try Checkout.text("docs/guides/troubleshooting.md")
    let match = try #require(page.firstMatch(of: #/-c "(update gymrats\.run [^"]+)"/#))
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let baton = BatonProgram(
        executable: try BatonProgram.path(of: "baton"),
        environment: ["DATABASE_URL": schema.configuration.address])
      #expect(page.contains("baton enqueue verify-boards --key fire-drill"))
      try await baton.succeed("enqueue", "verify-boards", "--key", "fire-drill")
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await schema.sql(
        String(match.output.1).replacing("gymrats.run", with: "\(schema.schema).run"))
      let worker = try await schema.gymrats.run("worker", "--until-idle")
      #expect(worker.status == 1 && worker.errors.contains("not done, dead"), "\(worker.errors)")
      #expect(try await baton.run("status").status == 1)
      let id = try #require(try await schema.sql("select id from dead_run").first)
      try await baton.succeed("runs", "discard", id)
      #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
    }
  }

  @Test(.sampled()) func `the commands of the page end with a successful retry`()
    async throws
  {
    let page = try Checkout.text("docs/guides/troubleshooting.md")
    let match = try #require(page.firstMatch(of: #/-c "(update mailer\.run [^"]+)"/#))
    try await TestSchema.with { schema in
      let address = schema.configuration.address
      let program = BatonProgram(
        executable: try BatonProgram.path(of: "PrintingProgram"),
        environment: ["DATABASE_URL": address])
      try await program.succeed("migrate")
      let baton = BatonProgram(
        executable: try BatonProgram.path(of: "baton"),
        environment: ["DATABASE_URL": address, "BATON_SCHEMA": "printing"])
      let (wrong, right) = (#"{"customer": "Ann"}"#, #"{"name": "Ann"}"#)
      let enqueued = try await baton.succeed("enqueue", "greet", "--payload", wrong)
      try await program.succeed("worker", "--until-idle")
      let shown = try await baton.succeed("runs", "show", "1")
      #expect(shown.contains("cannot read the run: the payload cannot be read: name is missing"))
      try await schema.sql(String(match.output.1).replacing("mailer.run", with: "printing.run"))
      let worker = try await program.run("worker", "--until-idle")
      #expect(worker.status == 1 && worker.errors.contains("not done, dead"), "\(worker.errors)")
      let retried = try await baton.succeed("runs", "retry", "1", "--payload", right)
      #expect(try await program.succeed("worker", "--until-idle") == "Hello, Ann!\n")
      let ended = try await baton.succeed("runs", "wait", "1")
      for text in ["--payload '\(wrong)' ", "--payload '\(right)' ", enqueued, retried, ended] {
        #expect(page.contains(text), "\(text)")
      }
    }
  }
}

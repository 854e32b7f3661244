import Foundation
import TestSupport
import Testing

/// `run`, `enqueue`, `runs`, `jobs pause|resume` and `check`: the hands that operate the queue.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ForegroundTests {
  /// A group with one workout of `u1`, not ranked yet; the check-ins board's id.
  private func withBoard(_ body: (TestSchema, String) async throws -> Void) async throws {
    try await TestSchema.with { schema in
      try await schema.baton.succeed("migrate")
      let people = People(schema)
      try await people.join("u1", group: "g")
      #expect(try await people.record("u1", "w1") == "accepted")
      let boards = try await schema.sql("select id from challenge where type = 'check-ins'")
      try await body(schema, try #require(boards.first))
    }
  }

  @Test func `a key is worked now, debounce aside`() async throws {
    try await withBoard { schema, board in
      let said = try await schema.baton.succeed("run", "recompute-ranks", "--key", board)
      #expect(said == "recompute-ranks: 1 run done\n")
      #expect(try await People(schema).published("u1") == 1)
    }
  }

  @Test func `a key takes its ready run with it, backoff aside`() async throws {
    try await withBoard { schema, board in
      try await schema.baton.succeed("run", "recompute-ranks")
      try await schema.sql("update run set due = now() + interval '1 hour', attempt = 3")
      try await schema.baton.succeed("run", "recompute-ranks", "--key", board)
      #expect(try await schema.sql("select key from run where key = '\(board)'").isEmpty)
      #expect(try await People(schema).published("u1") == 1)
    }
  }

  @Test func `without a key it works what is due and says when there is nothing`() async throws {
    try await withBoard { schema, _ in
      try await eventually("both boards") {
        try await schema.baton.succeed("run", "recompute-ranks")
        return try await People(schema).published("u1") == 1
      }
      let nothing = try await schema.baton.succeed("run", "recompute-ranks", "--json")
      #expect(
        nothing == "{\"job\":\"recompute-ranks\",\"result\":\"nothing\",\"runs\":0,\"report\":{}}\n"
      )
    }
  }

  @Test func `a dry run shows the board before and after and changes nothing`() async throws {
    try await withBoard { schema, board in
      let before = try await schema.sql("select xmin::text, * from run")
      let shown = try await schema.baton.succeed(
        "run", "recompute-ranks", "--key", board, "--dry-run")
      #expect(shown.contains("standing: 1 inserted, 0 updated, 0 deleted"))
      #expect(shown.contains("before\nno standings\n"))
      #expect(shown.contains("1  u1"))
      #expect(try await schema.sql("select count(*) from standing") == ["0"])
      #expect(try await schema.sql("select sum(rank_version) from publication") == ["0"])
      #expect(try await schema.sql("select xmin::text, * from run") == before)
    }
  }

  @Test func `a key that runs elsewhere is waited for, and then said to be running`() async throws {
    try await withBoard { schema, board in
      try await schema.baton.succeed("worker", "--until-idle")
      try await schema.holding("select from publication for update") { lock in
        let first = try schema.baton.start("run", "recompute-ranks", "--key", board)
        defer { first.signal(SIGKILL) }
        try await lock.waitUntilItBlocks()
        let second = try await schema.baton.run("run", "recompute-ranks", "--key", board)
        expectComplaint(
          second, status: 75, what: "already running", place: board, next: "Try again")
        #expect(second.duration > .seconds(10))
        try await lock.release()
        #expect(try await first.wait().status == 0)
      }
    }
  }

  @Test func `enqueue wakes the job through its debounce`() async throws {
    try await withBoard { schema, board in
      try await schema.baton.succeed("worker", "--until-idle")
      try await schema.sql("delete from standing")
      try await schema.baton.succeed("enqueue", "recompute-ranks", "--key", board)
      try await schema.baton.succeed("worker", "--until-idle")
      #expect(try await People(schema).published("u1") == 1)
    }
  }

  @Test func `wrong names, keys and payloads are refused`() async throws {
    try await withBoard { schema, board in
      let baton = schema.baton
      expectComplaint(
        try await baton.run("run", "no-such-job"), status: 64, what: "no-such-job", place: "JOB",
        next: "baton jobs")
      expectComplaint(
        try await baton.run("enqueue", "no-such-job", "--key", board), status: 64,
        what: "no-such-job", place: "JOB", next: "baton jobs")
      expectComplaint(
        try await baton.run("enqueue", "recompute-ranks", "--key", "a\tb"), status: 64,
        what: "control characters", place: "--key", next: "Nothing was enqueued")
      expectComplaint(
        try await baton.run("run", "recompute-ranks", "--key", ""), status: 64,
        what: "1 to 256 bytes", place: "--key", next: "id of a challenge")
      expectComplaint(
        try await baton.run("enqueue", "recompute-ranks", "--key", board, "--payload", "{"),
        status: 64, what: "not JSON", place: "--payload", next: "Nothing was enqueued")
      expectComplaint(
        try await baton.run("runs", "show", "4711"), status: 66, what: "no run 4711",
        place: "run 4711", next: "baton runs list")
      expectComplaint(
        try await baton.run("jobs", "pause", "no-such-job"), status: 64, what: "no-such-job",
        place: "JOB", next: "baton jobs")
    }
  }

  @Test func `a dead run is listed, shown, retried and cancelled`() async throws {
    try await withBoard { schema, _ in
      let baton = schema.baton
      try await baton.succeed("enqueue", "recompute-ranks", "--key", "nonsense")
      #expect(try await baton.run("worker", "--until-idle").status == 1)
      let listed = try await baton.succeed("runs", "list", "--state", "dead", "--json")
      #expect(
        listed.contains("\"key\":\"nonsense\"") && listed.contains("not the id of a challenge"))
      let id = try #require(try await schema.sql("select id from dead_run").first)
      #expect(try await baton.succeed("runs", "show", id).contains("\"state\": \"dead\""))
      try await baton.succeed("runs", "retry", id)
      #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
      #expect(try await baton.run("worker", "--until-idle").status == 1)
      let again = try #require(try await schema.sql("select id from dead_run").first)
      try await baton.succeed("runs", "cancel", again)
      #expect(try await baton.run("worker", "--until-idle").status == 0)
    }
  }

  @Test func `a paused job waits for its resume`() async throws {
    try await withBoard { schema, board in
      try await schema.baton.succeed("jobs", "pause", "recompute-ranks")
      #expect(try await schema.baton.succeed("jobs").contains("paused    since"))
      let worker = try schema.baton.start("worker")
      defer { worker.signal(SIGKILL) }
      try await eventually("due runs") {
        try await schema.sql("select key from run where due < now()").count == 2
      }
      #expect(try await People(schema).published("u1") == 0)
      try await schema.baton.succeed("jobs", "resume", "recompute-ranks")
      try await eventually("the rank") { try await People(schema).published("u1") == 1 }
    }
  }

  @Test func `a gap between jobs, triggers and schema is named, and no worker starts`()
    async throws
  {
    try await withBoard { schema, _ in
      #expect(try await schema.baton.succeed("check").contains("agree"))
      try await schema.sql("alter table entry disable trigger entry_updated")
      for command in ["check", "worker"] {
        expectComplaint(
          try await schema.baton.run(command), status: 78,
          what: "trigger entry_updated on entry is disabled", place: "triggers", next: "enable")
      }
      try await schema.sql("drop trigger entry_updated on entry")
      expectComplaint(
        try await schema.baton.run("check"), status: 78,
        what: "trigger entry_updated on entry is missing", place: "triggers", next: "create")
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `the shell can complete commands`(shell: String) async throws {
    let script = try await BatonProgram().succeed("--generate-completion-script", shell)
    #expect(script.contains("recompute") || script.contains("worker"))
  }
}

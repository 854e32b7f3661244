import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests `gymrats top`: it shows one screen on a terminal, and lines elsewhere.
@Suite(.timeLimit(.minutes(5))) struct TopCommandTests {
  /// Runs `gymrats top` on a terminal, until it shows its first screen.
  private func withTop(
    _ body: (TestSchema, Terminal, TestProcess) async throws -> Void
  ) async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let terminal = try Terminal()
      try terminal.resize(columns: 60, lines: 12)
      let top = try schema.gymrats.start(
        bash: #"exec "$0" "$@" < "#.appending("\(terminal.path) > \(terminal.path)"),
        ["top", "--interval", "0.1"])
      defer { top.signal(SIGKILL) }
      try await eventually("a screen") { terminal.text.contains("close-week") }
      try await body(schema, terminal, top)
    }
  }

  /// Returns the last screen, line by line, without control sequences.
  private func screen(_ terminal: Terminal) -> [String] {
    let frames = terminal.text.components(separatedBy: "\u{1B}[H")
    // The last screen may be incomplete.
    let whole = frames.last { $0.contains("\u{1B}[J") } ?? ""
    return whole.components(separatedBy: "\r\n").map {
      $0.replacing("\u{1B}[K", with: "").replacing("\u{1B}[J", with: "").replacing("\r", with: "")
    }
  }

  private func expectGivenBack(_ terminal: Terminal) {
    let text = terminal.text
    #expect(text.hasPrefix("\u{1B}[?1049h\u{1B}[?25l"))
    #expect(text.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
    #expect(terminal.showsKeys)
  }

  @Test(.sampled()) func `a screen is as large as the window, follows it, and q gives it back`()
    async throws
  {
    try await withTop { _, terminal, top in
      #expect(!terminal.showsKeys)
      let first = screen(terminal)
      #expect(first.count == 12 && first.allSatisfy { $0.count <= 60 }, "\(first)")
      #expect(first[0].hasPrefix("gymrats top  2"))
      try terminal.resize(columns: 120, lines: 40)
      top.signal(SIGWINCH)
      try await eventually("the larger screen") { screen(terminal).last == "q: quit" }
      try terminal.type("xq")
      #expect(try await top.wait(within: .seconds(10)).status == 0)
      expectGivenBack(terminal)
    }
  }

  @Test(.sampled(), arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal gives the terminal back`(signal: Int32) async throws {
    try await withTop { _, terminal, top in
      top.signal(signal)
      let ended = try await top.wait(within: .seconds(10))
      #expect(ended.status == 0 && ended.errors == "")
      expectGivenBack(terminal)
    }
  }

  @Test(.sampled()) func `two signals end top although its pipe is full`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let fullPipe =
        #"f=$(mktemp -u); mkfifo "$f"; exec 3<> "$f"; rm "$f"; head -c 65536 /dev/zero >&3; "#
      let top = try schema.gymrats.start(
        bash: fullPipe + #"exec "$0" "$@" >&3"#, ["top", "--interval", "0.1"])
      defer { top.signal(SIGKILL) }
      try await eventually("its session") {
        try await schema.sql(
          """
          select count(*) from pg_stat_activity where application_name = 'gymrats'
            and datname = current_database() and query ilike 'commit%'
          """) == ["1"]
      }
      // The command has read the queue, and writes its first line within this time.
      try await Task.sleep(for: .seconds(1) * patience)
      top.signal(SIGTERM)
      try await Task.sleep(for: .milliseconds(200))
      top.signal(SIGTERM)
      #expect(try await top.wait(within: .seconds(8)).status == 75)
    }
  }

  @Test(.sampled()) func `it follows what happens, and a lost connection is made again`()
    async throws
  {
    try await withTop { schema, terminal, top in
      try await schema.sql(
        "insert into dead_run (id, job, key, attempt, error) values (9, 'retention', 'k', 1, 'x')")
      try await eventually("the dead run") {
        screen(terminal).contains("warning: 1 run of retention died.")
      }
      try await schema.sql(
        """
        select count(pg_terminate_backend(pid)) from pg_stat_activity
        where application_name = 'gymrats' and datname = current_database() and pid <> pg_backend_pid()
        """)
      try await schema.sql("delete from dead_run")
      try await eventually("a screen without it") {
        !top.isRunning || !screen(terminal).contains("warning: 1 run of retention died.")
      }
      #expect(top.isRunning)
      #expect(terminal.text.contains("NOT CONNECTED: "))
      try terminal.type("q")
      #expect(try await top.wait(within: .seconds(10)).status == 0)
    }
  }

  @Test(.sampled())
  func `elsewhere each look is a line, so many as asked for, with rates from the second on`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let text = try await schema.gymrats.succeed("top", "--count", "3", "--interval", "0.1")
      let lines = text.split(separator: "\n")
      #expect(lines.count == 3 && !text.contains("\u{1B}"))
      #expect(lines[0].contains(" done/s=- ") && lines[2].contains(" done/s=0.0 "), "\(lines)")
      let idle = " ready=0 running=0 later=0 retrying=0 dead=0 events=0 "
      #expect(lines.allSatisfy { $0.contains(idle) })
      for wrong in [["--interval", "0"], ["--count", "0"]] {
        try await schema.gymrats.start(["top"] + wrong).end(with: 64)
      }
      var nowhere = schema.gymrats
      nowhere.environment["DATABASE_URL"] = "postgresql://x@/x?host=/nowhere"
      try await nowhere.start("top").end(with: 69)
    }
  }
}

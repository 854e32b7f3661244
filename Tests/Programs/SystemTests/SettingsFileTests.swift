import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import Baton

/// Tests settings from a file, the environment and arguments, as docs/reference/configuration.md
/// describes.
@Suite(.timeLimit(.minutes(5))) struct SettingsFileTests {
  private static func page() throws -> String {
    try ExampleProgram.text("docs/reference/configuration.md")
  }

  /// Returns a program whose settings file names a schema's database, followed by further lines.
  private func program(
    _ test: TestSchema, in folder: TemporaryFolder, lines: [String] = []
  ) throws -> BatonProgram {
    let file = try folder.write(
      "main.conf",
      lines: [
        "# Written by a test.", "", "DATABASE_URL=\(test.configuration.address)",
        "  BATON_SCHEMA = \(test.schema.name)\r",
      ] + lines)
    return BatonProgram(environment: ["BATON_CONFIG": file])
  }

  // MARK: The table

  @Test func `the table has every setting, with its argument and its default`() throws {
    let rows = try Self.page().matches(of: /\n\| `([A-Z_]+)` \|[^\n]+\|([^|\n]+)\|([^|\n]+)\|/)
      .map { row in
        [row.output.1, row.output.2, row.output.3].map {
          $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "")
        }
      }
    let product =
      ["BATON_CHECKINS"]
      + [
        "HTTP", "ISSUERS_FILE", "KEY_FILE", "SIGN_IN_URL", "SIGN_IN_PASSWORD_FILE", "USER_ROLE",
        "CONNECTIONS", "USER_LIMIT", "ADDRESS_LIMIT", "ADDRESS_CONNECTIONS", "SESSION_KEYS_FILE",
        "SESSION_SECONDS", "USER_STREAMS", "HEARTBEAT",
      ].map { "BATON_API_\($0)" }
      + [
        "APNS_KEY_FILE", "APNS_KEY_ID", "APNS_TEAM", "APNS_TOPIC", "APNS_URL", "FCM_FILE",
        "FCM_URL", "WEBHOOKS",
      ].map { "BATON_PUSH_\($0)" }
    #expect(rows.map(\.[0]) == Setting.ofRunner.map(\.name) + product)
    for (row, setting) in zip(rows, Setting.ofRunner) {
      #expect(row[1] == setting.argument ?? "none", "\(setting.name)")
      if let standard = setting.standard { #expect(row[2] == standard, "\(setting.name)") }
    }
  }

  @Test(.sampled()) func `each argument of the table is one that its command has`()
    async throws
  {
    for setting in Setting.ofRunner {
      guard let words = setting.argument?.split(separator: " ") else { continue }
      for command in words.count > 1 ? [words[0]] : ["worker", "serve"] {
        let help = try await BatonProgram().succeed(String(command), "--help")
        #expect(words.last.map { help.contains("\($0) <") || help.contains("\($0) ") } == true)
      }
    }
  }

  @Test func `every variable that the program reads is in the table`() throws {
    let page = try Self.page()
    let sources = ExampleProgram.root.appending(path: "Sources")
    let all = FileManager.default.enumerator(atPath: sources.path())
    var found: Set<String> = []
    for case let path as String in all ?? FileManager.DirectoryEnumerator()
    where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      found.formUnion(text.matches(of: /BATON_[A-Z_]+/).map { String($0.output) })
    }
    #expect(found.count > 10)
    for name in found { #expect(page.contains("`\(name)"), "\(name)") }
  }

  // MARK: What is read

  @Test(.sampled()) func `what a file says is taken, before or behind the command`()
    async throws
  {
    try await TestSchema.with { test in
      let folder = try TemporaryFolder()
      let program = try program(test, in: folder)
      try await program.succeed("migrate")
      #expect(try await program.succeed("check").contains("agree"))
      let file = try #require(program.environment["BATON_CONFIG"])
      for arguments in [
        ["--config", file, "jobs"], ["jobs", "--config", file],
        ["jobs", "list", "--config=\(file)"],
      ] {
        #expect(try await BatonProgram().succeed(arguments).contains("recompute-ranks"))
      }
      // After `--`, the text is no option.
      let behind = try await BatonProgram(folder: folder.path).run("jobs", "--", "--config", file)
      #expect(behind.status == 64, "\(behind.errors)")
    }
  }

  @Test(.sampled()) func `arguments go over the environment, and that over the file`()
    async throws
  {
    try await TestSchema.with { test in
      let folder = try TemporaryFolder()
      var program = try program(
        test, in: folder, lines: ["BATON_CONCURRENCY=3", "BATON_LOG_FORMAT=json"])
      try await program.succeed("migrate")
      func said(_ words: String, by arguments: [String] = []) async throws {
        let worker = try program.start(["worker"] + arguments)
        defer { worker.signal(SIGKILL) }
        try await eventually(words) { worker.errorsSoFar.contains(words) }
        worker.signal(SIGTERM)
        try await worker.end(with: 0)
      }
      try await said(#"in 3 executors"#)
      try await said(#""level":"notice""#)
      program.environment["BATON_CONCURRENCY"] = "4"
      try await said("in 4 executors")
      try await said("in 5 executors", by: ["--concurrency", "5", "--log-format", "text"])
      // An empty variable counts as no variable.
      program.environment["BATON_CONCURRENCY"] = ""
      try await said("in 3 executors")
      program.environment["BATON_SCHEMA"] = "nowhere"
      try await program.start("jobs").end(with: 78)
    }
  }

  @Test(.sampled()) func `a worker and serve answer where the file says, with the token it names`()
    async throws
  {
    try await TestSchema.with { test in
      let folder = try TemporaryFolder()
      let token = try folder.write("token", lines: ["0123456789abcdef0123456789abcdef"])
      try #require(chmod(token, 0o600) == 0)
      let program = try program(
        test, in: folder,
        lines: [
          "BATON_WORKER_HTTP=unix:\(folder.path)/worker",
          "BATON_SERVE_HTTP=unix:\(folder.path)/serve",
          "BATON_HTTP_TOKEN_FILE=\(token)", "BATON_JOBS=retention,recompute-ranks",
        ])
      try await program.succeed("migrate")
      for command in ["worker", "serve"] {
        let process = try program.start(command)
        defer { process.signal(SIGKILL) }
        let answers = "answering HTTP at unix:\(folder.path)/\(command), with a token"
        try await eventually(answers) { process.errorsSoFar.contains(answers) }
        if command == "worker" {
          try await eventually("its jobs") {
            process.errorsSoFar.contains(": recompute-ranks, retention\n")
              || process.errorsSoFar.contains(": retention, recompute-ranks\n")
          }
        }
        process.signal(SIGTERM)
        try await process.end(with: 0)
      }
    }
  }

  @Test func `the file of the page is one, and so is the example of the package`() throws {
    let page = try Self.page()
    let block = try #require(page.firstMatch(of: /```ini\n([^`]+)```/)).output.1
    let example = try ExampleProgram.text("Sources/Tools/Debian/example.conf")
    for text in [String(block), example] {
      let file = try SettingsFile(Array(text.utf8), at: "f", of: Setting.ofRunner)
      #expect(file.entries.count >= 3)
    }
  }

  // MARK: What is refused

  @Test(
    .sampled(),
    arguments: [
      ("BATON_CONCURENCY=2", "no setting 'BATON_CONCURENCY'", "BATON_CONCURRENCY"),
      ("database_url=x", "no setting 'database_url'", "DATABASE_URL"),
      ("BATON_CONCURRENCY=4x", "'4x' is not a number from 1 to 100", "without a unit"),
      ("BATON_CONCURRENCY=0", "'0' is not a number", "a number in this range"),
      ("BATON_HTTP_OPEN=maybe", "'maybe' is neither yes nor no", "yes or no"),
      ("BATON_LOG_FORMAT=xml", "'xml' is not one of text, json", "one of them"),
      ("BATON_JOBS=retention,,x", "an empty name", "comma"),
      ("BATON_LOG_FORMAT", "A line has no =", "KEY=VALUE"),
      ("BATON_JOBS=", "BATON_JOBS has no value", "remove the line"),
      ("BATON_JOBS='retention'", "is in quotes", "without"),
      ("BATON_SCHEMA=again", "BATON_SCHEMA is set twice", "line 4"),
    ])
  func `a wrong line is told with its number`(line: String, what: String, next: String) async throws
  {
    try await TestSchema.with { test in
      let folder = try TemporaryFolder()
      let program = try program(test, in: folder, lines: ["# before", line])
      expectComplaint(
        try await program.run("jobs"), status: 64, what: what, place: "\(folder.path)/main.conf:6",
        next: next)
    }
  }

  @Test(arguments: [
    "BATON_HTTP_TOKEN=0123456789hunter2hunter2", "DATABASE_URL=postgresql://a:hunter2@h/d",
    "DATABASE_URL=host=h password=hunter2",
  ])
  func `a secret has no place in it, and is not repeated`(line: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("f.conf", lines: [line])
    let ended = try await BatonProgram().run("jobs", "--config", file)
    expectComplaint(ended, status: 64, what: "contains a secret", place: "\(file):1", next: "_FILE")
    #expect(!ended.errors.contains("hunter2"))
  }

  @Test(.sampled()) func `what is no file of settings is refused`() async throws {
    let folder = try TemporaryFolder()
    let pipe = "\(folder.path)/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    let open = try folder.write("open.conf", lines: ["BATON_SCHEMA=x"])
    try #require(chmod(open, 0o666) == 0)
    let bytes = try folder.write("bytes.conf", Array("#\nBATON_SCHEMA=".utf8) + [0xff, 0x0a])
    let long = try folder.write("long.conf", [UInt8](repeating: 0x23, count: 65_537))
    for (path, status, what, place) in [
      ("\(folder.path)/none", 66, "cannot be read: No such file", "\(folder.path)/none"),
      (folder.path, 66, "not a regular file", folder.path), (pipe, 66, "not a regular file", pipe),
      (open, 77, "world-writable", open), (bytes, 64, "not UTF-8", "\(bytes):2"),
      (long, 64, "more than 65536 bytes", long),
    ] as [(String, Int32, String, String)] {
      expectComplaint(
        try await BatonProgram().run("jobs", "--config", path), status: status, what: what,
        place: place)
    }
    for arguments in [["jobs", "--config"], ["jobs", "--config="]] {
      expectComplaint(
        try await BatonProgram().start(arguments).wait(), status: 64,
        what: "needs the path of a file",
        place: "the arguments", next: "--config FILE")
    }
    expectComplaint(
      try await BatonProgram().run("--config", open, "jobs", "--config", open), status: 64,
      what: "given twice", place: "the arguments", next: "one file")
  }

  /// Compose files set a variable without a value to an empty string, which counts as not set.
  @Test(arguments: [nil, ""] as [String?])
  func `a variable of the program itself may stand in the file`(inEnvironment: String?)
    async throws
  {
    let folder = try TemporaryFolder()
    let checkIns = try folder.write("bad.csv", lines: ["no,check-ins"])
    let file = try folder.write("demo.conf", lines: ["BATON_CHECKINS=\(checkIns)"])
    var gymrats = BatonProgram(folder: folder.path)
    gymrats.environment["BATON_CHECKINS"] = inEnvironment
    let ended = try await gymrats.run("--config", file, "demo")
    #expect(ended.status == 65 && ended.errors.contains(checkIns), "\(ended.errors)")
  }

  @Test func `a wrong value in the environment is told with the variable`() async throws {
    try await TestSchema.with { test in
      var gymrats = test.gymrats
      gymrats.environment["BATON_CONCURRENCY"] = "many"
      expectComplaint(
        try await gymrats.run("worker", "--until-idle"), status: 64, what: "'many' is not a number",
        place: "BATON_CONCURRENCY", next: "a number in this range")
    }
  }

  @Test func `a program that was built without says so`() async throws {
    let orders = BatonProgram(executable: try ExampleProgram.path("orders"))
    expectComplaint(
      try await orders.run("jobs", "--config", "/etc/orders.conf"), status: 64,
      what: "orders does not read settings files", place: "--config",
      next: "trait ConfigurationFile")
  }
}

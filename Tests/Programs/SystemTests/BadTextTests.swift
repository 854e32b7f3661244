import Foundation
import TestSupport
import Testing

/// Tests every argument and variable for text with invalid text: no command guesses or writes.
///
/// Neither can contain NUL bytes. `RefusedValueTests` test those.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct BadTextTests {
  /// A text that could be the id of a board.
  private static let board = "01234567-89ab-8def-8123-456789abcdef"

  /// Each command, with `%` in place of a text.
  private static let commands = [
    ["run", "%"], ["run", "recompute-ranks", "--key", "%"],
    ["run", "recompute-ranks", "--key", "%", "--dry-run"], ["enqueue", "%", "--key", "k"],
    ["enqueue", "recompute-ranks", "--key", "%"],
    ["enqueue", "recompute-ranks", "--key", board, "--payload", "%"], ["jobs", "pause", "%"],
    ["jobs", "resume", "%"], ["runs", "list", "--job", "%"], ["runs", "list", "--state", "%"],
    ["runs", "list", "--limit", "%"], ["runs", "show", "%"], ["runs", "retry", "%"],
    ["runs", "retry", "--job", "%"], ["runs", "cancel", "%"], ["worker", "--jobs", "%"],
    ["worker", "--concurrency", "%"], ["board", "g", "--week", "%"],
    ["board", "g", "--type", "%"], ["replay", "f", "--from", "%"],
    ["replay", "f", "--to", "%"], ["replay", "f", "--step", "%"], ["demo", "--weeks", "%"],
    ["check", "%"], ["migrate", "%"], ["db", "%"], ["%"],
    ["week", "close", "%"], ["week", "status", "--limit", "%"],
    ["week", "reopen", "g", "%", "--reason", "r"],
    ["schedule", "pause", "%"], ["schedule", "add", "%", "--every", "7d"],
    ["schedule", "add", "purge-runs/a", "--key", "k", "--cron", "%"],
    ["schedule", "remove", "%"], ["schedule", "next", "%"], ["replay", "f", "--outage", "%"],
    ["init", "%"], ["dev", "clock", "%"],
  ]

  /// The same for names of existing objects.
  ///
  /// An invalid name does not exist.
  private static let names = [
    ["board", "%"],
    ["replay", "%"],
    ["week", "reopen", "%", "2024-03-04", "--reason", "r"],
    ["week", "reopen", "g", "2024-03-04", "--reason", "%"],
    ["notifications", "%"],
    ["replay", "f", "--export", "%"],
  ]

  private static func raw(_ command: [String], _ text: [UInt8]) -> [[UInt8]] {
    command.map { $0 == "%" ? text : Array($0.utf8) }
  }

  /// The last bytes are half a character.
  ///
  /// A lenient decoder would replace the first bytes by U+FFFD.
  private static let bytes: [[UInt8]] = [[0x67, 0xff], [0xed, 0xa0, 0x80], [0xc3]]
  /// Texts with line breaks, an escape sequence of a terminal, and a text longer than any name.
  private static let texts = [
    "a\nnext:  b", "\u{1b}[31m", String(repeating: "é", count: 50_000),
  ]

  /// The commands that one test tries.
  private static let tried = Randomness.sample(8, of: commands + names)

  /// Returns all texts at full size, and otherwise one text for each command in turn.
  private static func some<Text>(of texts: [Text], _ command: [String]) -> [Text] {
    let place = (commands + names).firstIndex(of: command) ?? 0
    return TestSize.isFull ? texts : [texts[place % texts.count]]
  }

  @Test(.sampled(), arguments: tried)
  func `bytes that are not UTF-8 are never replaced and used`(command: [String]) async throws {
    try await TestSchema.with { schema in
      for text in Self.some(of: Self.bytes, command) {
        let ended = try await schema.gymrats.run(raw: Self.raw(command, text))
        expectComplaint(
          ended, status: 64, what: "not UTF-8", place: "argument", next: "in UTF-8")
        #expect(!ended.errors.contains("\u{fffd}"))
      }
      try await expectNothingWritten(schema)
    }
  }

  @Test(.sampled(), arguments: tried)
  func `a text that no argument can be is refused in three lines`(
    command: [String]
  ) async throws {
    try await TestSchema.with { schema in
      for text in Self.some(of: Self.texts, command) {
        let ended = try await schema.gymrats.run(raw: Self.raw(command, Array(text.utf8)))
        expectComplaint(ended, status: Self.names.contains(command) ? 66 : 64, what: "")
        #expect(!ended.errors.contains("\u{1b}"))
        #expect(ended.errors.utf8.count < 8_000)
      }
      try await expectNothingWritten(schema)
    }
  }

  @Test(arguments: ["BATON_SCHEMA", "DATABASE_URL"])
  func `a variable that is not UTF-8 is refused`(name: String) async throws {
    try await TestSchema.with { schema in
      let good = schema.gymrats.environment[name] ?? ""
      for bytes in [Array(good.utf8) + [0xff], [0xc3, 0x28]] {
        let ended = try await schema.gymrats.run(
          raw: [Array("jobs".utf8)], environment: [name: bytes])
        expectComplaint(ended, status: 64, what: "not UTF-8", place: name, next: "in UTF-8")
        #expect(name == "BATON_SCHEMA" || !ended.errors.contains("postgresql://"))
      }
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "", " ", "Baton", "public", "pg_temp", "1st", "a-b", "a\"b", "a;drop", "é", "a\nb",
      String(repeating: "a", count: 64), String(repeating: "a", count: 100_000),
    ])
  func `a schema's name that is none is refused`(name: String) async throws {
    var gymrats = BatonProgram(environment: ["DATABASE_URL": try TestServer.address])
    gymrats.environment["BATON_SCHEMA"] = name
    for command in ["migrate", "jobs"] {
      expectComplaint(
        try await gymrats.run(command), status: 64, what: "name of a schema",
        place: "BATON_SCHEMA", next: "lower-case letters")
    }
  }

  @Test func `an address of 100,000 bytes is refused like any other that leads nowhere`()
    async throws
  {
    let long = String(repeating: "x", count: 100_000)
    for (address, status, what) in [
      // The name of a database, on the server of PGHOST.
      (long, Int32(69), "/nowhere"), ("postgresql://" + long, 69, "host name"),
      ("postgresql://h/\(long)?nonsense=1", 64, "not a URL"),
    ] {
      let ended = try await BatonProgram(
        environment: ["DATABASE_URL": address, "PGHOST": "/nowhere"]
      ).run("jobs")
      expectComplaint(ended, status: status, what: what, place: "DATABASE_URL")
      #expect(ended.errors.utf8.count < 8_000)
    }
  }

  @Test(arguments: ["serve", "worker", "jobs"])
  func `an address that is not a URL ends each command`(command: String) async throws {
    let ended = try await BatonProgram(
      environment: [
        "DATABASE_URL": "postgresql://h/d?nonsense=1", "BATON_HTTP_TOKEN_FILE": "/none",
      ]
    ).run(command)
    expectComplaint(ended, status: 64, what: "not a URL", place: "DATABASE_URL")
  }

  @Test(
    .sampled(),
    arguments: [
      #""\u0000""#, #"{"a": "\ud800"}"#, "nul", "", "{\"a\": 1", #"{"a": 1e999999}"#,
      #"[-1e-999999999]"#,
      String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000),
    ])
  func `a payload that JSON or the database cannot hold is refused`(payload: String) async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      expectComplaint(
        try await schema.gymrats.run(
          "enqueue", "recompute-ranks", "--key", Self.board, "--payload", payload),
        status: 64, what: "not JSON", place: "--payload", next: "Nothing was enqueued")
      try await expectNothingWritten(schema)
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "infinity", "-infinity", "290000-01-01", "0044-03-15 BC", "10000-01-01", "0000-01-01",
      "2024-02-30", "now", "２０２４-01-01",
    ])
  func `a day that is none is refused wherever one is asked for`(day: String) async throws {
    try await TestSchema.with { schema in
      for (command, place) in [
        (["replay", CheckInData.edges.path, "--from=\(day)"], "--from"),
        (["replay", CheckInData.edges.path, "--to=\(day)"], "--to"),
        (["board", "--all", "--week=\(day)"], "--week"),
      ] {
        let ended = try await schema.gymrats.start(command).wait()
        expectComplaint(ended, status: 64, what: "not a date", place: place, next: "YYYY-MM-DD")
      }
      try await expectNothingWritten(schema)
    }
  }

  @Test(
    .sampled(),
    arguments: ["2026-02-30", "2027-02-29T00:00:00Z", "2026-04-31", "2026-01-01T24:00:00Z"])
  func `a date that does not exist is refused by every command`(day: String) async throws {
    try await TestSchema.with { schema in
      let own = ["2026-01-01", day]
      for command in [
        ["enqueue", "recompute-ranks", "--key", Self.board, "--at", day],
        ["schedule", "backfill", "close-week", "--from", own[0], "--to", day, "--dry-run"],
        ["schedule", "backfill", "close-week", "--from", day, "--to", "2027-01-01", "--dry-run"],
        ["audit", "list", "--since", day], ["audit", "list", "--until", day],
        ["board", "g", "--at", day],
      ] {
        let ended = try await schema.gymrats.start(command).wait()
        #expect(ended.status == 64, "\(command) \(ended.errors)")
        #expect(ended.errors.contains("not an instant"), "\(ended.errors)")
      }
      try await expectNothingWritten(schema)
    }
  }

  private func expectNothingWritten(_ schema: TestSchema) async throws {
    let written = try await schema.sql(
      """
      select (select count(*) from event) + (select count(*) from run)
        + (select count(*) from dead_run) + (select count(*) from workout)
        + (select count(*) from development) + (select count(*) from job where paused_at is not null)
      """)
    #expect(written == ["0"])
  }
}

import Foundation
import TestSupport
import Testing

/// Tests the log of a worker, as read by people and programs.
@Suite(.timeLimit(.minutes(5))) struct LogFormatTests {
  /// Returns a worker's log lines for the last attempt of a run whose key is not a board.
  private func said(_ format: String, key: String) async throws -> [String] {
    try await TestSchema.with { schema in
      let gymrats = schema.gymrats
      try await gymrats.succeed("migrate")
      try await schema.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, attempt)
        values ('recompute-ranks', $$\(key)$$, 'ready', now(), now(), now(), 99999)
        """)
      let ended = try await gymrats.run("worker", "--until-idle", "--log-format", format)
      #expect(ended.status == 1, "\(ended.errors)")
      return ended.errors.split(separator: "\n").map(String.init)
    }
  }

  @Test(.sampled())
  func `each line is an object that says what it is about, the error at the end too`()
    async throws
  {
    let key = "a \"board\" \\n of {nobody}"
    let lines = try await said("json", key: key)
    let objects = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    for object in objects {
      let time = try #require(object["time"] as? String)
      #expect(
        try Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) < .now)
      #expect(object["logger"] as? String == "gymrats" && object["message"] is String)
    }
    let dead = try #require(objects.first { $0["job"] as? String == "recompute-ranks" })
    #expect(dead["level"] as? String == "error" && dead["key"] as? String == key)
    #expect(dead["run"] is Int && dead["attempt"] as? Int == 100_000)
    #expect(UUID(uuidString: dead["worker"] as? String ?? "") != nil)
    #expect((dead["message"] as? String)?.hasPrefix("not done, dead: ") == true)
    let last = try #require(objects.last)
    #expect(last["message"] as? String == "1 run died." && last["exit_code"] as? Int == 1)
    #expect(last["where"] is String && last["next"] is String)
  }

  @Test(.sampled()) func `people read the same in a line, and the error in three parts`()
    async throws
  {
    let lines = try await said("text", key: "nobody")
    let dead = try #require(lines.first { $0.contains(" error ") })
    for part in ["attempt=100000 ", "job=recompute-ranks key=nobody run=", "not done, dead: "] {
      #expect(dead.contains(part), "\(dead)")
    }
    #expect(lines.suffix(3).map { String($0.prefix(7)) } == ["error: ", "where: ", "next:  "])
  }

  @Test(.sampled()) func `an attempt that failed and is made again is a warning about one run`()
    async throws
  {
    try await TestSchema.with { schema in
      let gymrats = schema.gymrats
      try await gymrats.succeed("migrate")
      let people = People(schema)
      try await people.join("u1", group: "g")
      #expect(try await people.record("u1", "w1") == "accepted")
      let boards = try await schema.sql("select id from challenge where type = 'check-ins'")
      let board = try #require(boards.first)
      try await DueWeeks(schema: schema).breakDown("before insert", "standing")
      func warning(_ format: String) async throws -> String {
        let ended = try await gymrats.run(
          "run", "recompute-ranks", "--key", board, "--log-format", format)
        #expect(ended.status == 1, "\(ended.errors)")
        let line = ended.errors.split(separator: "\n").first { $0.contains("not done, again in ") }
        return String(try #require(line, "\(ended.errors)"))
      }
      let first = try await warning("json")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any])
      let ids = try await schema.sql("select id from run where key = '\(board)'")
      let id = try #require(ids.first.flatMap { Int($0) })
      #expect(object["level"] as? String == "warning" && object["run"] as? Int == id)
      #expect(object["job"] as? String == "recompute-ranks" && object["key"] as? String == board)
      #expect(object["attempt"] as? Int == 1)
      let second = try await warning("text")
      for part in [
        " warning ", "attempt=2 ", "job=recompute-ranks key=\(board) run=\(id) ",
        " ms: broken by the test",
      ] { #expect(second.contains(part), "\(second)") }
    }
  }

  private func object(_ text: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test(arguments: [["worker"], ["run", "retention"], ["week", "close", "2024-01-01"]])
  func `an error before the first connection is a line of the log`(command: [String]) async throws {
    let gymrats = BatonProgram(environment: ["DATABASE_URL": "mysql://127.0.0.1/none"])
    let ended = try await gymrats.start(command + ["--log-format", "json"]).wait()
    let lines = try ended.errors.split(separator: "\n").map(object)
    #expect(lines.last?["exit_code"] as? Int == Int(ended.status) && ended.status != 0, "\(ended)")
  }

  @Test func `a job in which nothing is due has a result in JSON, and the format is checked`()
    async throws
  {
    try await TestSchema.with { schema in
      var gymrats = schema.gymrats
      try await gymrats.succeed("migrate")
      let dry = try await gymrats.succeed("run", "recompute-ranks", "--dry-run", "--json")
      #expect(try object(dry)["result"] as? String == "nothing")
      gymrats.environment["BATON_LOG_FORMAT"] = "JSON"
      expectComplaint(
        try await gymrats.run("run", "recompute-ranks"), status: 64, what: "JSON",
        place: "BATON_LOG_FORMAT")
    }
  }

  @Test(.sampled()) func `a run is one line of a list, also through a pipe`() async throws {
    try await TestSchema.with { schema in
      let gymrats = schema.gymrats
      try await gymrats.succeed("migrate")
      try await schema.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, last_error)
        values ('recompute-ranks', U&'a\\202Eb', 'ready', now(), now(), now(), E'c\\n9  dead')
        """)
      for command in [["runs", "list"], ["runs", "cancel", "--all", "--dry-run"]] {
        let listed = try await gymrats.start(command).wait(within: .seconds(30))
        let line = listed.output.split(separator: "\n").first ?? ""
        #expect(line.contains(#"  a\u{202E}b  "#) && line.hasSuffix(#"  c\n9  dead"#), "\(listed)")
      }
    }
  }

  @Test func `another form is refused`() async throws {
    let ended = try await BatonProgram().run("worker", "--log-format", "xml")
    #expect(ended.status == 64 && ended.errors.contains("'text' and 'json'"), "\(ended.errors)")
  }
}

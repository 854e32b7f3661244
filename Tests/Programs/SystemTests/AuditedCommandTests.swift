import Foundation
import TestSupport
import Testing

/// Tests that every command that changes data adds exactly its row to the audit log, and that no
/// other command does.
@Suite(.timeLimit(.minutes(5))) struct AuditedCommandTests {
  // MARK: Which commands there are

  /// Commands that write only data that is not audited, with the reason.
  private static let exempt = [
    "init": "writes a folder", "db up": "a server", "db down": "a server", "db status": "a server",
    "dev work": "makes a schema for development", "worker": "works by itself",
    "serve": "tells, and works nothing", "hash-password": "prints a line",
    "bench": "works in schemas of its own", "replay": "makes a schema for development",
    "demo": "makes a schema of its own", "api": "serves the calls of users, who are not operators",
  ]

  /// Commands that change nothing, with arguments.
  private static let readers = [
    ["jobs", "list"], ["jobs", "show", "retention"], ["jobs", "grants"], ["limits", "list"],
    ["batches", "list"], ["runs", "list"],
    ["runs", "history"],
    ["runs", "show", "901"],
    ["schedule", "list"], ["schedule", "next"], ["status", "--workers", "0", "--dead", "off"],
    ["doctor"], ["top", "--count", "1"], ["audit", "list"], ["audit", "verify"], ["check"],
    ["board", "g1"], ["week", "status"], ["notifications"], ["verify"], ["groups"],
    ["group", "g1"],
    ["analytics"], ["explain-rank", "g1-1"], ["reports", "list"],
  ]

  /// Audited commands whose rows other tests check: AuditTests, RolesTests.
  private static let elsewhere = ["dev clock", "roles create", "roles drop"]

  private func commands() async throws -> Set<String> {
    struct Command: Decodable {
      let commandName: String
      let subcommands: [Command]?

      func leaves(_ path: [String] = []) -> [String] {
        let below = (subcommands ?? []).filter { $0.commandName != "help" }
        guard !below.isEmpty else { return [path.joined(separator: " ")] }
        return below.flatMap { $0.leaves(path + [$0.commandName]) }
      }
    }
    struct Help: Decodable { let command: Command }
    let text = try await BatonProgram().succeed("--experimental-dump-help")
    return Set(try JSONDecoder().decode(Help.self, from: Data(text.utf8)).command.leaves())
  }

  private func command(of arguments: [String], among all: Set<String>) -> String? {
    (1...2).map { arguments.prefix($0).joined(separator: " ") }.first { all.contains($0) }
  }

  @Test func `each command is audited, or changes nothing, or it is said why it is neither`()
    async throws
  {
    let all = try await commands()
    #expect(all.count > 30)
    let audited = Set(Self.steps(monday: "").compactMap { command(of: $0.arguments, among: all) })
    let reading = Set(Self.readers.compactMap { command(of: $0, among: all) })
    let known = audited.union(reading).union(Self.exempt.keys).union(Self.elsewhere)
    #expect(all.symmetricDifference(known) == [])
    // With and without --fix.
    #expect(audited.intersection(reading) == ["verify"])
  }

  @Test(.sampled()) func `commands that change nothing need no right to write`() async throws {
    try await withWork { schema, _ in
      // One run is never due, and the other run never ends.
      try await schema.sql("delete from run")
      try await schema.gymrats.succeed("worker", "--until-idle", "--jobs", "recompute-ranks")
      var gymrats = schema.gymrats
      gymrats.environment["PGOPTIONS"] = "-c default_transaction_read_only=on"
      try await gymrats.start("jobs", "pause", "retention").end(with: 75)
      let reading = gymrats
      try await withThrowingTaskGroup(of: Void.self) { group in
        for arguments in Self.readers {
          group.addTask {
            let ended = try await reading.start(arguments).wait()
            // Boards without workouts are drift, the server is read-only, and this server loses its
            // data in a crash.
            let found: [String: Int32] = ["verify": 1, "status": 2, "doctor": 2]
            let isDone = ended.status == found[arguments[0], default: 0]
            #expect(isDone && ended.errors == "", "\(arguments): \(ended.status) \(ended.errors)")
          }
        }
        try await group.waitForAll()
      }
    }
  }

  // MARK: Their rows

  private struct Step {
    let arguments: [String]
    /// Action, subject, before, after, filter and count, as printed by `psql`, with `-` for null.
    var rows: [String] = []
    var status: Int32 = 0
  }

  /// The steps in order, on the data of `withWork`.
  private static func steps(monday: String) -> [Step] {
    func run(_ id: Int, _ key: String, _ job: String = "recompute-ranks") -> String {
      #"{"job": "\#(job)", "key": "\#(key)", "run": \#(id)}"#
    }
    let job = #"{"job": "retention"}"#
    let board = "00000000-0000-0000-0000-000000000009"
    let (yes, no) = (#"{"paused": true}"#, #"{"paused": false}"#)
    return [
      Step(
        arguments: ["migrate"],
        rows: [
          #"migrate {} - {"rights": 0, "tables": 0, "objects": 1, "migrations": []} - -"#
        ]),
      Step(arguments: ["migrate"]),
      Step(arguments: ["migrate", "--plan"]),
      Step(
        arguments: ["jobs", "pause", "retention"], rows: ["jobs pause \(job) \(no) \(yes) - -"]),
      Step(arguments: ["jobs", "pause", "retention"]),
      Step(arguments: ["jobs", "pause", "nobody"], status: 64),
      Step(
        arguments: ["jobs", "resume", "retention"], rows: ["jobs resume \(job) \(yes) \(no) - -"]),
      Step(
        arguments: ["jobs", "grant", "retention", "postgres"],
        rows: [#"jobs grant \#(job) - {"role": "postgres", "may_cancel": false} - -"#]),
      Step(arguments: ["jobs", "grant", "retention", "postgres"]),
      Step(
        arguments: ["jobs", "grant", "retention", "postgres", "--cancel"],
        rows: [
          #"jobs grant \#(job) {"role": "postgres", "may_cancel": false} "#
            + #"{"role": "postgres", "may_cancel": true} - -"#
        ]),
      Step(arguments: ["jobs", "grant", "retention", "no such role"], status: 64),
      Step(arguments: ["jobs", "grant", "nobody", "postgres"], status: 64),
      Step(
        arguments: ["jobs", "revoke", "retention", "postgres"],
        rows: [#"jobs revoke \#(job) {"role": "postgres", "may_cancel": true} - - -"#]),
      Step(arguments: ["jobs", "revoke", "retention", "postgres"], status: 64),
      Step(arguments: ["runs", "wait", "901"], status: 1),
      Step(
        arguments: ["limits", "set", "retention", "--concurrency", "2"],
        rows: [#"limits set \#(job) {} {"concurrency": 2} - -"#]),
      Step(arguments: ["limits", "set", "retention", "--concurrency", "2"]),
      Step(arguments: ["limits", "set", "retention", "--group-concurrency", "2"], status: 64),
      Step(
        arguments: ["limits", "set", "retention", "--concurrency", "2", "--group", "g"], status: 64),
      Step(arguments: ["jobs", "pause", "retention", "--group", "g"], status: 64),
      Step(
        arguments: ["limits", "reset", "retention"],
        rows: [#"limits set \#(job) {"concurrency": 2} {} - -"#]),
      Step(
        arguments: ["batches", "cancel", "old"],
        rows: [#"batches cancel {"batch": "old"} - {"state": "cancelling"} - -"#]),
      Step(arguments: ["batches", "cancel", "no such batch"], status: 64),
      Step(
        arguments: ["batches", "retry", "dead"],
        rows: [#"batches retry {"batch": "dead"} - {"dead": 1} - -"#]),
      Step(arguments: ["batches", "retry", "old"], status: 64),
      Step(
        arguments: ["schedule", "pause", "retention"],
        rows: ["schedule pause \(job) \(no) \(yes) - -"]),
      Step(
        arguments: ["schedule", "resume", "retention"],
        rows: ["schedule resume \(job) \(yes) \(no) - -"]),
      Step(arguments: ["schedule", "resume", "retention"]),
      Step(
        arguments: [
          "schedule", "add", "retention/night", "--cron", "0 3 * * *", "--key", "scheduled",
          "--time-zone", "Europe/Berlin", "--payload", #"{"x": "hunter2"}"#,
        ],
        rows: [
          #"schedule add {"job": "retention", "schedule": "night"} - "#
            + #"{"key": "scheduled", "cron": "0 3 * * *", "missed": "once", "time_zone": "Europe/Berlin"} - -"#
        ]),
      Step(
        arguments: ["schedule", "remove", "retention/night"],
        rows: [#"schedule remove {"job": "retention", "schedule": "night"} - - - -"#]),
      Step(arguments: ["schedule", "remove", "retention/night"], status: 64),
      Step(arguments: backfill + ["--dry-run"]),
      Step(
        arguments: backfill,
        rows: [
          "schedule backfill \(job) - - "
            + #"{"to": "2024-03-12T00:00:00Z", "from": "2024-03-09T00:00:00Z"} 3"#
        ]),
      Step(arguments: backfill),
      Step(
        arguments: [
          "enqueue", "purge-runs", "--key", "scheduled", "--payload", #"{"x": "hunter2"}"#,
        ],
        rows: [
          #"enqueue {"job": "purge-runs", "key": "scheduled"} - {"run": N, "replaces": false} - -"#
        ]),
      Step(arguments: ["enqueue", "purge-runs"], status: 64),
      Step(
        arguments: ["runs", "cancel", "910"],
        rows: [#"runs cancel \#(run(910, "w")) {"state": "ready"} {"state": "cancelled"} - -"#]),
      Step(
        arguments: ["runs", "cancel", "911"],
        rows: [#"runs cancel \#(run(911, "r")) {"state": "running"} {"state": "cancelling"} - -"#]),
      Step(arguments: ["runs", "cancel", "911"]),
      Step(
        arguments: ["runs", "cancel", "902", "4711"],
        rows: [#"runs cancel \#(run(902, "k2")) {"state": "dead"} {"state": "cancelled"} - -"#],
        status: 66),
      Step(
        arguments: ["runs", "retry", "903"],
        rows: [
          #"runs retry \#(run(903, "k3")) {"state": "dead", "attempt": 3} {"run": 903, "state": "ready"} - -"#
        ]),
      Step(arguments: ["runs", "retry", "903"], status: 66),
      Step(
        arguments: ["runs", "retry", "912", "--payload", #"{"x": "hunter2"}"#],
        rows: [
          #"runs retry \#(run(912, board)) {"state": "dead", "attempt": 3} "#
            + #"{"run": N, "state": "ready", "payload": "edited"} - -"#
        ]),
      Step(
        arguments: ["runs", "retry", "--job", "verify-boards"],
        rows: [#"runs retry {} - {"ready": 1} {"job": "verify-boards", "state": "dead"} 2"#]),
      Step(arguments: ["runs", "retry", "--job", "verify-boards"]),
      Step(
        arguments: ["runs", "discard", "905"],
        rows: [#"runs discard \#(run(905, "k5")) {"state": "dead", "attempt": 3} - - -"#]),
      Step(
        arguments: ["runs", "discard", "906", "907"],
        rows: [#"runs discard {} - - {"ids": [906, 907]} 2"#]),
      Step(arguments: ["runs", "discard", "901", "4711"], status: 66),
      Step(arguments: ["runs", "discard", "--all", "--dry-run"]),
      Step(
        arguments: ["runs", "discard", "--all"],
        rows: [#"runs discard {} - - {"state": "dead"} 2"#]),
      Step(arguments: ["runs", "discard", "--all"]),
      Step(arguments: ["run", "purge-runs"], rows: [#"run {"job": "purge-runs"} - - - -"#]),
      Step(arguments: ["run", "purge-runs", "--dry-run"]),
      Step(arguments: ["run", "recompute-ranks", "--key", "x"], status: 64),
      Step(arguments: ["run", "nobody"], status: 64),
      Step(
        arguments: ["week", "close", monday],
        rows: [#"run {"job": "close-week", "key": "\#(monday)"} - - - -"#]),
      Step(arguments: ["week", "close", "2999-01-07"], status: 64),
      Step(
        arguments: ["week", "reopen", "g1", monday, "--reason", "a phone was offline"],
        rows: [
          #"week reopen {"week": "\#(monday)", "group": "g1"} {"state": "closed", "closed_at": T} "#
            + #"{"state": "open", "boards": 2, "reason": "a phone was offline", "#
            + #""reopened_until": T} - -"#
        ]),
      Step(arguments: ["week", "reopen", "g1", monday, "--reason", "again"], status: 66),
      Step(
        arguments: ["reports", "close", board],
        rows: [
          #"reports close {"report": "\#(board)"} {"state": "open"} {"state": "closed"} - -"#
        ]),
      Step(arguments: ["reports", "close", board]),
      Step(arguments: ["reports", "close", "00000000-0000-0000-0000-000000000008"], status: 66),
      Step(arguments: ["reports", "close", "x"], status: 64),
      Step(
        arguments: ["verify", "--fix", "--sample", "1"],
        rows: [
          #"verify fix begun {} - - {"sample": 1} -"#,
          #"verify fix {} - {"left": 0, "found": N} {"sample": 1} N"#,
        ]),
      Step(arguments: ["verify", "--fix"]),
      Step(arguments: ["jobs", "retire", "retention", "--dry-run"]),
      Step(
        arguments: ["jobs", "retire", "retention"],
        rows: [
          "jobs retire \(job) \(notRetired) {\"retired\": true, \"schedules\": 1} - -"
        ]),
      Step(arguments: ["jobs", "retire", "retention"]),
      Step(
        arguments: ["jobs", "retire", "retention", "--undo"],
        rows: [
          "jobs retire \(job) {\"retired\": true} {\"retired\": false, \"schedules\": 0} - -"
        ]),
      Step(arguments: ["jobs", "retire", "retention", "--undo"]),
      Step(arguments: ["jobs", "retire", "nobody"], status: 64),
    ]
  }

  private static let notRetired = #"{"retired": false}"#

  private static let backfill = [
    "schedule", "backfill", "retention", "--from", "2024-03-09", "--to", "2024-03-12",
  ]

  /// Creates a group with an ended week, dead runs, a waiting run, a running run, and a missing
  /// trigger.
  private func withWork(_ body: (TestSchema, _ monday: String) async throws -> Void) async throws {
    try await TestSchema.with { schema in
      let due = DueWeeks(schema: schema)
      try await due.make(groups: 1, members: 2, weeks: [1])
      try await schema.sql(
        """
        insert into dead_run (id, job, key, attempt, error)
        select 900 + n, 'recompute-ranks', 'k' || n, 3, 'of hunter2' from generate_series(1, 7) n
        where n <> 4
        union all select 908, 'verify-boards', 'k', 1, 'x'
        union all select 909, 'verify-boards', 'k', 1, 'x'
        union all select 904, 'other', 'k', 1, 'x'
        union all select 912, 'recompute-ranks', '00000000-0000-0000-0000-000000000009', 3, 'x'
        """)
      try await schema.sql(
        """
        insert into batch (name, sealed_at, ended_at, dead)
        values ('old', now(), null, 0), ('dead', now(), now(), 1)
        """)
      try await schema.sql(
        """
        insert into run (id, job, key, state, due, first_event_at, last_event_at, token, worker)
        values (910, 'recompute-ranks', 'w', 'ready', 'infinity', now(), now(), null, null),
          (911, 'recompute-ranks', 'r', 'running', now(), now(), now(), gen_random_uuid(),
            gen_random_uuid())
        """)
      try await schema.sql(
        """
        insert into user_report (id, reporter, reported, group_id, reason, note, created_at)
        values ('00000000-0000-0000-0000-000000000009', 'g1-1', 'g1-2', 'g1', 'spam', '', now())
        """)
      try await body(schema, try await due.monday(1))
    }
  }

  private func rows(_ schema: TestSchema, behind last: inout Int) async throws -> [String] {
    let rows =
      try await schema.text(
        """
        select string_agg(row, e'\\n' order by day, number) from (select day, number, action || ' ' || subject || ' ' || coalesce(before::text, '-') || ' '
          || coalesce(after::text, '-') || ' ' || coalesce(filter::text, '-') || ' '
          || coalesce(count::text, '-') as row
        from audit order by day, number offset \(last)) a
        """)?.split(separator: "\n").map(String.init) ?? []
    last += rows.count
    return rows
  }

  /// Removes values that no test can know: ids of new runs, instants, and the amount of drift.
  private func settled(_ row: String) -> String {
    var row = row.replacing(/"20\d\d-\d\d-\d\dT[0-9:]+Z"/) { match in
      match.output.hasPrefix("\"2024") ? String(match.output) : "T"
    }
    row = row.replacing(/"run": \d{1,2}\b/, with: "\"run\": N")
    guard row.hasPrefix("verify fix {") else { return row }
    return row.replacing(/"found": [1-9]\d*/, with: "\"found\": N")
      .replacing(/\ [1-9]\d*$/, with: " N")
  }

  @Test(.sampled())
  func `each audited command leaves a row, and none if it fails or does nothing`() async throws {
    try await withWork { schema, monday in
      var last = try await schema.sql("select from audit").count
      try await schema.sql("drop trigger grace_changed on setting")
      for step in Self.steps(monday: monday) {
        if step.arguments.starts(with: ["verify", "--fix", "--sample"]) {
          try await schema.sql("alter table groups disable trigger user")
          try await schema.sql("update groups set member_count = 7")
          try await schema.sql("alter table groups enable trigger user")
        }
        let ended = try await schema.gymrats.start(step.arguments).wait()
        #expect(ended.status == step.status, "\(step.arguments): \(ended.errors)")
        let found = try await rows(schema, behind: &last).map(settled)
        #expect(found == step.rows, "\(step.arguments)")
      }
      #expect(try await schema.sql("select from audit where audit::text ~ 'hunter2'") == [])
      #expect(try await schema.gymrats.succeed("audit", "verify").contains(": unbroken\n"))
      // Automatic work adds no row to the audit log.
      _ = try await schema.gymrats.run("worker", "--until-idle")
      #expect(try await rows(schema, behind: &last) == [])
    }
  }

  @Test(.sampled(), arguments: MessageCounter.Side.allCases)
  func `a command that is killed anywhere is done with its row, or not at all`(
    side: MessageCounter.Side
  ) async throws {
    try await TestSchema.with { schema in
      let command = try await KilledCommand("runs", "discard", "901", in: schema)
      defer { command.close() }
      func kill(at number: Int) async throws -> KilledCommand.Life {
        try await schema.sql(
          """
          insert into dead_run (id, job, key, attempt, error) values (901, 'j', 'k', 1, 'it failed')
          on conflict do nothing
          """)
        let before = try await schema.sql("select from audit").count
        let life = try await command.run(killedAt: number, side)
        let state = try await schema.sql(
          "select (select count(*) from dead_run) + (select count(*) from audit)")
        #expect(state == ["\(before + 1)"], "\(life.killedAt ?? "not killed")")
        return life
      }
      let total = try await kill(at: .max).heard.count
      for number in KilledCommand.points(of: total, most: 6) { _ = try await kill(at: number) }
      try await schema.gymrats.start("audit", "verify").end(with: 0)
    }
  }
}

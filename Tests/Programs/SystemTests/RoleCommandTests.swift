import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests everything that a role is documented to do: each command of both programs, and each route
/// of the API, with that role.
///
/// A command or a route that is not listed here fails the test. `make test` executes a random sample
/// of the commands.
@Suite(.timeLimit(.minutes(10))) struct RoleCommandTests {
  /// A command and its arguments in this test.
  private struct Use {
    let role: String
    let arguments: [String]
    /// The allowed exit codes.
    ///
    /// `status` and `doctor` end with 1 or 2 if they find a problem.
    let ends: Set<Int32>
    /// Whether the command undoes or continues the previous command.
    let isFollowUp: Bool

    init(_ role: String, _ line: String, ends: Set<Int32> = [0], isFollowUp: Bool = false) {
      (self.role, self.ends, self.isFollowUp) = (role, ends, isFollowUp)
      arguments = line.split(separator: " ").map(String.init)
    }

    var line: String { arguments.joined(separator: " ") }

    func isOf(_ command: String) -> Bool { (line + " ").hasPrefix(command + " ") }
  }

  /// Commands that need no role of a schema: they create a package or a server, drop their own
  /// schemas, or own a schema.
  private static let others: Set = [
    "init", "dev work", "dev clock", "db up", "db down", "db status", "db destroy", "bench", "demo",
    "replay", "roles create", "roles drop", "help", "hash-password",
    // Commands whose output never ends.
    "serve", "api",
  ]

  /// The commands in order.
  ///
  /// Manual actions use the data that exists at that point.
  private static let ofRunner = [
    Use("migrator", "migrate"), Use("worker", "worker --until-idle"), Use("operator", "check"),
    Use("migrator", "check"), Use("worker", "check"), Use("operator", "jobs list"),
    Use("operator", "jobs show retention"),
    Use("operator", "runs list"), Use("operator", "runs history"), Use("operator", "runs show 901"),
    Use("operator", "runs wait 901", ends: [1]), Use("operator", "jobs grants"),
    Use("operator", "runs retry 901"), Use("operator", "runs cancel 902"),
    Use("operator", "runs retry 904 --payload {}"), Use("operator", "limits list"),
    Use("operator", "batches list"), Use("operator", "batches cancel old"),
    Use("operator", "batches retry dead"),
    Use("operator", "runs discard 903"), Use("operator", "schedule list"),
    Use("operator", "schedule next"), Use("dashboard", "status --workers 0", ends: [0, 1, 2]),
    Use("operator", "status --workers 0", ends: [0, 1, 2]),
    Use("operator", "doctor", ends: [0, 1, 2]), Use("dashboard", "doctor", ends: [0, 1, 2]),
    Use("dashboard", "top --count 1"), Use("operator", "top --count 1"),
    Use("operator", "audit list"), Use("operator", "audit verify"),
  ]

  private static func ofJob(_ job: String) -> [Use] {
    [
      Use("operator", "jobs pause \(job)"), Use("operator", "jobs resume \(job)", isFollowUp: true),
      Use("operator", "limits set \(job) --concurrency 2"),
      Use("operator", "limits reset \(job)", isFollowUp: true),
      Use("operator", "jobs grant \(job) postgres --cancel"),
      Use("operator", "jobs revoke \(job) postgres", isFollowUp: true),
      Use("operator", "enqueue \(job) --key scheduled"), Use("operator", "run \(job) --dry-run"),
      Use("operator", "run \(job)"), Use("worker", "run \(job)"),
      Use("operator", "schedule next \(job)"), Use("operator", "schedule pause \(job)"),
      Use("operator", "schedule resume \(job)", isFollowUp: true),
      Use("operator", "schedule add \(job)/extra --every 7d --key scheduled"),
      Use("operator", "schedule remove \(job)/extra", isFollowUp: true),
      Use("operator", "schedule backfill \(job) --from 2024-01-01 --to 2024-01-03 --dry-run"),
      Use("operator", "schedule backfill \(job) --from 2024-01-01 --to 2024-01-03"),
      // The runs that the backfill has enqueued.
      Use("worker", "worker --until-idle"),
      Use("operator", "enqueue \(job) --key scheduled"),
      Use("operator", "runs cancel --job \(job)"),
      Use("operator", "jobs retire \(job) --cancel-runs"),
      Use("operator", "jobs retire \(job) --undo", isFollowUp: true),
    ]
  }

  /// Returns the commands of a program that have no subcommands, such as `runs list`.
  private func commands(of program: BatonProgram) async throws -> Set<String> {
    struct Dump: Decodable { let command: Command }
    struct Command: Decodable {
      let commandName: String
      let subcommands: [Command]?

      /// The subcommands without `help`, which the parser adds to each command.
      var own: [Command] { (subcommands ?? []).filter { $0.commandName != "help" } }
      var leaves: [String] {
        own.isEmpty ? [commandName] : own.flatMap(\.leaves).map { "\(commandName) \($0)" }
      }
    }
    let text = try await program.succeed("--experimental-dump-help")
    let dump = try JSONDecoder().decode(Dump.self, from: Data(text.utf8))
    return Set(dump.command.own.flatMap(\.leaves))
  }

  private func expect(_ uses: [Use], in place: RolePlace) async throws {
    let there = try await commands(of: try place.gymrats())
    let missing = there.filter { command in
      !Self.others.contains(command) && !uses.contains { $0.isOf(command) }
    }
    #expect(missing.isEmpty, "not run as any role: \(missing.sorted())")
    let units = uses.reduce(into: [[Use]]()) { units, use in
      if use.isFollowUp { units[units.count - 1].append(use) } else { units.append([use]) }
    }
    for use in Randomness.sample(20, of: units).joined() {
      let ended = try await place.gymrats(as: use.role).start(use.arguments).wait()
      #expect(use.ends.contains(ended.status), "\(use.role): \(use.line): \(ended.errors)")
    }
  }

  private func seed(_ place: RolePlace, job: String) async throws {
    try await place.run(
      """
      insert into dead_run (id, job, key, attempt, error, payload)
      select n, '\(job)', 'scheduled', 1, 'gone', null from generate_series(901, 912) n
      """,
      """
      insert into batch (name, sealed_at, ended_at, dead)
      values ('old', now(), null, 0), ('dead', now(), now(), 1)
      """,
      // A skipped occurrence can be backfilled.
      """
      insert into occurrence (job, scheduled_at, fired_at, outcome)
      select '\(job)', d, now(), 'skipped'
      from generate_series(timestamptz '2024-01-01', '2024-01-09', '1 min') d
      where to_char(d at time zone 'UTC', 'HH24:MI') in ('03:17', '03:41')
      """)
  }

  // MARK: Commands

  @Test func `each command of gymrats is done as the role that is for it`() async throws {
    let place = try await RolePlace.make()
    func call(_ text: String) async throws -> String {
      try await place.rows("select (\(text))::text", as: "api").first ?? "nothing"
    }
    let ann = try await call("select id from upsert_user('apple', 'Ann', 'Ann')")
    _ = try await call("create_group('\(ann)', 'early', 'Early birds')")
    #expect(try await call("select outcome from record_workout('\(ann)', 'w1')") == "accepted")
    let monday = try await place.rows("select (week_of(now()) - 14)::text")[0]
    try await place.run(
      """
      insert into challenge (id, group_id, week_start, type)
      select challenge_id('early', '\(monday)', t), 'early', '\(monday)', t
      from unnest(enum_range(null::challenge_type)) t
      """)
    try await seed(place, job: "retention")
    try await place.run(
      """
      insert into user_report (id, reported, group_id, reason, note, created_at)
      values ('00000000-0000-0000-0000-000000000003', '\(ann)', 'early', 'spam', '', now())
      """)
    let product = [
      Use("operator", "groups"), Use("operator", "group early"), Use("operator", "board --all"),
      Use("operator", "board early"), Use("operator", "week status"),
      Use("operator", "week close \(monday)"),
      Use("operator", "week reopen early \(monday) --reason late", isFollowUp: true),
      Use("operator", "verify"),
      Use("operator", "verify --fix"), Use("operator", "analytics"),
      Use("operator", "notifications"),
      Use("operator", "explain-rank Ann"), Use("operator", "reports list --all"),
      Use("operator", "reports close 00000000-0000-0000-0000-000000000003"),
    ]
    try await expect(Self.ofRunner + Self.ofJob("retention") + product, in: place)
    // In a sample, the command that backfills may be missing.
    let backfilled = try await place.rows(
      "select count(*)::text from occurrence where outcome = 'backfilled' and fired_at is not null")
    #expect(backfilled == ["2"] || !TestSize.isFull && backfilled == ["0"])
  }

  @Test(.enabled(if: TestSize.isFull, "the same commands of another product: make test-all"))
  func `each command of whosthere is done as the role that is for it`() async throws {
    let place = try await RolePlace.make(
      "there", executable: try BatonProgram.path(of: "whosthere"))
    try await place.run(
      "insert into users (id, display_name, is_anonymous) values ('u1', 'Ann', false)",
      """
      insert into groups (id, name, latitude, longitude, radius, time_zone)
      values ('gym', 'Gym', 52.5, 13.4, 100, 'UTC')
      """,
      """
      insert into user_report (id, reported, group_id, reason, note, created_at)
      values ('00000000-0000-0000-0000-000000000003', 'u1', 'gym', 'spam', '', now())
      """)
    try await seed(place, job: "retention")
    let product = [
      Use("operator", "groups"), Use("operator", "group gym"), Use("operator", "present gym"),
      Use("operator", "reports list --json"),
      Use("operator", "reports close 00000000-0000-0000-0000-000000000003 --json"),
    ]
    try await expect(Self.ofRunner + Self.ofJob("retention") + product, in: place)
  }
}

#if HTTP
  extension RoleCommandTests {
    private struct Description: Decodable {
      let paths: [String: [String: Operation]]
      struct Operation: Decodable {}
    }

    /// Requests that change data: the path without `/api`, and the body.
    private static let changes = [
      "/runs/{id}/retry": "", "/runs/{id}/cancel": "", "/runs/{id}/discard": "",
      "/runs/{id}/payload": "", "/dead/retry": #"{"job":"retention","limit":1}"#,
      "/dead/discard": #"{"job":"retention","limit":1}"#, "/jobs/{job}/run": "",
      "/jobs/{job}/dry-run": "", "/jobs/{job}/pause": "", "/jobs/{job}/resume": "",
      "/schedules/{job}/pause": "", "/schedules/{job}/resume": "",
      "/schedules/{job}/backfill": range, "/schedules/{job}/{name}/pause": "",
      "/schedules/{job}/{name}/resume": "", "/schedules/{job}/{name}/backfill": range,
    ]
    private static let range = #"{"from":"2024-01-01T00:00:00Z","to":"2024-01-03T00:00:00Z"}"#

    private func address(_ path: String, run: Int) -> String {
      path.replacing("{id}", with: "\(run)").replacing("{job}", with: "retention")
        .replacing("{name}", with: "weekly")
    }

    private func expectActions(in place: RolePlace) async throws {
      try await place.gymrats(as: "worker").succeed("worker", "--until-idle")
      try await place.run(
        """
        insert into schedule (job, name, expression, time_zone, missed, next_at, in_development)
        values ('retention', 'weekly', '0 3 * * *', 'UTC', 'skip', null, false)
        """)
      let program = try place.gymrats(as: "operator").start("serve", "--http", "127.0.0.1:0")
      defer { program.signal(SIGKILL) }
      let client = try await program.httpClient()
      let text = try await client.get("/api/openapi.json").body
      let paths = try JSONDecoder().decode(Description.self, from: Data(text.utf8)).paths
      let posts = Set(paths.filter { $0.value["post"] != nil }.keys)
      #expect(posts == Set(Self.changes.keys.map { "/api\($0)" }))
      var run = 904
      for path in posts.sorted() {
        if path.contains("{id}") { run += 1 }
        let body = Self.changes[String(path.dropFirst(4))] ?? ""
        let answer = try await client.ask(
          "POST \(address(path, run: run)) HTTP/1.1\r\nHost: localhost\r\n"
            + "Authorization: Bearer x\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(answer.status == 200, "\(path): \(answer.body)")
      }
      for kind in ["dashboard", "operator"] {
        let program = try place.gymrats(as: kind).start("serve", "--http", "127.0.0.1:0")
        defer { program.signal(SIGKILL) }
        let client = try await program.httpClient()
        for path in paths.keys.sorted() where paths[path]?["get"] != nil {
          let answer = try await client.get(address(path, run: 910))
          // The schedule without a name exists. The other schedules may not exist.
          #expect([200, 404].contains(answer.status), "\(kind): \(path): \(answer.body)")
        }
        let page = try await client.get("/").body
        for link in Set(page.matches(of: /href="(\/[a-z]*)"/).map { String($0.1) }) {
          let answer = try await client.get(link)
          #expect(
            answer.status == 200 && !answer.body.contains("<h2>Not seen</h2>"), "\(kind): \(link)")
        }
      }
    }

    @Test func `each route of the API is done by an operator, and a dashboard reads each`()
      async throws
    {
      let place = try await RolePlace.make()
      try await seed(place, job: "retention")
      try await expectActions(in: place)
    }

    @Test(.enabled(if: TestSize.isFull, "the same routes of another product: make test-all"))
    func `the same of whosthere`() async throws {
      let place = try await RolePlace.make(
        "there", executable: try BatonProgram.path(of: "whosthere"))
      try await seed(place, job: "retention")
      try await expectActions(in: place)
    }
  }
#endif

#if HTTP
  import Foundation
  import BatonPostgres
  import TestSupport
  import Testing

  /// Numbers that no client should send, in every parameter of the API and of the pages of real processes: none is
  /// answered with an error of the server, and none ends the process.
  @Suite(.timeLimit(.minutes(10)))
  struct ExtremeNumberTests {
    /// As they stand in an address.
    private static let values = Randomness.sample(
      8, of: everyValue)
    private static let everyValue = [
      "-9223372036854775808", "-9223372036854775809", "9223372036854775807",
      "9223372036854775806", "9223372036854774784", "9223372036854775808", "-1", "-0", "0", "1",
      "2147483647", "2147483648", "-2147483649", "4294967294", "4294967295", "4294967296",
      "99999999999999999999999999999999999999", "", "NaN", "inf", "1e308", "0x7fffffffffffffff",
      "%D9%A1%D9%A2", "%EF%BC%91%EF%BC%92", "+1", "1.5",
      // Cursors, with each part at its end.
      "9223372036854775807-9223372036854775807",
      "9223372036854775806-9223372036854775807-9223372036854775807",
      "9223372036854775807-4294967295-65535", "4294967295-65535", "4294967295-65536", "0-0-0",
      "1-9223372036854775807",
      // Instants.
      "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01", "9999-12-31",
      "99999-01-01T00:00:00Z", "9999999999999999999-01-01T00:00:00Z", "294277-01-01T00:00:00Z",
      "-4713-01-01T00:00:00Z", "2024-99-99T99:99:99Z", "2024-02-30T00:00:00Z",
      "%D9%A2%D9%A0%D9%A2%D9%A4-01-01T00:00:00Z",
    ]
    private static let states = ["", "ready", "delayed", "running", "dead", "ended"]

    /// A process that answers.
    private struct Site {
      let program: TestProcess
      let client: HTTPClient

      init(_ gymrats: BatonProgram) async throws {
        let program = try gymrats.start(["serve", "--http", "127.0.0.1:0"])
        self.program = program
        client = try await program.httpClient()
      }

      /// The answer; once more if the server was late, which a busy machine can be.
      private func patient(
        _ ask: () async throws -> HTTPClient.Answer
      ) async throws -> HTTPClient.Answer {
        for _ in 0..<4 {
          let answer = try await ask()
          guard answer.status == 503, answer.body.contains("in time") else { return answer }
        }
        return try await ask()
      }

      /// Asks for each of some addresses, a few at a time.
      ///
      /// - Returns: what was answered with an error of the server, or not at all.
      func failures(_ targets: [String]) async throws -> [String] {
        try await withThrowingTaskGroup(of: [String].self) { group in
          for lane in 0..<4 {
            group.addTask {
              var failures: [String] = []
              for place in stride(from: lane, to: targets.count, by: 4) {
                let answer = try await patient { try await client.get(targets[place]) }
                if !(200..<500).contains(answer.status) {
                  failures.append("\(targets[place]): \(answer.status) \(answer.body.prefix(200))")
                }
              }
              return failures
            }
          }
          return try await group.reduce(into: []) { $0 += $1 }
        }
      }

      func post(_ path: String, _ body: String, type: String) async throws -> HTTPClient.Answer {
        try await patient {
          try await client.ask(
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n"
              + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
      }

      /// That it lives, and answers what it should.
      func expectAlive() async throws {
        #expect(try await client.get("/health/live").status == 200)
        program.signal(SIGTERM)
        #expect(try await program.wait(within: .seconds(30)).status == 0)
      }
    }

    private func seed(_ schema: TestSchema) async throws {
      try await schema.gymrats.succeed("worker", "--until-idle")
      for statement in [
        """
        insert into dead_run (id, job, key, attempt, error)
        values (901, 'recompute-ranks', 'k', 3, 'gone'), (9223372036854775807, 'retention', 'k', 1, 'gone')
        """,
        """
        insert into run (job, key, state, due, run_at, first_event_at, last_event_at)
        select 'recompute-ranks', k, 'ready', d, case when isfinite(d) then d end, now(), now()
        from (values ('now', now()), ('late', timestamptz '9999-12-31'), ('never', 'infinity'),
          ('old', '4713-01-01 BC')) v (k, d)
        """,
      ] { try await schema.sql(statement) }
    }

    // MARK: The API

    private struct Description: Decodable {
      struct Operation: Decodable {
        struct Parameter: Decodable {
          let name: String
          let `in`: String
        }
        struct Body: Decodable {
          let content: [String: Content]
          struct Content: Decodable { let schema: Schema }
          struct Schema: Decodable { let properties: [String: Property] }
          struct Property: Decodable { let type: String }
        }
        let parameters: [Parameter]
        let requestBody: Body?
      }
      let paths: [String: [String: Operation]]
    }

    /// What a parameter has while another one is tried.
    private static let usual = [
      "id": "901", "job": "recompute-ranks", "name": "none", "state": "dead", "key": "k",
      "group": "0123456789abcdef", "before": "0", "limit": "1", "dryRun": "true",
      "from": "2024-01-01T00:00:00Z", "to": "2024-01-02T00:00:00Z",
    ]

    private static func path(_ path: String, _ name: String = "", _ value: String = "") -> String {
      path.split(separator: "/").map { part in
        guard part.hasPrefix("{") else { return "/\(part)" }
        let own = String(part.dropFirst().dropLast())
        return "/" + (own == name ? value : usual[own] ?? "x")
      }.joined()
    }

    /// Every GET, with each value in each parameter; a cursor with each state.
    private static func reads(_ description: Description) -> [String] {
      description.paths.flatMap { path, operations in
        (operations["get"]?.parameters ?? []).flatMap { parameter in
          values.flatMap { value -> [String] in
            guard parameter.in == "query" else { return [self.path(path, parameter.name, value)] }
            let begin = "\(self.path(path))?\(parameter.name)=\(value)"
            guard parameter.name == "before" else { return [begin] }
            return states.map { $0.isEmpty ? begin : "\(begin)&state=\($0)" }
              + [
                "\(begin)&state=running&job=recompute-ranks", "\(begin)&state=ended&job=retention",
              ]
          }
        }
      }
    }

    /// Bodies with each value in each property, as a text and, if it is one, as a number.
    private static func bodies(_ body: Description.Operation.Body?) -> [String] {
      let properties = body?.content["application/json"]?.schema.properties ?? [:]
      func json(_ name: String, _ value: String) -> String {
        "{"
          + properties.keys.sorted().map { own in
            let isText = properties[own]?.type == "string"
            let usual = isText ? "\"\(Self.usual[own] ?? "x")\"" : Self.usual[own] ?? "1"
            return "\"\(own)\":\(own == name ? value : usual)"
          }.joined(separator: ",") + "}"
      }
      return properties.keys.sorted().flatMap { name in
        values.map { $0.removingPercentEncoding ?? $0 }.flatMap { value in
          [json(name, "\"\(value)\"")] + (Double(value) == nil ? [] : [json(name, value)])
        }
      }
    }

    @Test func `every parameter of the API takes every number`() async throws {
      try await TestSchema.with { schema in
        try await seed(schema)
        let site = try await Site(schema.gymrats)
        defer { site.program.signal(SIGKILL) }
        let text = try await site.client.get("/api/openapi.json").body
        let description = try JSONDecoder().decode(Description.self, from: Data(text.utf8))
        let reads = Self.reads(description)
        var failures = try await site.failures(reads)
        var writes = 0
        for (path, operations) in description.paths.sorted(by: { $0.key < $1.key }) {
          guard let operation = operations["post"] else { continue }
          let inPath = operation.parameters.flatMap { parameter in
            Self.values.map { (Self.path(path, parameter.name, $0), "") }
          }
          for (target, body) in inPath
            + Self.bodies(operation.requestBody).map({ (Self.path(path), $0) })
          {
            let answer = try await site.post(target, body, type: "application/json")
            writes += 1
            if !(200..<500).contains(answer.status) {
              failures.append("POST \(target) \(body): \(answer.status) \(answer.body.prefix(200))")
            }
          }
        }
        print("asked \(reads.count) times by GET and \(writes) times by POST")
        #expect(
          failures.isEmpty, "\(failures.count): \(failures.prefix(10).joined(separator: "\n"))")
        #expect(reads.count > 100 && writes > 80)
        try await site.expectAlive()
      }
    }

    // MARK: Pages

    /// What the pages of a program take in their queries.
    ///
    /// A page of the menu that is not listed fails the test.
    private static let pages = [
      "": ["said"], "jobs": ["said"], "runs": ["state", "job", "key", "group", "behind"],
      "dead": ["said"], "schedules": ["said"], "workers": ["said"], "database": ["said"],
      "weeks": ["said"], "boards": ["group", "behind", "week"], "members": ["group"],
      "notifications": ["member"], "groups": ["begins", "after"], "presence": ["begins", "after"],
    ]
    private static let actions = [
      "retry", "cancel", "discard", "payload", "run", "pause", "resume", "backfill", "retry-dead",
      "discard-dead", "dry-run", "pause-schedule", "resume-schedule",
    ]
    private static let fields = ["run", "job", "key", "group", "schedule", "from", "to"]

    private static func reads(of page: String) -> [String] {
      let names = pages[page] ?? []
      return values.flatMap { value -> [String] in
        var targets = names.map { "/\(page)?\($0)=\(value)" }
        if page == "runs" {
          targets += states.dropFirst().map { "/runs?state=\($0)&behind=\(value)" }
          targets += [
            "/runs?state=ended&job=retention&behind=\(value)", "/runs/\(value)?job=retention&key=k",
          ]
        }
        return page.isEmpty
          ? targets : targets + ["/\(page)/\(value)", "/\(page)/\(value)/\(value)"]
      }
    }

    /// What its menu leads to.
    private func menu(_ site: Site) async throws -> Set<String> {
      let page = try await site.client.get("/").body
      let nav = try #require(page.firstMatch(of: /(?s)<nav.*?<\/nav>/))
      return Set(nav.output.matches(of: /href="\/([a-z]*)"/).map { String($0.1) })
    }

    private func expectPages(of site: Site, _ products: Set<String>) async throws {
      let menu = try await menu(site)
      #expect(menu.isSuperset(of: products) && menu.isSubset(of: Self.pages.keys), "\(menu)")
      var targets = menu.sorted().flatMap(Self.reads)
      targets += Self.values.flatMap { value in
        [
          "/login?next=\(value)", "/events/\(value)", "/assets/\(value)", "/\(value)",
          "/act/\(value)",
        ]
          + Self.actions.flatMap { action in
            Self.fields.map { "/act/\(action)?\($0)=\(value)" }
          }
      }
      let failures = try await site.failures(targets)
      print("asked \(targets.count) times for pages")
      #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(10).joined(separator: "\n"))")
    }

    @Test func `every page of gymrats takes every number, and so does every form`() async throws {
      try await TestSchema.with { schema in
        try await seed(schema)
        let site = try await Site(schema.gymrats)
        defer { site.program.signal(SIGKILL) }
        try await expectPages(of: site, ["weeks", "boards", "members", "notifications"])
        let form = try await site.client.get("/act/retry?run=901").body
        let token = String(try #require(form.firstMatch(of: /name="csrf" value="([0-9a-f]+)"/)).1)
        let usual = "&run=902&job=retention&schedule=close-week"
        var failures: [String] = []
        for value in Self.values {
          for form in [
            "retry\u{0}run=\(value)", "cancel\u{0}run=\(value)", "payload\u{0}run=\(value)",
            "discard\u{0}run=\(value)",
            "backfill\u{0}schedule=close-week&from=\(value)&to=2024-01-02T00:00",
            "backfill\u{0}schedule=close-week&from=2024-01-01T00:00&to=\(value)",
            "backfill\u{0}schedule=close-week&from=\(value)&to=\(value)&sure=1",
            "retry-dead\u{0}group=\(value)\(usual)", "run\u{0}key=\(value)\(usual)",
            "pause-schedule\u{0}schedule=\(value)",
          ] {
            let parts = form.split(separator: "\u{0}")
            let answer = try await site.post(
              "/act/\(parts[0])", "\(parts[1])&csrf=\(token)",
              type: "application/x-www-form-urlencoded")
            if !(200..<500).contains(answer.status) {
              failures.append("\(form): \(answer.status) \(answer.body.prefix(200))")
            }
          }
        }
        #expect(
          failures.isEmpty, "\(failures.count): \(failures.prefix(10).joined(separator: "\n"))")
        try await site.expectAlive()
      }
    }

    @Test func `every page of whosthere takes every number`() async throws {
      try await OwnDatabase.with { address, _ in
        let whosthere = BatonProgram(
          executable: try BatonProgram.path(of: "whosthere"),
          environment: ["DATABASE_URL": address])
        try await whosthere.succeed("migrate")
        let site = try await Site(whosthere)
        defer { site.program.signal(SIGKILL) }
        try await expectPages(of: site, ["groups", "presence"])
        try await site.expectAlive()
      }
    }
  }
#endif

#if HTTP
  import Foundation
  import BatonPostgres
  import TestSupport
  import Testing

  /// Tests extreme numbers in every parameter of the API and the pages of real processes: no
  /// request causes a server error, and none ends the process.
  @Suite(.timeLimit(.minutes(10)))
  struct ExtremeNumberTests {
    private static let values = RequestExtremes.values
    private static let states = ["", "ready", "delayed", "running", "dead", "ended"]

    /// A process that responds.
    private struct Site {
      let program: TestProcess
      let client: HTTPClient
      let formToken: String

      init(_ gymrats: BatonProgram) async throws {
        let program = try gymrats.start(["serve", "--http", "127.0.0.1:0"])
        self.program = program
        client = try await program.httpClient()
        // Without the token, a request is refused before its fields are parsed.
        let form = try await client.get("/act/retry?run=901").body
        formToken = String(try #require(form.firstMatch(of: /name="csrf" value="([0-9a-f]+)"/)).1)
      }

      /// Returns the response, and repeats the request if the server was late, as can happen on a
      /// busy machine.
      private func patient(
        _ ask: () async throws -> HTTPClient.Answer
      ) async throws -> HTTPClient.Answer {
        for _ in 0..<4 {
          let answer = try await ask()
          guard answer.status == 503, answer.body.contains("in time") else { return answer }
        }
        return try await ask()
      }

      /// Requests each of the addresses, a few at a time.
      ///
      /// - Returns: the requests with a server error or without a response.
      func failures(_ all: [String]) async throws -> [String] {
        let targets = Randomness.sample(25, of: all)
        return try await withThrowingTaskGroup(of: [String].self) { group in
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
              + "X-CSRF-Token: \(formToken)\r\n"
              + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
      }

      /// Expects that the process is alive and responds correctly.
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

    private typealias Description = RequestExtremes.Description

    /// The usual value of a parameter while another parameter is tested.
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

    /// Returns every GET with each value in each parameter, and a cursor with each state.
    private static func reads(_ description: Description) -> [String] {
      description.paths.flatMap { path, operations in
        (operations["get"]?.parameters ?? []).flatMap { parameter in
          values.flatMap { value -> [String] in
            guard parameter.in == "query" else { return [self.path(path, parameter.name, value)] }
            let begin = "\(self.path(path))?\(parameter.name)=\(value)"
            let all = "\(self.path(path))?\(RequestExtremes.many(parameter.name))"
            guard parameter.name == "before" else { return [begin, all] }
            return states.map { $0.isEmpty ? begin : "\(begin)&state=\($0)" }
              + [
                "\(begin)&state=running&job=recompute-ranks", "\(begin)&state=ended&job=retention",
              ]
          }
        }
      }
    }

    /// Returns a body with one tested value, and usual values in the other properties.
    private static func body(
      _ operation: Description.Operation, _ name: String, _ value: String
    ) -> String {
      let properties = operation.requestBody?.properties ?? [:]
      let pairs = properties.keys.sorted().map { own in
        let isText = properties[own]?.type == "string"
        let usual = isText ? "\"\(Self.usual[own] ?? "x")\"" : Self.usual[own] ?? "1"
        return "\"\(own)\":\(own == name ? value : usual)"
      }
      return "{\(pairs.joined(separator: ","))}"
    }

    private static func json(_ text: String) throws -> String {
      String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    /// Returns bodies with each value in each property, as a text and, if possible, as a number.
    private static func bodies(_ operation: Description.Operation) throws -> [String] {
      var bodies: [String] = []
      for name in (operation.requestBody?.properties ?? [:]).keys.sorted() {
        for value in values.map({ $0.removingPercentEncoding ?? $0 }) {
          bodies.append(body(operation, name, try json(value)))
          if Double(value) != nil { bodies.append(body(operation, name, value)) }
        }
        for value in RequestExtremes.json { bodies.append(body(operation, name, value)) }
      }
      return bodies
    }

    /// A request with a value at a bound of the description, or with a value outside it.
    private struct AtBound {
      let target, body: String
      let isAllowed: Bool
    }

    private static func bounds(
      _ path: String, _ operation: Description.Operation
    ) throws -> [AtBound] {
      var asked: [AtBound] = []
      let plain = operation.requestBody == nil ? "" : body(operation, "", "")
      for parameter in operation.parameters {
        for (value, isAllowed) in parameter.schema.tried {
          let target =
            parameter.in == "path"
            ? self.path(path, parameter.name, value)
            : "\(self.path(path))?\(parameter.name)=\(value)"
          asked.append(AtBound(target: target, body: plain, isAllowed: isAllowed))
        }
      }
      for (name, schema) in operation.requestBody?.properties ?? [:] {
        for (value, isAllowed) in schema.tried {
          let text = schema.type == "string" ? try json(value) : value
          asked.append(
            AtBound(
              target: self.path(path), body: body(operation, name, text), isAllowed: isAllowed))
        }
      }
      return asked
    }

    @Test(.sampled()) func `every parameter of the API takes every number`() async throws {
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
          let inBody = try Self.bodies(operation).map { (Self.path(path), $0) }
          for (target, body) in Randomness.sample(5, of: inPath + inBody) {
            let answer = try await site.post(target, body, type: "application/json")
            writes += 1
            if !(200..<500).contains(answer.status) {
              failures.append(
                "POST \(target) \(body.prefix(200)): \(answer.status) \(answer.body.prefix(200))")
            }
          }
        }
        failures += try await Self.refusals(of: site, description)
        print("asked \(reads.count) times by GET and \(writes) times by POST")
        #expect(
          failures.isEmpty, "\(failures.count): \(failures.prefix(10).joined(separator: "\n"))")
        #expect(reads.count > 100 && writes > 20)
        try await site.expectAlive()
      }
    }

    /// Returns the requests that the API treats differently from its description.
    private static func refusals(of site: Site, _ description: Description) async throws -> [String]
    {
      var failures: [String] = []
      var count = 0
      for (path, operations) in description.paths.sorted(by: { $0.key < $1.key }) {
        for (method, operation) in operations {
          for asked in try bounds(path, operation) {
            let answer =
              method == "get"
              ? try await site.client.get(asked.target)
              : try await site.post(asked.target, asked.body, type: "application/json")
            count += 1
            if (answer.status != 400) != asked.isAllowed {
              failures.append("\(method) \(asked): \(answer.status) \(answer.body)")
            }
          }
        }
      }
      print("asked \(count) times at the bounds")
      #expect(count > 60)
      return failures
    }

    // MARK: Pages

    private static func reads(of page: String, _ names: [String]) -> [String] {
      values.flatMap { value -> [String] in
        var targets = names.flatMap { name in
          let target = "/\(page)?\(name)=\(value)"
          // Some parameters are only parsed together with others.
          return page == "runs" && name == "behind"
            ? states.map { "\(target)&state=\($0)&job=retention" }
              + states.map { "\(target)&state=\($0)" } : [target]
        }
        if page == "runs" { targets.append("/runs/\(value)?job=retention&key=k") }
        return page.isEmpty
          ? targets : targets + ["/\(page)/\(value)", "/\(page)/\(value)/\(value)"]
      } + names.map { "/\(page)?\(RequestExtremes.many($0))" }
    }

    /// Returns the pages that the menu links to.
    private func menu(_ site: Site) async throws -> Set<String> {
      let page = try await site.client.get("/").body
      let nav = try #require(page.firstMatch(of: /(?s)<nav.*?<\/nav>/))
      return Set(nav.output.matches(of: /href="\/([a-z]*)"/).map { String($0.1) })
    }

    private func expectPages(of site: Site, _ products: Set<String>) async throws {
      let menu = try await menu(site)
      #expect(menu.isSuperset(of: products), "\(menu)")
      let names = try RequestExtremes.parameters()
      let (actions, fields) = try RequestExtremes.actions()
      var targets = menu.sorted().flatMap { Self.reads(of: $0, names) }
      targets += Self.values.flatMap { value in
        [
          "/login?next=\(value)", "/events/\(value)", "/assets/\(value)", "/\(value)",
          "/act/\(value)",
        ]
          + actions.flatMap { action in
            fields.map { "/act/\(action)?\($0)=\(value)" }
          }
      }
      let failures = try await site.failures(targets)
      print("asked \(targets.count) times for pages")
      #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(10).joined(separator: "\n"))")
    }

    /// Returns a form with one tested value, and usual values in the other fields.
    private static func form(_ fields: [String], _ name: String, _ value: String) -> String {
      let usual = [
        "run": "902", "job": "retention", "key": "k", "schedule": "close-week",
        "from": "2024-01-01T00:00", "to": "2024-01-02T00:00",
      ]
      return fields.compactMap { field in
        field == name ? "\(field)=\(value)" : usual[field].map { "\(field)=\($0)" }
      }.joined(separator: "&")
    }

    @Test(.sampled())
    func `every page of gymrats takes every number, and so does every form`() async throws {
      try await TestSchema.with { schema in
        try await seed(schema)
        let site = try await Site(schema.gymrats)
        defer { site.program.signal(SIGKILL) }
        try await expectPages(of: site, ["weeks", "boards", "members", "notifications"])
        let (actions, fields) = try RequestExtremes.actions()
        var failures: [String] = []
        for action in actions {
          for field in fields {
            for value in Randomness.sample(1, of: Self.values) {
              let form = Self.form(fields, field, value) + "&csrf=\(site.formToken)"
              let answer = try await site.post(
                "/act/\(action)", form, type: "application/x-www-form-urlencoded")
              if !(200..<500).contains(answer.status) {
                failures.append("\(action) \(form.prefix(200)): \(answer.status)")
              }
            }
          }
        }
        #expect(
          failures.isEmpty, "\(failures.count): \(failures.prefix(10).joined(separator: "\n"))")
        try await site.expectAlive()
      }
    }

    @Test(.sampled()) func `figures of a product that are not numbers are omitted`() async throws {
      try await TestSchema.with { schema in
        try await schema.sql(
          """
          create or replace view challenges_gauges as
          select v.name, 'A figure.'::text as help, v.value, v.most, ''::text as next
          from (values ('odd_nan', 'NaN'::double precision, null::double precision),
            ('odd_infinite', '-infinity', null), ('odd_limit', 1, 'infinity'), ('usual', 1, 2))
            v (name, value, most)
          """)
        #expect(try await schema.gymrats.start(["status", "--json"]).wait().status < 3)
        let site = try await Site(schema.gymrats)
        defer { site.program.signal(SIGKILL) }
        for target in ["/api/status", "/metrics", "/"] {
          let answer = try await site.client.get(target)
          #expect(answer.status == 200 && !answer.body.contains("odd_"), "\(target)")
        }
        #expect(try await site.client.get("/metrics").body.contains("baton_usual 1"))
        try await site.expectAlive()
      }
    }

    @Test(.sampled()) func `every page of whosthere takes every number`() async throws {
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

#if HTTP
  import Foundation
  import BatonPostgres
  import TestSupport
  import Testing

  /// Tests the pages of a real process without a browser: their contents, their access, and the
  /// effects of their forms.
  @Suite(.timeLimit(.minutes(5)))
  struct PagesTests {
    private static let evil = "<script>alert(1)</script>"
    /// The line of a user with the password `correct horse`.
    ///
    /// The hash costs a hundredth of one from `hash-password`. Such a hash takes seconds in a debug
    /// build on a busy machine, and the server closes a connection after ten seconds.
    private static let anna =
      "anna:$scrypt$ln=10,r=8,p=1$c2FsdCBvZiBhIHRlc3Q$"
      + "kUvA+cEbH0Z3k4KetQJst9lSVmPBO1M/piaqRD2HjEw"

    /// A process that responds, and a client with this cookie.
    private struct Site {
      let program: TestProcess
      let client: HTTPClient
      var cookie = ""

      init(_ gymrats: BatonProgram, _ arguments: String...) async throws {
        let program = try gymrats.start(["serve", "--http", "127.0.0.1:0"] + arguments)
        self.program = program
        client = try await program.httpClient()
      }

      func get(_ path: String) async throws -> HTTPClient.Answer {
        try await client.get(path, ["Cookie: \(cookie)"])
      }

      func post(
        _ path: String, _ form: String, _ fields: [String] = []
      ) async throws -> HTTPClient.Answer {
        let lines =
          [
            "POST \(path) HTTP/1.1", "Host: localhost", "Cookie: \(cookie)",
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Length: \(form.utf8.count)",
          ] + fields
        return try await client.ask(lines.map { $0 + "\r\n" }.joined() + "\r\n" + form)
      }

      /// Returns the token in the forms of a page.
      func token(_ path: String) async throws -> String {
        let page = try await get(path).body
        return String(try #require(page.firstMatch(of: /name="csrf" value="([0-9a-f]+)"/)).1)
      }
    }

    private func seed(_ schema: TestSchema) async throws {
      try await schema.sql(
        """
        insert into dead_run (id, job, key, attempt, error, payload)
        values (901, 'recompute-ranks', '\(Self.evil)', 3, '\(Self.evil) of a.b@example.org',
          '{"to": "\(Self.evil) of a.b@example.org"}')
        """)
    }

    private static let pages = [
      "/", "/jobs", "/jobs/recompute-ranks", "/runs", "/runs?state=dead", "/runs/901", "/dead",
      "/schedules", "/schedules/close-week", "/workers", "/database", "/weeks", "/boards",
      "/boards/g", "/members/g", "/notifications/u1",
    ]

    @Test(.sampled())
    func `every page is read, holds what it should as text, and asks nobody else`()
      async throws
    {
      try await TestSchema.with { schema in
        let people = People(schema)
        try await people.join("u1", group: "g")
        #expect(try await people.record("u1", "w1") == "accepted")
        try await schema.gymrats.succeed("worker", "--until-idle")
        try await seed(schema)
        let site = try await Site(schema.gymrats)
        defer { site.program.signal(SIGKILL) }
        for path in Self.pages {
          let page = try await site.get(path)
          #expect(page.status == 200, "\(path)")
          #expect(!page.body.contains("Not seen"), "\(path)")
          #expect(!page.body.contains("<script>") && !page.body.contains("style="), "\(path)")
          #expect(!page.body.contains("a.b@example.org"), "\(path)")
          #expect(page.body.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
          #expect(page.fields["cache-control"] == "no-store")
          let policy = try #require(page.fields["content-security-policy"])
          #expect(policy.hasPrefix("default-src 'none'; style-src 'self'; script-src 'self';"))
          #expect(!policy.contains("unsafe") && !policy.contains("*"))
          // Each loaded resource is an existing file of the server.
          for match in page.body.matches(of: /(?:src|href|action)="([^"]*)"/) {
            #expect(match.1.hasPrefix("/") && !match.1.hasPrefix("//") || match.1 == "#main")
          }
        }
        // The finding about the dead run links to the page with its buttons.
        #expect(
          try await site.get("/").body.contains(#"<a href="/dead">open the page Dead letters</a>"#))
        #expect(try await site.get("/runs?state=dead").body.contains("&lt;script&gt;alert(1)"))
        #expect(try await site.get("/runs/901").body.contains("of [address]"))
        #expect(
          try await site.get("/boards/g").body.contains(#"data-feed="boards" data-topic="g""#))
        for path in ["/nothing", "/jobs/nothing", "/runs/1", "/runs/x", "/schedules/no/thing"] {
          #expect(try await site.get(path).status == 404, "\(path)")
        }
        #expect(try await site.get("/runs?key=%ff").status == 400)
        let style = try #require(
          try await site.get("/").body.firstMatch(of: /href="(\/assets\/baton-[0-9a-f]+\.css)"/))
        let sheet = try await site.get(String(style.1))
        #expect(sheet.status == 200 && sheet.fields["content-type"] == "text/css; charset=utf-8")
      }
    }

    @Test(.sampled()) func `the page of a long run has a bar with the progress of its last step`()
      async throws
    {
      try await TestSchema.with { schema in
        for (id, done, total) in [(903, 3, 10), (904, 12, 10), (905, 7, 0)] {
          try await schema.sql(
            """
            insert into run (id, job, key, state, first_event_at, last_event_at, due, attempt, token,
              worker, has_checkpoint)
            values (\(id), 'retention', 'long-\(id)', 'running', now(), now(), now(), 1,
              gen_random_uuid(), gen_random_uuid(), true)
            """)
          try await schema.sql(
            """
            insert into run_checkpoint (run_id, job, key, done, total)
            values (\(id), 'retention', 'long-\(id)', \(done), \(total))
            """)
        }
        let site = try await Site(schema.gymrats)
        defer { site.program.signal(SIGKILL) }
        func page(_ id: Int) async throws -> String {
          let answer = try await site.get("/runs/\(id)")
          #expect(answer.status == 200)
          return answer.body
        }
        let running = try await page(903)
        #expect(running.contains(#"<progress value="3" max="10"></progress>"#))
        #expect(running.contains("3 of 10"))
        // A bar is never longer than its total. Without a total, the page has only the text.
        let over = try await page(904)
        #expect(over.contains(#"<progress value="10" max="10">"#) && over.contains("12 of 10"))
        let unknown = try await page(905)
        #expect(!unknown.contains("<progress") && unknown.contains("7 of 0"))
        // A later step moves the bar.
        try await schema.sql("update run_checkpoint set done = 4 where run_id = 903")
        let later = try await page(903)
        #expect(
          later.contains(#"<progress value="4" max="10">"#) && !later.contains("Stored steps"))
        // The page of an effect lists the stored steps.
        try await schema.sql(
          "insert into run_step (run_id, name, result) values (905, 'charge', '1'), (905, 'mail', '2')"
        )
        let effect = try await page(905)
        #expect(effect.contains("Stored steps") && effect.contains("charge, mail"))
      }
    }

    @Test(.sampled()) func `who signs in does what the forms say, and the audit has the name`()
      async throws
    {
      try await TestSchema.with { schema in
        try await seed(schema)
        let folder = try TemporaryFolder()
        let line = try await schema.gymrats.run(
          bash: #"echo 'correct horse' | "$0" "$@""#, ["hash-password", "ben"])
        let passwords = try folder.write("passwords", lines: [Self.anna, line.output])
        try #require(chmod(passwords, 0o600) == 0)
        var gymrats = schema.gymrats
        gymrats.environment["BATON_HTTP_PASSWORD_FILE"] = passwords
        try await gymrats.succeed("worker", "--until-idle")
        var site = try await Site(gymrats)
        defer { site.program.signal(SIGKILL) }
        let sent = try await site.get("/dead")
        #expect(sent.status == 303 && sent.fields["location"] == "/login?next=%2Fdead")
        #expect(try await site.post("/login", "name=anna&password=wrong").status == 403)
        let origin = "Origin: https://localhost"
        #expect(
          try await site.post(
            "/login", "name=anna&password=correct+horse", ["Sec-Fetch-Site: cross-site"]
          ).status == 403)
        let began = try await site.post(
          "/login", "name=anna&password=correct+horse&next=%2Fdead", [origin])
        #expect(began.status == 303 && began.fields["location"] == "/dead")
        let cookie = try #require(began.fields["set-cookie"])
        for word in ["; Path=/", "; HttpOnly", "; SameSite=Strict", "; Secure"] {
          #expect(cookie.contains(word), "\(word)")
        }
        site.cookie = String(cookie.prefix { $0 != ";" })
        let dead = try await site.get("/dead").body
        #expect(dead.contains("1 run is dead."))

        let asked = "/act/retry?run=901"
        #expect(try await site.get(asked).body.contains("Retry run 901?"))
        #expect(try await site.post("/act/retry", "run=901").status == 403)
        #expect(try await schema.sql("select count(*) from dead_run") == ["1"])
        let token = try await site.token(asked)
        let done = try await site.post("/act/retry", "run=901&csrf=\(token)")
        #expect(done.status == 303)
        let behind = try #require(done.fields["location"])
        #expect(behind.hasPrefix("/runs/901?said="))
        #expect(try await site.get(behind).body.contains("Run 901 is ready again."))
        // The message is displayed once.
        #expect(try await !site.get(behind).body.contains("Run 901 is ready again."))
        #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
        let again = try await site.post("/act/retry", "run=901&csrf=\(token)")
        #expect(again.status == 409 && again.body.contains("Run 901 is ready, and not dead."))
        let audit = try await schema.sql("select row_to_json(a)::text from audit a")
        #expect(audit.contains { $0.contains("runs retry") && $0.contains("http:anna") })

        // The page with the payload of a dead run has a form with the payload.
        try await schema.sql("delete from run")
        try await schema.sql(
          """
          insert into dead_run (id, job, key, attempt, error, payload, earlier_ids)
          values (902, 'recompute-ranks', '00000000-0000-0000-0000-000000000009', 1, 'x',
            '{"n": "<1>"}', '{17}')
          """)
        let page = try await site.post("/act/payload", "run=17&csrf=\(token)").body
        #expect(page.contains("<textarea") && page.contains("&quot;&lt;1&gt;&quot;"))
        #expect(page.contains(#"<input type="hidden" name="run" value="902">"#))
        let edited = try await site.post(
          "/act/retry-edited", "run=902&payload=%7B%22n%22%3A+%222%22%7D&csrf=\(token)")
        #expect(edited.status == 303)
        #expect(
          try await schema.sql("select payload ->> 'n', earlier_ids from run") == ["2,\"{17,902}\""]
        )
        let gone = try await site.post(
          "/act/retry-edited", "run=902&payload=%7B%7D&csrf=\(token)")
        #expect(gone.status == 409 && gone.body.contains("Run 902 was retried or merged as run "))
        #expect(try await site.post("/act/retry-edited", "run=902&csrf=\(token)").status == 400)

        #expect(try await site.post("/logout", "csrf=\(token)").status == 303)
        #expect(try await site.get("/dead").status == 303)
        let failed = site.program.errorsSoFar.split(separator: "\n").filter {
          $0.contains("a sign-in failed") && $0.contains("from=127.0.0.1 user=anna")
        }
        #expect(failed.count == 1, "\(site.program.errorsSoFar)")
      }
    }

    @Test(.sampled())
    func `a payload is shown to who asks with a form of ours, as text, and that is noted`()
      async throws
    {
      try await TestSchema.with { schema in
        try await schema.gymrats.succeed("worker", "--until-idle")
        try await seed(schema)
        let site = try await Site(schema.gymrats)
        defer { site.program.signal(SIGKILL) }
        let page = try await site.get("/runs/901").body
        #expect(page.contains(#"href="/act/payload?run=901">Show payload</a>"#))
        #expect(page.contains("present, not shown") && !page.contains("&quot;to&quot;"))
        let asked = try await site.get("/act/payload?run=901").body
        #expect(
          asked.contains("The audit log records this request.") && !asked.contains("&quot;to&quot;")
        )
        #expect(try await site.post("/act/payload", "run=901").status == 403)
        let noted = "select count(*) from audit where action = 'runs payload'"
        #expect(try await schema.sql(noted) == ["0"])
        let token = try await site.token("/act/payload?run=901")
        let shown = try await site.post("/act/payload", "run=901&csrf=\(token)")
        #expect(shown.status == 200 && shown.fields["cache-control"] == "no-store")
        #expect(shown.body.contains("&lt;script&gt;alert(1)&lt;/script&gt; of a.b@example.org"))
        #expect(shown.body.contains("The audit log records") && !shown.body.contains("<script>"))
        #expect(try await schema.sql(noted) == ["1"])
        #expect(try await site.get("/runs/901").body.contains("<strong>runs payload</strong>"))
        #expect(shown.body.contains(#"action="/act/retry-edited""#))
        // The encoded payload is three times as long, so a form with it would be refused.
        try await schema.sql(
          """
          insert into dead_run (id, job, key, attempt, error, payload)
          values (902, 'recompute-ranks', 'long', 3, 'full', jsonb_build_object('to', repeat('ä', 15000)))
          """)
        let long = try await site.post("/act/payload", "run=902&csrf=\(token)")
        #expect(long.status == 200 && !long.body.contains("/act/retry-edited"))
        #expect(long.body.contains("`gymrats runs retry 902 --payload JSON`"))
      }
    }

    @Test func `the page of a run with a redacted key offers no dry run`() async throws {
      try await TestSchema.with { schema in
        // Lists contain the runs of registered jobs.
        try await schema.gymrats.succeed("worker", "--until-idle")
        let keys = [(906, "order-7"), (907, "mail/a.b@example.org"), (908, "password=secret7")]
        for (id, key) in keys {
          try await schema.sql(
            """
            insert into run (id, job, key, state, first_event_at, last_event_at, due)
            values (\(id), 'retention', '\(key)', 'ready', now(), now(), now())
            """)
        }
        let site = try await Site(schema.gymrats)
        defer { site.program.signal(SIGKILL) }
        let plain = try await site.get("/runs/906").body
        #expect(plain.contains("/act/cancel?run=906"))
        #expect(plain.contains("/act/dry-run?") && plain.contains("key=order-7"))
        for (id, marker) in [(907, "mail/[address]"), (908, "[password]")] {
          let page = try await site.get("/runs/\(id)").body
          #expect(page.contains("/act/cancel?run=\(id)") && page.contains(marker))
          #expect(!page.contains("/act/dry-run"))
        }
        // A link with a redacted key would not find the run.
        let list = try await site.get("/runs?state=ready").body
        #expect(list.contains("/runs/906?job=retention&amp;key=order-7"))
        #expect(list.contains(#"href="/runs/907""#) && list.contains(#"href="/runs/908""#))
      }
    }

    @Test(.sampled()) func `read-only, whoever asks, nothing is offered and nothing is done`()
      async throws
    {
      try await TestSchema.with { schema in
        try await schema.gymrats.succeed("worker", "--until-idle")
        try await seed(schema)
        let site = try await Site(schema.gymrats, "--http-read-only")
        defer { site.program.signal(SIGKILL) }
        let page = try await site.get("/jobs/recompute-ranks").body
        #expect(page.contains("read-only") && !page.contains("/act/"))
        #expect(try await !site.get("/runs/901").body.contains("/act/"))
        #expect(try await site.get("/act/payload?run=901").status == 403)
        #expect(try await site.post("/act/payload", "run=901").status == 403)
        #expect(try await site.get("/act/pause?job=recompute-ranks").status == 403)
        #expect(try await site.post("/act/pause", "job=recompute-ranks").status == 403)
        #expect(
          try await schema.sql(
            "select count(*) from audit where action in ('jobs pause', 'runs payload')") == ["0"])
      }
    }
  }
#endif

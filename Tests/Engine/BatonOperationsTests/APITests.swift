import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import Baton
@testable import BatonOperations
@testable import JobRunner

/// The responses and actions of the API, on a real server.
@Suite(.timeLimit(.minutes(5))) struct APITests {
  private func dead(_ runs: Int, in place: TallyServer) async throws {
    try await place.test.sql(
      """
      insert into dead_run (id, job, key, attempt, error)
      select 1000 + n, 'tally', 'k' || n, 1, case when n % 2 = 0 then 'full' else 'gone ' || n end
      from generate_series(1, \(runs)) n
      """)
  }

  @Test func `actions and dry runs wait at most 10 s for a result`() async throws {
    try await TallyServer.with { place in
      let subject = TallyServer.subject(place.test)
      #expect(subject.actions.longestAnswer == .seconds(10))
      #expect(subject.dryRuns.longestAnswer == .seconds(10))
      #expect(subject.configuration.statementTimeout == .seconds(2))
    }
  }

  @Test(.sampled()) func `a dead run is retried, worked, and its life is told`() async throws {
    try await TallyServer.with { place in
      try await dead(3, in: place)
      let list: RunList = try await place.get("/api/runs?state=dead&job=tally").decoded()
      #expect(list.runs.map(\.id) == [1_003, 1_002, 1_001] && list.next == nil)
      let result: ActionResult = try await place.post("/api/runs/1002/retry").decoded()
      #expect(result.text == "Run 1002 is ready again." && result.run == 1_002)
      try await place.drain()
      let life: RunLife = try await place.get("/api/runs/1002?job=tally&key=k2").decoded()
      #expect(life.state == "done" && life.attempts.map(\.outcome) == ["done"])
      #expect(life.actions.map(\.by) == ["http:ann"])
      #expect(try await place.test.sql("select key from tally") == ["k2"])
      #expect(await place.post("/api/runs/1002/retry").status == 404)
      #expect(await place.post("/api/runs/1002/cancel").status == 409)
      let discarded: ActionResult = try await place.post("/api/runs/1001/discard").decoded()
      let cancelled: ActionResult = try await place.post("/api/runs/1003/cancel").decoded()
      #expect(discarded.count == 1 && cancelled.text == "Run 1003 is cancelled.")
      #expect(try await place.test.sql("select count(*) from dead_run") == ["0"])
      let audit = try await place.test.sql(
        """
        select replace(action, ' ', '-') || '/' || os_user || '/' || (subject->>'run')
        from audit order by number
        """)
      #expect(
        audit == [
          "runs-retry/http:ann/1002", "runs-discard/http:ann/1001", "runs-cancel/http:ann/1003",
        ])
    }
  }

  @Test func `a dead run is retried with another payload, and each id finds the new run`()
    async throws
  {
    try await TallyServer.with { place in
      try await dead(2, in: place)
      let body = #"{"payload": "{\"tallied\": \"twice\"}"}"#
      let result: ActionResult = try await place.post("/api/runs/1002/retry", body).decoded()
      let id = try #require(result.run)
      #expect(result.text == "Run 1002 is ready again as run \(id), with the new payload.")
      #expect(
        try await place.test.sql("select id, payload ->> 'tallied', earlier_ids from run")
          == ["\(id),twice,{1002}"])
      let life: RunLife = try await place.get("/api/runs/1002").decoded()
      #expect(
        life.id == id && life.state == "ready" && life.actions.map(\.action) == ["runs retry"])
      #expect(await place.post("/api/runs/1002/retry", body).status == 404)
      // A product's audit rows can have any subject.
      for run in [#""morning-5k""#, "1.5", "{}", "null", "1002.0"] {
        try await place.test.sql("select record_audit('race edit', '{\"run\": \(run)}')")
      }
      let later: RunLife = try await place.get("/api/runs/1002").decoded()
      #expect(later.actions.map(\.action) == ["runs retry"])
      for body in [#"{"payload": ""}"#, #"{"payload": {"n": 1}}"#, #"{"payload": 1}"#] {
        #expect(await place.post("/api/runs/1001/retry", body).status == 400, "\(body)")
      }
      #expect(await place.post("/api/runs/1001/retry", #"{"payload": "{"}"#).status == 409)
      #expect(try await place.test.sql("select count(*) from dead_run") == ["1"])
    }
  }

  @Test(.sampled())
  func `a payload is told whole to who asks for it, and the audit has each asking`()
    async throws
  {
    try await TallyServer.with { place in
      try await place.test.sql(
        """
        insert into dead_run (id, job, key, attempt, error, payload, earlier_ids)
        values (1001, 'tally', 'k', 1, 'full', '{"mail": "a.b@example.org"}', '{17}'),
          (1002, 'tally', 'l', 1, 'full', null, null)
        """)
      let shown: ActionResult = try await place.post("/api/runs/17/payload").decoded()
      #expect(shown.payloads == ["{\n    \"mail\": \"a.b@example.org\"\n}"])
      #expect(shown.run == 1_001 && shown.count == 1)
      #expect(shown.text.hasPrefix("Run 1001 has 1 payload."))
      // If no payload is displayed, no row is added to the audit log.
      let none: ActionResult = try await place.post("/api/runs/1002/payload").decoded()
      #expect(none.text == "Run 1002 has no payload." && none.payloads == [])
      #expect(await place.post("/api/runs/4711/payload").status == 404)
      #expect(await place.get("/api/runs/1001/payload").status == 405)
      let asked: ActionResult = try await place.post("/api/jobs/tally/run", #"{"key":"q"}"#)
        .decoded()
      let early = await place.post("/api/runs/\(asked.run ?? 0)/payload")
      #expect(
        early.status == 409 && early.complaint?.error.hasSuffix("not dispatched yet.") == true)
      try await place.drain()
      let late = await place.post("/api/runs/\(asked.run ?? 0)/payload")
      #expect(late.status == 409 && late.complaint?.error.hasSuffix("already ended: done.") == true)
      let audit = try await place.test.sql(
        """
        select concat_ws('/', replace(action, ' ', '-'), os_user, subject->>'run', subject->>'key')
        from audit where action = 'runs payload'
        """)
      #expect(audit == ["runs-payload/http:ann/1001/k"])
      #expect(try await place.test.sql("select from audit where audit::text ~ 'example'") == [])
    }
  }

  @Test func `dead runs of a group are settled so many a call`() async throws {
    try await TallyServer.with { place in
      try await dead(20, in: place)
      let groups: DeadGroups = try await place.get("/api/dead").decoded()
      #expect(Set(groups.groups.map(\.error)) == ["full", "gone #"])
      let gone = try #require(groups.groups.first { $0.error == "gone #" })
      let first: ActionResult = try await place.post(
        "/api/dead/retry", #"{"job":"tally","group":"\#(gone.id)","limit":6}"#
      ).decoded()
      #expect(first.count == 6 && first.left == 4)
      #expect(first.text == "6 dead runs became 6 ready runs; 4 left.")
      let rest: ActionResult = try await place.post("/api/dead/discard", #"{"job":"tally"}"#)
        .decoded()
      #expect(rest.count == 14 && rest.left == 0)
    }
  }

  @Test func `an error of the database is described in our words, with its code`() async throws {
    try await TallyServer.with { place in
      try await place.test.sql(
        "alter table tally add constraint hidden_rule check (key <> 'ann@example.org')")
      let broken = await place.post("/api/jobs/tally/dry-run", #"{"key":"ann@example.org"}"#)
      #expect(broken.complaint?.error == "The database refused the statement [23514].")
      #expect(broken.status == 422)
      try await place.test.sql("alter table audit rename to hidden_audit")
      let missing = await place.post("/api/jobs/tally/pause")
      #expect(missing.complaint?.error == "The database refused the statement [42704].")
      for response in [broken, missing] {
        for word in ["hidden", "violates", "relation", "audit\"", "ann@"] {
          #expect(!response.body.contains(word), "\(response.body)")
        }
      }
    }
  }

  @Test(.sampled()) func `a job is tried without a trace, asked for, paused and resumed`()
    async throws
  {
    try await TallyServer.with { place in
      let tried: ActionResult = try await place.post(
        "/api/jobs/tally/dry-run", #"{"key":"k"}"#
      ).decoded()
      #expect(tried.count == 1 && tried.changes?.map(\.table) == ["tally"])
      #expect(tried.changes?.first?.inserted == 1)
      #expect(try await place.test.sql("select count(*) from tally") == ["0"])
      #expect(try await place.test.sql("select count(*) from audit") == ["0"])
      // The dry run fails with the same error as the job.
      let bad = await place.post("/api/jobs/tally/dry-run", #"{"key":"bad"}"#)
      #expect(bad.status == 422 && bad.complaint?.error.contains("cannot be counted") == true)
      let asked: ActionResult = try await place.post("/api/jobs/tally/run", #"{"key":"k"}"#)
        .decoded()
      try await place.drain()
      let life: RunLife = try await place.get("/api/runs/\(asked.run ?? 0)").decoded()
      #expect(life.state == "done" && life.key == "k")
      // A request without a key gets the key of the job's only schedule.
      let shared: ActionResult = try await place.post("/api/jobs/tally/run").decoded()
      _ = try await place.queue.foldAtOnce()
      let waits: RunLife = try await place.get("/api/runs/\(shared.run ?? 0)").decoded()
      #expect(waits.key == "scheduled" && waits.state == "ready")
      let paused: ActionResult = try await place.post("/api/jobs/tally/pause").decoded()
      #expect(paused.text.hasPrefix("tally is paused"))
      let job: API.Job = try await place.get("/api/jobs/tally").decoded()
      #expect(job.job.pausedSince != nil && job.job.durations?.runs == 1)
      #expect(job.job.code.attempts == 1 && job.job.code.batch == 100)
      #expect(await place.post("/api/jobs/tally/resume").status == 200)
      let after: API.Job = try await place.get("/api/jobs/tally").decoded()
      #expect(after.job.pausedSince == nil)
      for path in ["/api/jobs/nobody", "/api/jobs/nobody/"] {
        #expect(await place.get(path).status == 404)
      }
      for action in ["run", "dry-run", "pause", "resume"] {
        #expect(await place.post("/api/jobs/nobody/\(action)").status == 404, "\(action)")
      }
    }
  }

  @Test func `a dry run of a retired job executes the job's due runs`() async throws {
    try await TallyServer.with { place in
      _ = try await place.queue.retire("tally")
      let nothing: ActionResult = try await place.post("/api/jobs/tally/dry-run").decoded()
      #expect(nothing.text == "tally: nothing to do.")
      try await place.test.sql(
        """
        insert into run (job, key, state, first_event_at, last_event_at, due)
        values ('tally', 'waiting', 'ready', now(), now(), now())
        """)
      let tried: ActionResult = try await place.post("/api/jobs/tally/dry-run").decoded()
      #expect(tried.count == 1 && tried.changes?.map(\.table) == ["tally"])
      #expect(try await place.test.sql("select count(*) from tally") == ["0"])
      let refused = await place.post("/api/jobs/tally/dry-run", #"{"key":"new"}"#)
      #expect(refused.complaint?.error == "The job tally is retired, so it gets no new runs.")
    }
  }

  @Test func `a run with an invalid key is refused like everywhere else`() async throws {
    try await TallyServer.with { place in
      for given in KeyCase.all {
        let body = String(decoding: try JSONEncoder().encode(["key": given.key]), as: UTF8.self)
        let answer = await place.post("/api/jobs/tally/run", body)
        #expect((answer.status == 200) == given.isValid, "\(given.name): \(answer.status)")
        guard !given.isValid else { continue }
        // The API counts characters, and the database counts bytes.
        #expect(
          answer.status == (given.key.count > 128 && given.key.count < 256 ? 409 : 400),
          "\(given.name)")
      }
      let valid = KeyCase.all.count { $0.isValid }
      #expect(try await place.test.sql("select count(*) from event") == ["\(valid)"])
    }
  }

  @Test(.sampled()) func `a schedule is paused, resumed and backfilled, with a dry run first`()
    async throws
  {
    try await TallyServer.with { place in
      let range = #""from":"2024-01-01T00:00:00Z","to":"2024-01-04T00:00:00Z""#
      let tried: ActionResult = try await place.post(
        "/api/schedules/tally/backfill", "{\(range),\"dryRun\":true}"
      ).decoded()
      let times = (1...3).map { "2024-01-0\($0)T03:00:00Z" }
      #expect(tried.occurrences == times && tried.text.hasSuffix("would be fired."))
      #expect(try await place.test.sql("select count(*) from occurrence") == ["0"])
      let fired: ActionResult = try await place.post(
        "/api/schedules/tally/backfill", "{\(range)}"
      ).decoded()
      #expect(fired.occurrences == times)
      let page: SchedulePage = try await place.get("/api/schedules/tally").decoded()
      #expect(
        page.next.count == 10
          && page.past.map(\.outcome) == Array(repeating: "backfilled", count: 3))
      #expect(await place.post("/api/schedules/tally/pause").status == 200)
      let paused: API.Schedules = try await place.get("/api/schedules").decoded()
      #expect(paused.schedules.first { $0.job == "tally" }?.pausedSince != nil)
      #expect(await place.post("/api/schedules/tally/resume").status == 200)
      // A range with too many occurrences, and a range whose end is before its start.
      let much = await place.post(
        "/api/schedules/tally/backfill",
        #"{"from":"1900-01-01T00:00:00Z","to":"2024-01-01T00:00:00Z"}"#)
      #expect(much.status == 409)
      let none: ActionResult = try await place.post(
        "/api/schedules/tally/backfill",
        #"{"from":"2024-01-01T00:00:00Z","to":"2023-01-01T00:00:00Z"}"#
      ).decoded()
      #expect(none.count == 0)
      let unknown = await place.post("/api/schedules/tally/weekly/pause")
      #expect(unknown.status == 404, "\(unknown.body)")
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "/api/runs?state=sleeping", "/api/runs?state=ready&state=dead", "/api/runs?limit=3",
      "/api/runs?before=x", "/api/runs?before=1-2-3-4", "/api/runs?group=0", "/api/runs?key=",
      "/api/runs?key=%00", "/api/runs?key=%C3", "/api/runs?key=%7F", "/api/runs/0", "/api/runs/x",
      "/api/runs/9223372036854775808", "/api/jobs/Tally", "/api/jobs/%2E%2E", "/api/dead?x=1",
    ])
  func `what is not as described is refused, with what to send instead`(target: String)
    async throws
  {
    let reader = API.routes.count
    #expect(reader > 20)
    try await TallyServer.with { place in
      let response = await place.get(target)
      #expect(response.status == 400)
      let complaint = try #require(response.complaint)
      #expect(!complaint.error.isEmpty && !complaint.where.isEmpty && !complaint.next.isEmpty)
    }
  }

  @Test func `bodies, methods and places that are none are refused`() async throws {
    try await TallyServer.with { place in
      for body in [
        "{", "[]", #"{"job":1}"#, #"{"job":"tally","limit":"3"}"#, #"{"job":"tally","limit":0}"#,
        #"{"job":"tally","limit":1.5}"#, #"{"job":"tally","x":1}"#, "{}", "",
        #"{"job":"tally","group":null}"#,
      ] {
        #expect(await place.post("/api/dead/retry", body).status == 400, "\(body)")
      }
      let form = "application/x-www-form-urlencoded"
      #expect(await place.post("/api/dead/retry", "job=tally", type: form).status == 415)
      var long = place.request("POST", "/api/dead/retry")
      long.isBodyTooLong = true
      #expect(await place.api.response(to: long, by: "ann").status == 413)
      let wrong = await place.get("/api/dead/retry")
      #expect(wrong.status == 405 && wrong.headers["allow"] == "POST")
      let put = await place.api.response(to: place.request("DELETE", "/api/runs/1"), by: "ann")
      #expect(put.status == 405 && put.headers["allow"] == "GET, HEAD")
      for path in ["/api/", "/api/x", "/api/runs/1/eat", "/api/runs/1/retry/2"] {
        #expect(await place.get(path).status == 404, "\(path)")
      }
      let audit = try await place.test.sql("select count(*) from audit")
      #expect(audit == ["0"])
    }
  }

  @Test func `where it is read-only everything is told and nothing is done`() async throws {
    try await TallyServer.with(isReadOnly: true) { place in
      try await dead(1, in: place)
      #expect(await place.get("/api/runs?state=dead").status == 200)
      for route in API.routes where route.method == "POST" {
        let path = route.path.replacing("{id}", with: "1001").replacing("{job}", with: "tally")
          .replacing("{name}", with: "n")
        let body =
          route.required.contains(.from)
          ? #"{"from":"2024-01-01T00:00:00Z","to":"2024-01-04T00:00:00Z","dryRun":true}"#
          : route.required.contains(.job) ? #"{"job":"tally"}"# : ""
        let response = await place.post(path, body)
        #expect(response.status == 403, "\(path): \(response.body)")
      }
      #expect(try await place.test.sql("select count(*) from dead_run") == ["1"])
    }
  }
}

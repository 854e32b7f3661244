import BatonPostgres
import Foundation
import JobRunner
import TestSupport
import Testing

@testable import BatonOperations

/// Compares the description of the API with real responses.
@Suite(.timeLimit(.minutes(5))) struct OpenAPITests {
  @Test func `every route is described, and every schema that is named is there`() throws {
    let shape = try JSONShape(OpenAPI.text)
    #expect(shape.document["openapi"] as? String == "3.1.0")
    let described = Set(
      shape.paths.flatMap { path, operations in
        operations.keys.map { "\($0.uppercased()) \(path)" }
      })
    let routes = Set(API.routes.map { "\($0.method) \($0.path)" })
    #expect(described == routes.union(["GET /api/status"]))
    #expect(routes.count == API.routes.count)
    let named = Set(OpenAPI.text.matches(of: /schemas\/([A-Za-z]+)/).map { String($0.1) })
    #expect(named.isSubset(of: shape.schemas.keys))
    #expect(Set(shape.schemas.keys).subtracting(named) == [])
  }

  /// Rows with a value in every column, so that every part of a schema is tested.
  private static let rows = """
    insert into run (id, job, key, state, first_event_at, last_event_at, due, last_error, payload, token, worker)
    values (1, 'tally', 'a', 'ready', now(), now(), now(), 'x', '{}', null, null),
      (2, 'tally', 'b', 'ready', now(), now(), now() + interval '1 h', null, null, null, null),
      (3, 'tally', 'c', 'running', now(), now(), now(), null, null, gen_random_uuid(), gen_random_uuid());
    insert into dead_run (id, job, key, attempt, error, earlier_ids) values (4, 'tally', 'd', 1, 'x', '{5, 6}');
    insert into failed_attempt (run_id, job, key, attempt, worker, began_at, ended_at, error, is_snooze)
    values (4, 'tally', 'd', 1, 'host:1', now(), now(), 'x', false),
      (4, 'tally', 'd', 2, 'host:1', now(), now(), 'later', true);
    insert into run_history (partition, created_at, id, job, key, attempt, outcome, started_at, duration_ms, report,
      worker, made_at, last_event_at)
    values (day_partition(now()), now(), 7, 'tally', 'e', 1, 'done', now(), 5, '{"rows": 3}', 'host:1', now(), now());
    insert into worker (id, name, is_direct, pid) values (gen_random_uuid(), 'host:1', false, 1);
    insert into occurrence (job, scheduled_at, fired_at, outcome) values ('tally', now(), now(), 'fired');
    insert into job_activity (job, last_ran_at, runs, batches) values ('tally', now(), 1, 1);
    insert into job_limit (job, concurrency, group_concurrency, group_field, start_interval, burst)
    values ('tally', 2, 1, 'f', '1 s', 3)
    on conflict (job) do update set concurrency = 2, group_concurrency = 1, group_field = 'f',
      start_interval = '1 s', burst = 3
    """

  @Test(.sampled()) func `real responses are as they are described`() async throws {
    let shape = try JSONShape(OpenAPI.text)
    try await TallyServer.with { place in
      for statement in Self.rows.split(separator: ";\n") {
        try await place.test.sql(String(statement))
      }
      let asked: [(path: String, target: String)] = [
        ("/api/jobs", "/api/jobs"), ("/api/jobs/{job}", "/api/jobs/tally"),
        ("/api/jobs/{job}", "/api/jobs/nobody"), ("/api/jobs/{job}", "/api/jobs/NO"),
        ("/api/runs", "/api/runs"), ("/api/runs", "/api/runs?state=ready"),
        ("/api/runs", "/api/runs?state=delayed"), ("/api/runs", "/api/runs?state=running"),
        ("/api/runs", "/api/runs?state=dead"), ("/api/runs", "/api/runs?state=ended"),
        ("/api/runs", "/api/runs?state=ended&key=e"), ("/api/runs", "/api/runs?key=a"),
        ("/api/runs/{id}", "/api/runs/1"), ("/api/runs/{id}", "/api/runs/3"),
        ("/api/runs/{id}", "/api/runs/5"), ("/api/runs/{id}", "/api/runs/7"),
        ("/api/runs/{id}", "/api/runs/99"), ("/api/dead", "/api/dead"),
        ("/api/schedules", "/api/schedules"), ("/api/schedules/{job}", "/api/schedules/tally"),
        ("/api/schedules/{job}/{name}", "/api/schedules/tally/x"),
        ("/api/workers", "/api/workers"), ("/api/database", "/api/database"),
        ("/api/openapi.json", "/api/openapi.json"),
      ]
      #expect(Set(asked.map(\.path)) == Set(API.reads.map(\.path) + ["/api/openapi.json"]))
      for (path, target) in asked {
        let response = await place.get(target)
        let faults = try shape.faults(
          of: response.body, asked: "get", path, status: response.status)
        #expect(faults == [], "\(target): \(response.body)")
      }
      for (path, target, body) in [
        ("/api/jobs/{job}/dry-run", "/api/jobs/tally/dry-run", #"{"key":"q"}"#),
        ("/api/runs/{id}/payload", "/api/runs/1/payload", ""),
        ("/api/runs/{id}/retry", "/api/runs/4/retry", ""),
        ("/api/dead/retry", "/api/dead/retry", #"{"job":"tally"}"#),
        (
          "/api/schedules/{job}/backfill", "/api/schedules/tally/backfill",
          #"{"from":"2024-01-01T00:00:00Z","to":"2024-01-04T00:00:00Z","dryRun":true}"#
        ),
      ] {
        let response = await place.post(target, body)
        #expect(response.status == 200, "\(response.body)")
        let faults = try shape.faults(
          of: response.body, asked: "post", path, status: response.status)
        #expect(faults == [], "\(target): \(response.body)")
      }
    }
  }
}

import BatonPostgres
import RunnerSQL
import TestSupport

@testable import JobRunner

/// The pages that the statements of a claim read for the `slow-group` job.
enum LimitPages {
  /// Inserts held runs of groups that have used up their rate.
  static func fill(_ test: TestSchema, groups: Int, runsOfEach runs: Int) async throws {
    for statement in [
      """
      insert into run (job, key, state, due, first_event_at, last_event_at, group_key, is_held)
      select 'slow-group', format('g%s/%s', lpad(g::text, 6, '0'), n), 'ready', now() - interval '1 h',
        now(), now(), 'g' || lpad(g::text, 6, '0'), true
      from generate_series(1, \(groups)) g, generate_series(1, \(runs)) n
      """,
      """
      insert into limit_start (job, group_key, rested_at)
      select 'slow-group', 'g' || lpad(g::text, 6, '0'), now() + interval '20 minutes'
      from generate_series(1, \(groups)) g
      """,
      """
      insert into held_group (job, group_key, due)
      select 'slow-group', 'g' || lpad(g::text, 6, '0'), now() + interval '10 minutes'
      from generate_series(1, \(groups)) g
      """, "analyze run", "analyze limit_start", "analyze held_group",
    ] { try await test.sql(statement) }
  }

  /// Returns the pages by the names of the statements.
  static func measure(
    _ test: TestSchema, _ marks: QueueFront.Marks, job: String = "slow-group"
  ) async throws -> [String: Int] {
    let (jobs, priorities, dues, ids) = marks.columns
    func time(_ at: Timestamp) -> String {
      "timestamptz 'epoch' + \(at.microseconds) * interval '1 us'"
    }
    func list(_ texts: [String]) -> String { texts.joined(separator: ", ") }
    let priority = "array[\(list(priorities.map(String.init)))]::integer[]"
    let due = "array[\(list(dues.map(time)))]::timestamptz[]"
    let id = "array[\(list(ids.map(String.init)))]::bigint[]"
    let others = marks.others.map(time) ?? "null"
    let front = "\(priority), \(due), \(id), \(others)"
    return [
      "poll": try await test.pages(
        of: SQL.Queue.poll,
        "text[], integer[], timestamptz[], bigint[], timestamptz, text, integer, boolean",
        "array[\(list(jobs.map { "'\($0)'" }))]::text[], \(front), null, null, true", atMost: 60),
      "room": try await test.pages(
        of: SQL.Queue.readRoom, "text, bigint",
        "'\(job)', \(marks.firstClaims[job, default: 0])", atMost: 60),
      "claim": try await test.pages(
        of: SQL.Queue.claimByGroup,
        "text, bigint, uuid, uuid, boolean, text, boolean, int[], timestamptz[], bigint[], timestamptz, boolean, boolean",
        "'\(job)', 10, gen_random_uuid(), gen_random_uuid(), false, '', false, \(front), true, false",
        atMost: 60),
      "hold": try await test.pages(
        of: SQL.Queue.holdFullGroups, "text, int[], timestamptz[], bigint[], timestamptz",
        "'\(job)', \(front)", atMost: 60),
      "count": try await test.pages(
        of: SQL.Queue.countStarts, "text, tid[]", "'\(job)', '{}'", atMost: 60),
      "turns": try await test.pages(
        of: SQL.Queue.setTurns, "text, tid[], bigint, int[], timestamptz[], timestamptz, boolean",
        "'\(job)', '{}', 1000, \(priority), \(due), \(others), true", atMost: 60),
    ]
  }
}

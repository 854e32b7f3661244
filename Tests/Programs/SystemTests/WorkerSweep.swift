import Foundation
import Synchronization
import TestSupport
import Testing

/// The work for a worker that will be killed, and the check that all work was done once.
struct WorkerSweep {
  private let schema: TestSchema
  private let people: People
  private let round = Counter()

  /// Creates two groups, and records a line for each run that is removed or returned.
  init(_ schema: TestSchema) async throws {
    self.schema = schema
    people = People(schema)
    for (user, group) in [("u1", "g"), ("u2", "g"), ("u3", "h")] {
      try await people.join(user, group: group)
    }
    #expect(try await people.record("u3", "w") == "accepted")
    try await schema.gymrats.succeed("worker", "--until-idle")
    try await schema.sql("create table moved (run bigint, is_back boolean, xact xid8)")
    try await schema.sql(
      """
      create function note_move() returns trigger language plpgsql set search_path from current
      as $$
      begin
        insert into moved values
          (coalesce(old.id, new.id), tg_op = 'INSERT', pg_current_xact_id());
        return null;
      end $$
      """)
    try await schema.sql(
      """
      create trigger note_move after insert or delete on run
      for each row execute function note_move()
      """)
  }

  /// Records workouts whose boards must be ranked, and creates a run of a dead worker.
  func prepare() async throws {
    let number = round.next()
    for user in ["u1", "u2"] {
      #expect(try await people.record(user, "w\(number)") == "accepted")
    }
    try await schema.sql(
      """
      insert into worker (id, name, is_direct, pid, heartbeat_at)
      values (gen_random_uuid(), 'dead', false, 0, now() - interval '1 hour')
      """)
    try await schema.sql(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at, attempt, token, worker)
      select 'recompute-ranks', c.id, 'running', now(), now(), now(), 1, gen_random_uuid(), w.id
      from challenge c, worker w
      where c.group_id = 'h' and c.type = 'check-ins' and w.name = 'dead'
      """)
  }

  /// Expects that every workout so far is on its board, and that every run has ended once.
  func expectDone(
    _ comment: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let published = try await schema.sql(
      """
      select (select count(*) from run), (select count(*) from dead_run),
        (select string_agg(distinct value::text, ' ') from leaderboard
         where type = 'check-ins' and group_id = 'g')
      """)
    #expect(
      published == ["0,0,\(round.last)"], "\(comment)", sourceLocation: sourceLocation)
    // A run that is returned is inserted again by the statement that removes it.
    let ended = try await schema.sql(
      """
      select run, count(*) from (
        select run, xact from moved group by run, xact having not bool_or(is_back)) ended
      group by run having count(*) > 1
      """)
    #expect(ended == [], "ended more than once, \(comment)", sourceLocation: sourceLocation)
    try await schema.sql("truncate moved")
  }

  /// The stages of a worker.
  static let stages = ["look", "fold", "claim", "work", "completion", "entry", "reclaim"]

  /// Returns the stage of a worker when it was killed.
  static func stage(of statement: String) -> String {
    let name = statement.replacing("commit after ", with: "")
    return switch name {
    case "queue/poll": "look"
    case "queue/fold", "queue/fold_backlog": "fold"
    case "queue/claim", "queue/limit_claim", "queue/claim_quarantined", "queue/claim_probe",
      "queue/claim_alone":
      "claim"
    case "queue/reclaim", "workers/note_missing", "workers/forget_dead": "reclaim"
    case "workers/register", "workers/listen": "entry"
    // A worker that registers reads the clock last in the same transaction. Any other reading of
    // the clock registers no worker.
    case "workers/read_clock" where name != statement: "entry"
    case "queue/end_claimed": "completion"
    case _ where name.hasPrefix("leaderboard/"): name == statement ? "work" : "completion"
    default: name == statement ? name : "another commit"
    }
  }
}

/// Successive numbers.
private final class Counter: Sendable {
  private let value = Mutex(0)
  var last: Int { value.withLock { $0 } }
  func next() -> Int {
    value.withLock { value in
      value += 1
      return value
    }
  }
}

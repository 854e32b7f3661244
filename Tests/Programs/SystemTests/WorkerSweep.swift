import Foundation
import Synchronization
import TestSupport
import Testing

/// What a worker that will be killed finds to do, and how one sees that it was done once.
struct WorkerSweep {
  private let schema: TestSchema
  private let people: People
  private let round = Counter()

  /// Two groups; of each run that is taken out or put back there is a line.
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

  /// Workouts whose boards are to be ranked, and a run in the hands of a worker that is dead.
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

  /// Expects every workout so far on its board, and every run ended once and by now.
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
    // A run that goes back is put in again by the statement that takes it out.
    let ended = try await schema.sql(
      """
      select run, count(*) from (
        select run, xact from moved group by run, xact having not bool_or(is_back)) ended
      group by run having count(*) > 1
      """)
    #expect(ended == [], "ended more than once, \(comment)", sourceLocation: sourceLocation)
    try await schema.sql("truncate moved")
  }

  /// What a worker does in its life.
  static let stages = ["look", "fold", "claim", "work", "completion", "entry", "reclaim"]

  /// What a worker was at when it was killed.
  static func stage(of statement: String) -> String {
    let name = statement.replacing("commit after ", with: "")
    return switch name {
    case "queue/poll": "look"
    case "queue/fold": "fold"
    case "queue/claim", "queue/limit_claim", "queue/claim_quarantined", "queue/claim_alone": "claim"
    case "queue/reclaim", "workers/note_missing", "workers/forget_dead": "reclaim"
    case "workers/register", "workers/listen": "entry"
    // Who enters reads the clock last in the same transaction; what is read without one enters nobody.
    case "workers/read_clock" where name != statement: "entry"
    case "queue/end_claimed": "completion"
    case _ where name.hasPrefix("leaderboard/"): name == statement ? "work" : "completion"
    default: name == statement ? name : "another commit"
    }
  }
}

/// Numbers, one after the other.
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

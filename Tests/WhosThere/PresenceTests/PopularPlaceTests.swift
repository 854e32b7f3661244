import BatonLive
import BatonPostgres
import Foundation
import JobTesting
import Presence
import PresencePostgres
import Synchronization
import TestSupport
import Testing

/// Tests a place that many thousands of users have visited, and where more users are present than a
/// place displays.
@Suite(.timeLimit(.minutes(5))) struct PopularPlaceTests {
  /// The snapshots and failures that the members of a group have received.
  private final class Seen: Sendable {
    private let elements = Mutex<[Result<PresenceSnapshot, AppError>]>([])
    var last: PresenceSnapshot? { elements.withLock { try? $0.last?.get() } }
    var failures: Int { elements.withLock { $0.count { (try? $0.get()) == nil } } }
    func add(_ element: Result<PresenceSnapshot, AppError>) {
      elements.withLock { $0.append(element) }
    }
  }

  /// Inserts ten thousand earlier visitors of the group `g`, and the present users.
  private func fill(_ places: Places, present: Int) async throws {
    try await places.sql(
      """
      insert into users (id, display_name, is_anonymous)
      select 'past' || n, 'Past', false from generate_series(1, 10000) n
      union all select 'here' || n, 'Here', false from generate_series(1, \(present)) n
      """)
    try await places.sql(
      """
      insert into presence
        (group_id, user_id, is_present, source, since, version, changed_at, heard_at)
      select 'g', id, id like 'here%', 'manual', domain_now() + make_interval(secs => n), 1,
        domain_now(), domain_now()
      from users cross join lateral (select coalesce(substr(id, 5)::integer, 0)) s (n)
      where id ~ '^(past|here)'
      """)
  }

  @Test(.sampled())
  func `a place with ten thousand past visitors is followed, and a quiet one beside it`()
    async throws
  {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann", "ben", "cem")
      try await places.found("g", by: "ann", "ben", "cem")
      try await places.found("quiet", by: "ann")
      // Ben was present, and Cem never.
      for command in [
        Places.checkIn("ben", 1), Places.checkOut("ben", 2), Places.checkIn("ann", 3),
      ] {
        _ = try await places.outcome(command)
      }
      try await fill(places, present: 0)
      let database = PresenceDatabase(places.test.configuration, schema: places.test.schema)
      let seen = ["ann": Seen(), "ben": Seen(), "cem": Seen(), "quiet": Seen()]
      let reading = seen.map { name, seen in
        let (viewer, group) = name == "quiet" ? ("ann", "quiet") : (name, "g")
        return Task {
          for await element in database.presences(for: viewer).observe(group) { seen.add(element) }
        }
      }
      try await eventually("all of them") { seen.values.allSatisfy { $0.last != nil } }
      #expect(seen["ann"]?.last?.own?.isPresent == true)
      #expect(seen["ben"]?.last?.own?.isPresent == false && seen["ben"]?.last?.own?.version == 2)
      #expect(seen["cem"]?.last?.own == nil && seen["cem"]?.last?.presences.count == 1)

      _ = try await places.outcome(Places.checkIn("cem", 4))
      _ = try await places.outcome(Places.checkIn("ann", 5, "quiet"))
      #expect(try await places.test.drain() == 0)
      try await eventually("Cem, and Ann at the other place") {
        ["ann", "ben", "cem"].allSatisfy { seen[$0]?.last?.presences.count == 2 }
          && seen["quiet"]?.last?.own?.isPresent == true
      }
      #expect(seen["cem"]?.last?.own?.isPresent == true)
      #expect(seen.values.map(\.failures) == [0, 0, 0, 0])
      for task in reading { task.cancel() }
      await database.close()
    }
  }

  @Test(.sampled())
  func `of a place that shows a thousand, each viewer has their own presence all the same`()
    async throws
  {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann")
      try await places.found("g", by: "ann")
      _ = try await places.outcome(Places.checkIn("ann", 1))
      try await fill(places, present: 1_000)
      let database = PresenceDatabase(places.test.configuration, schema: places.test.schema)
      var stream = database.presences(for: "ann").observe("g").makeAsyncIterator()
      let observed = try await stream.next()?.get()
      let asked = try await database.presences(for: "ann").presences(of: "g")
      #expect(observed?.presences.count == 1_000)
      #expect(observed?.presences.contains { $0.userId == "ann" } == false)
      #expect(observed?.own?.isPresent == true)
      #expect(observed == asked)
      await database.close()
    }
  }
}

import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import JobRunner

/// Tests how often a worker searches for runs of unregistered workers.
@Suite struct LostRunSearchTests {
  /// While an old transaction is open, the search reads the entries of all runs of stopped workers.
  ///
  /// In this test, a lock makes the search slow.
  @Test func `after two slow searches for lost runs, the worker pauses them`() async throws {
    try await NoteQueue.with { queue in
      let test = queue.test
      let registration = Registration(
        of: WorkerContext([queue.job], logger: .quiet), on: test.configuration, in: test.schema,
        pace: Registration.Pace(activity: .seconds(3_600), rotation: .zero))
      let session = try await registration.control.session()
      try await registration.enter(on: session)
      func lose(_ key: String) async throws {
        try await test.sql(
          """
          insert into run (job, key, state, due, first_event_at, last_event_at, token, worker)
          select 'note', '\(key)', 'running', t, t, t, gen_random_uuid(), gen_random_uuid()
          from now() t
          """)
      }
      let states = "select key, state from run order by key"
      try await lose("a")
      try await registration.keep(on: session)
      #expect(try await test.sql(states) == ["a,ready"])
      func searchSlowly() async throws {
        try await test.holding("lock table worker_death in access exclusive mode") { lock in
          let keeping = Task { try await registration.keep(on: session) }
          try await lock.waitUntilItBlocks()
          try await Task.sleep(for: .milliseconds(500))
          try await lock.release()
          try await keeping.value
        }
      }
      try await registration.keep(on: session)
      try await searchSlowly()
      try await lose("b")
      // The pause is 50 times as long as the fast search.
      try await eventually("the next search", within: .seconds(3)) {
        try await registration.keep(on: session)
        return try await test.sql(states) == ["a,ready", "b,ready"]
      }
      // The search that found a run does not count.
      try await searchSlowly()
      try await lose("c")
      try await registration.keep(on: session)
      #expect(try await test.sql(states) == ["a,ready", "b,ready", "c,running"])
      try await registration.leave(on: session)
      await registration.control.close()
    }
  }
}

import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests the ids, times and payloads of enqueued runs, alone and merged.
@Suite struct EnqueueTests {
  /// Returns the rows of a key in `run`: the due time in whole minutes from now, and the payload.
  private func ready(_ key: String, _ test: JobTest) async throws -> [String] {
    try await test.sql(
      """
      select round(extract(epoch from due - now()) / 60), coalesce(payload ->> 'text', '-')
      from run where key = '\(key)' and state = 'ready'
      """)
  }

  private func fold(_ test: JobTest) async throws {
    let connection = try await test.connect()
    _ = try await Queue(Session(connection, in: test.schema)).fold()
    await connection.close()
  }

  private func shown(_ id: String, _ test: JobTest) async throws -> String {
    let connection = try await test.connect()
    let number = try #require(Int64(id))
    let shown = try await Queue(Session(connection, in: test.schema)).run(number)
    await connection.close()
    return try #require(shown, "no run \(id)")
  }

  @Test func `a call returns an id that finds its run`() async throws {
    try await NoticeBoard.with { test in
      let first = try await test.sql("select enqueue('notice', 'a', '{\"text\": \"one\"}')")[0]
      #expect(try await shown(first, test).contains("unfolded"))
      try await fold(test)
      let second = try await test.sql("select enqueue('notice', 'a', '{\"text\": \"two\"}')")[0]
      let third = try await test.sql("select enqueue('notice', 'a')")[0]
      try await fold(test)
      #expect(
        try await test.sql("select id from run") == [second], "the newest payload names the run")
      for id in [first, second, third] {
        #expect(try await shown(id, test).contains("\"text\": \"two\""))
      }
    }
  }

  @Test func `hundreds of calls of one key are one run that each of their ids finds`() async throws
  {
    try await NoticeBoard.with { test in
      let ids = try await test.sql("select enqueue('notice', 'a') from generate_series(1, 300)")
      try await fold(test)
      let more = try await test.sql("select enqueue('notice', 'a') from generate_series(1, 300)")
      try await fold(test)
      let all = (ids + more).joined(separator: ",")
      let found = """
        select count(*) from unnest(array[\(all)]) i
        where exists (select from run where id = i or i = any (earlier_ids))
        """
      #expect(try await test.sql(found) == ["600"])
    }
  }

  /// A run's own id is stored in addition to the thousand ids.
  @Test(.sampled(), arguments: ["null", "'{\"text\": \"same\"}'"])
  func `a run keeps exactly the newest thousand ids of its other calls`(payload: String)
    async throws
  {
    try await NoticeBoard.with { test in
      try await test.sql("create table called (key text, id bigint)")
      for calls in [1_500, 1] {
        try await test.sql(
          """
          insert into called
          select key, enqueue('notice', key, \(payload))
          from (
            select (array['a', 'b'])[1 + n % 2] as key from generate_series(1, \(2 * calls)) n) k
          """)
        try await fold(test)
      }
      let kept = try await test.sql(
        """
        select r.key, array(select i from unnest(r.earlier_ids) i order by i) = array(
          select n.id from (
            select c.id from called c where c.key = r.key and c.id <> r.id
            order by c.id desc limit 1000) n
          order by n.id)
        from run r order by r.key
        """)
      #expect(kept == ["a,t", "b,t"])
    }
  }

  @Test func `without a key every call is a run of its own`() async throws {
    try await NoticeBoard.with { test in
      let ids = try await test.sql("select enqueue('notice') from generate_series(1, 3)")
      try await fold(test)
      #expect(try await test.sql("select id from run order by id") == ids)
      #expect(try await test.sql("select key from run order by id") == ids.map { "#\($0)" })
    }
  }

  @Test func `a run is due at the earliest time that was asked for`() async throws {
    try await NoticeBoard.with { test in
      let asked = "select enqueue('notice', 'a', '{\"text\": \"%\"}', now() + interval '% minutes')"
      for minutes in ["30", "10", "20"] {
        try await test.sql(asked.replacing("%", with: minutes))
      }
      try await fold(test)
      #expect(try await ready("a", test) == ["10,20"], "the earliest time and the newest payload")
      try await test.sql(asked.replacing("%", with: "5"))
      try await fold(test)
      #expect(try await ready("a", test) == ["5,5"], "folded into a run that is there")
      try await test.sql(asked.replacing("%", with: "50"))
      try await fold(test)
      #expect(try await ready("a", test) == ["5,50"], "a later time does not put it off")
      for minutes in ["1", "50"] {
        try await test.sql(asked.replacing("%", with: minutes))
        try await fold(test)
      }
      try await test.sql("select enqueue('notice', 'a')")
      try await fold(test)
      #expect(try await ready("a", test) == ["1,50"], "nor does one that asks for none")
    }
  }

  @Test func `an event that asks for no time is debounced beside those that do`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql("select enqueue('notice', 'a', null, now() + interval '30 minutes')")
      try await test.sql("select enqueue('notice', 'b')")
      try await fold(test)
      try await test.sql("select enqueue('notice', 'a')")
      try await test.sql("select enqueue('notice', 'b', null, now() + interval '30 minutes')")
      try await fold(test)
      #expect(try await ready("a", test) == ["2,-"], "two minutes of silence are its debounce")
      #expect(try await ready("b", test) == ["2,-"])
    }
  }

  @Test(.sampled(), arguments: [true, false])
  func `replace moves the run, also to a later time, and takes its payload`(inOneFold: Bool)
    async throws
  {
    try await NoticeBoard.with { test in
      try await test.sql(
        "select enqueue('notice', 'a', '{\"text\": \"old\"}', now() + interval '10 minutes')")
      if !inOneFold { try await fold(test) }
      let moved = try await test.sql(
        """
        select enqueue('notice', 'a', '{"text": "new"}', now() + interval '40 minutes', replace => true)
        """)
      try await fold(test)
      #expect(try await ready("a", test) == ["40,new"])
      #expect(try await test.sql("select id from run") == moved)
      // Without a payload and a time, the run is due immediately, and has no earlier payload.
      try await test.sql("select enqueue('notice', 'a', replace => true)")
      try await fold(test)
      #expect(try await ready("a", test) == ["2,-"])
      // Later calls count as usual.
      try await test.sql("select enqueue('notice', 'a', null, now() + interval '1 minute')")
      try await fold(test)
      #expect(try await ready("a", test) == ["1,-"])
    }
  }

  /// A run stores only the 20 newest calls that a late call with `replace` could leave.
  @Test func `calls with later times do not postpone a run that was replaced`() async throws {
    try await NoticeBoard.with { test in
      let time = "now() + interval '30 minutes'"
      try await test.sql("select enqueue('notice', 'a', run_at => \(time), replace => true)")
      try await test.sql("select enqueue('notice', 'b', replace => true)")
      try await fold(test)
      for first in stride(from: 1, to: 25, by: 5) {
        try await test.sql(
          """
          select enqueue('notice', key, run_at => now() + hours * interval '1 h')
          from unnest('{a,b}'::text[]) key, generate_series(\(first), \(first + 4)) hours
          """)
        try await fold(test)
      }
      #expect(try await ready("a", test) == ["30,-"])
      #expect(try await ready("b", test) == ["2,-"], "two minutes of silence are its debounce")
    }
  }

  @Test func `a moved timer holds against a run of its key that comes back`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql("select enqueue('notice', 'a', '{\"text\": \"fired\"}')")
      try await fold(test)
      try await test.sql("update run set due = now()")
      // The run is claimed, and is then moved while it is being processed.
      try await test.sql(
        "update run set state = 'running', attempt = 1, token = gen_random_uuid(), worker = gen_random_uuid()"
      )
      try await test.sql(
        "select enqueue('notice', 'a', '{\"text\": \"moved\"}', now() + interval '40 minutes', replace => true)"
      )
      try await fold(test)
      #expect(try await ready("a", test) == ["40,moved"])
      // The worker is dead. The released run gets the time and the payload of the newer call.
      let connection = try await test.connect()
      _ = try await Queue(Session(connection, in: test.schema)).reclaim()
      await connection.close()
      #expect(try await ready("a", test) == ["40,moved"])
      #expect(try await test.sql("select count(*) from run") == ["1"])
    }
  }

  @Test(arguments: [false, true])
  func `a run that comes back does not end the debounce of newer events of its key`(
    hasTimer: Bool
  ) async throws {
    try await NoticeBoard.with { test in
      try await test.sql("select enqueue('notice', 'a', '{\"text\": \"first\"}')")
      try await fold(test)
      try await test.sql(
        "update run set state = 'running', attempt = 1, token = gen_random_uuid(), worker = gen_random_uuid()"
      )
      try await test.sql("select enqueue('notice', 'a', '{\"text\": \"second\"}')")
      if hasTimer {
        try await test.sql("select enqueue('notice', 'a', run_at => now() + interval '40 minutes')")
      }
      try await fold(test)
      let connection = try await test.connect()
      _ = try await Queue(Session(connection, in: test.schema)).reclaim()
      await connection.close()
      #expect(try await ready("a", test) == ["2,second"], "not before the quiet time")
      #expect(try await test.sql("select count(*) from run") == ["1"])
    }
  }

  @Test func `a run that comes back does not wait for a later time of its key`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql("select enqueue('notice', 'a', '{\"text\": \"now\"}')")
      try await fold(test)
      try await test.sql(
        "update run set state = 'running', attempt = 1, token = gen_random_uuid(), worker = gen_random_uuid()"
      )
      let later = try await test.sql(
        "select enqueue('notice', 'a', '{\"text\": \"later\"}', now() + interval '40 minutes')")
      try await fold(test)
      let connection = try await test.connect()
      _ = try await Queue(Session(connection, in: test.schema)).reclaim()
      await connection.close()
      #expect(try await ready("a", test) == ["0,later"], "the newer payload, at the earlier time")
      #expect(try await test.sql("select id from run") == later)
    }
  }

  @Test func `neither an event nor an earlier time hurries a run that waits for its next attempt`()
    async throws
  {
    try await NoticeBoard.with { test in
      try await test.sql("select enqueue('notice', 'a', '{\"text\": \"bad\"}')")
      try await fold(test)
      try await test.sql(
        "update run set due = now() + interval '20 minutes', attempt = 1, "
          + "backoff_until = now() + interval '20 minutes'")
      try await test.sql("select enqueue('notice', 'a')")
      try await test.sql("select enqueue('notice', 'a', null, now() + interval '1 minute')")
      try await fold(test)
      #expect(try await ready("a", test) == ["20,bad"])
      try await test.sql(
        "select enqueue('notice', 'a', '{\"text\": \"b\"}', now() + interval '1 minute', replace => true)"
      )
      try await fold(test)
      #expect(try await ready("a", test) == ["20,b"])
      try await test.sql(
        "select enqueue('notice', 'a', '{\"text\": \"c\"}', now() + interval '30 minutes', replace => true)"
      )
      try await fold(test)
      #expect(try await ready("a", test) == ["30,c"], "put off by who may")
    }
  }

  @Test(.sampled()) func `a drain leaves what was asked for later until the clock is past it`()
    async throws
  {
    try await NoticeBoard.with { test in
      try await test.setClock(to: "2024-06-01T00:00:00Z")
      try await test.sql("select enqueue('notice', 'timer', null, '2024-06-01 12:00Z')")
      try await test.sql("select enqueue('notice', 'soon')")
      try await test.drain()
      #expect(try await test.sql("select text from noticed") == ["soon"])
      #expect(try await test.sql("select key from run") == ["timer"])
      let connection = try await test.connect()
      let listed = try await Queue(Session(connection, in: test.schema)).runs(
        limit: 10)
      #expect(listed.map(\.at) == ["2024-06-01T12:00:00.000Z"])
      await connection.close()
      try await test.setClock(to: "2024-06-01T11:59:59Z")
      try await test.drain()
      #expect(try await test.sql("select count(*) from run") == ["1"])
      try await test.setClock(to: "2024-06-01T12:00:00Z")
      try await test.drain()
      #expect(try await test.sql("select text from noticed order by 1") == ["soon", "timer"])
    }
  }
}

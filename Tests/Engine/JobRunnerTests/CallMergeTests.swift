import BatonPostgres
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Calls with the same key that become one run, in every order of their commits and with folds in
/// between.
///
/// The calls are executed in the order of their numbers. Therefore, the run must be the same in
/// every scenario: the same payload, time, priority, group and set of ids.
@Suite struct CallMergeTests {
  /// The order of the calls' commits, and the commits that are followed by an additional fold.
  private struct Scenario: CustomStringConvertible {
    let commits: [Int]
    let folds: [Bool]

    var description: String { "commits \(commits), folds \(folds)" }

    static func all(of calls: Int) -> [Self] {
      permutations(Array(0..<calls)).flatMap { commits in
        (0..<(1 << (calls - 1))).map { bits in
          Self(commits: commits, folds: (0..<(calls - 1)).map { bits >> $0 & 1 == 1 })
        }
      }
    }

    private static func permutations(_ values: [Int]) -> [[Int]] {
      guard values.count > 1 else { return [values] }
      return values.flatMap { first in
        permutations(values.filter { $0 != first }).map { [first] + $0 }
      }
    }
  }

  /// The arguments for each kind of call.
  ///
  /// Each call has another day as its time, so that the earliest time is not the time of the last
  /// call.
  private static let kinds = [
    "payload => payload",
    "payload => payload, run_at => time, priority => priority",
    "run_at => time",
    "payload => payload, replace => true",
    "payload => payload, run_at => time, priority => priority, replace => true",
    "run_at => time, replace => true",
  ]

  /// Returns the statement for one call with each key.
  ///
  /// Each key contains the kinds of all its calls.
  private func calls(number: Int, of count: Int, prefix: String) -> String {
    Self.kinds.indices.map { kind in
      """
      insert into asked
      select key, \(number), enqueue('notice', '\(prefix)' || key, \(Self.kinds[kind]))
      from (
        select key, jsonb_build_object('text', 'group ' || \(number)) as payload,
          timestamptz '2100-01-01' + interval '1 day' * (\(number) * 7 + 3) % interval '11 days' as time,
          3 + (\(number) * 2 + 1) % 4 as priority
        from keys where substr(key, \(number + 1), 1) = '\(kind)') k;
      """
    }.joined(separator: "\n")
      .replacing("(\(number) * 7 + 3) % interval '11 days'", with: "\((number * 7 + 3) % 11)")
  }

  private func play(_ scenario: Scenario, prefix: String, _ test: JobTest) async throws -> [String]
  {
    let count = scenario.commits.count
    try await test.sql("truncate asked")
    var open: [Connection] = []
    for number in 0..<count {
      let connection = try await test.connect()
      let text = calls(number: number, of: count, prefix: prefix)
      try await connection.script(
        Statement("test/call", "begin; set local search_path to \(test.schema.name);\n\(text)"))
      open.append(connection)
    }
    let folder = try await test.connect()
    let queue = Queue(Session(folder, in: test.schema))
    for (index, number) in scenario.commits.enumerated() {
      try await open[number].script(Statement("test/commit", "commit"))
      if index == count - 1 || scenario.folds[index] { _ = try await queue.fold() }
    }
    for connection in open + [folder] { await connection.close() }
    return try await test.sql(
      """
      select substr(r.key, \(prefix.count + 1)) as key, r.payload, r.run_at, r.priority, r.group_key,
        r.first_event_at is null as is_timed, array_agg(a.number order by a.number) as calls,
        -- Without a payload, any of the ids can be the run's own.
        min(a.number) filter (where a.id = r.id and r.payload is not null) as id_of
      from run r
      join asked a on a.id = r.id or a.id = any (r.earlier_ids)
      where r.job = 'notice' and starts_with(r.key, '\(prefix)')
      group by r.job, r.key, r.state
      order by 1
      """)
  }

  @Test(.sampled(), arguments: [2, 3])
  func `the run is the same in every order`(of count: Int) async throws {
    try await NoticeBoard.with { test in
      let digits = "012345".map(String.init)
      let keys = (1..<count).reduce(digits) { keys, _ in
        keys.flatMap { key in digits.map { key + $0 } }
      }
      try await test.sql("create table asked (key text, number integer, id bigint)")
      try await test.sql(
        "create table keys as select unnest('{\(keys.joined(separator: ","))}'::text[]) as key")
      try await test.sql(
        "insert into job_limit (job, group_concurrency, group_field) values ('notice', 1, 'text')")
      let inOrder = Scenario(
        commits: Array(0..<count), folds: Array(repeating: false, count: count - 1))
      let expected = try await play(inOrder, prefix: "x", test)
      #expect(expected.count == keys.count)
      // Every call is part of its key's only run.
      let all = "{\((0..<count).map(String.init).joined(separator: ","))}"
      #expect(expected.allSatisfy { $0.contains(all) })
      for (index, scenario) in Scenario.all(of: count).enumerated() {
        let found = try await play(scenario, prefix: "\(index)-", test)
        let difference = zip(found, expected).first { $0 != $1 }
        #expect(
          difference == nil && found.count == expected.count,
          "\(scenario): \(difference ?? ("", ""))")
      }
    }
  }

  @Test func `the numbers count, not the clocks and not the segments`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql("select enqueue('notice', 'k', '{\"text\": \"first\"}')")
      try await test.sql("update event_segment set current = 1")
      try await test.sql("select enqueue('notice', 'k', '{\"text\": \"second\"}')")
      // The clock is set back between the two calls.
      try await test.sql("update event_1 set recorded_at = recorded_at - interval '1 hour'")
      let connection = try await test.connect()
      _ = try await Queue(Session(connection, in: test.schema)).fold()
      await connection.close()
      #expect(try await test.sql("select payload ->> 'text' from run") == ["second"])
    }
  }

  /// A function that compares each call with each other call.
  private static let comparison =
    """
    create function compared_calls(calls run_call[], since bigint) returns run_call[]
    language sql as $$
      select array_agg(c order by (c).event) from (
        select c from unnest(calls) c
        where c.event >= coalesce(since, 0) and not exists (
          select from unnest(calls) l
          where l.event > c.event and l.priority <= c.priority
            and (l.run_at is null) = (c.run_at is null) and (l.run_at <= c.run_at) is not false)
        order by c.event desc limit 20) k (c)
    $$
    """

  @Test func `the calls that remain are the same as in a comparison of all calls`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql(Self.comparison)
      let wrong = try await test.sql(
        """
        select c.calls from (
          select n, array_agg(
            row(
              e, now(),
              case when random() < 0.7 then now() + (random() * n)::integer * interval '1 h' end,
              1 + (random() * (n % 9))::integer)::run_call order by random()) as calls
          from generate_series(1, 300) n, generate_series(1, n % 60 + 1) e
          group by n) c,
          (values (null), (5), (30)) s (since)
        where merge_calls(c.calls, s.since) is distinct from compared_calls(c.calls, s.since)
        """)
      #expect(wrong == [])
    }
  }

  /// The calls have rising times, so none of them replaces another one.
  ///
  /// A comparison of each call with each other call takes several seconds.
  @Test func `thousands of calls with one key are merged in less than two seconds`() async throws {
    try await NoticeBoard.with { test in
      let connection = try await test.connect()
      try await connection.script(
        Statement(
          "test/limit", "set search_path to \(test.schema.name); set statement_timeout to '2 s'"))
      try await connection.script(
        Statement(
          "test/merge",
          """
          select merge_calls(
            array_agg(row(n, now(), now() + n * interval '1 s', 5)::run_call), null)
          from generate_series(1, 10000) n
          """))
      await connection.close()
    }
  }
}

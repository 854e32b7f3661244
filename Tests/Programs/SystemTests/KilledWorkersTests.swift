import BatonPostgres
import Foundation
import Synchronization
import TestSupport
import Testing

/// Tests workers that are killed with SIGKILL at random moments.
///
/// The boards must not be affected.
///
/// Any number of processes may die during the same run, and no run becomes dead.
@Suite(.timeLimit(.minutes(60)))
struct KilledWorkersTests {
  /// A few weeks are sufficient in place of a year, and retention deletes none of their boards.
  private static let weeks = Days("2024-03-04", TestSize.isFull ? "2024-04-08" : "2024-03-25")

  private static let replayKills = TestSize.isFull ? 6 : 4

  /// The export also contains the notifications.
  @Test(
    .enabled(if: TestSize.isFull, "weeks beside dying workers: make test-all"),
    arguments: TestSize.isFull ? [true, false] : [true])
  func `weeks replayed beside dying workers by a replay that dies too`(
    isExported: Bool
  ) async throws {
    let days = isExported && TestSize.isFull ? Days("2024-01-01", "2025-01-01") : Self.weeks
    try await replay(.year2024, days, step: ("6h", 21_600), isExported: isExported)
  }

  @Test(.enabled(if: TestSize.isFull && CheckInData.whole != nil, "the whole file: make test-all"))
  func `the whole file, replayed beside dying workers by a replay that dies too`() async throws {
    let whole = try #require(CheckInData.whole)
    try await replay(whole, Days("2000-01-01", "2100-01-01"), step: ("24h", 86_400))
  }

  private func replay(
    _ data: CheckInData, _ days: Days, step: (text: String, seconds: Int), isExported: Bool = true
  ) async throws {
    let random = Randomness()
    let folder = try TemporaryFolder()
    let lines = days.filter(try await data.lines())
    try await TestSchema.with { schema in
      try await schema.slowDown("after update", "board_version", seconds: 0.004)
      let kills = Kills()
      try await withThrowingTaskGroup { group in
        let isOver = Flag()
        for _ in 0..<3 {
          group.addTask {
            try await keepKilling(kills, of: schema, random, until: { isOver.isSet })
          }
        }
        group.addTask {
          defer { isOver.set() }
          try await replayWithKills(
            kills, of: schema, random, lineCount: lines.count,
            ["replay", data.path, "--step", step.text] + days.options
              + (isExported ? ["--export", folder.path] : ["--weeks"]))
        }
        try await group.waitForAll()
      }
      print("killed \(kills.ofWorkers) workers and \(kills.ofReplays) replays, \(random)")
      #expect(kills.ofWorkers >= 8)
      #expect(kills.ofReplays == Self.replayKills)
      try await expectNothingLeft(schema)
      if isExported {
        try await expectExport(in: folder.path, of: lines, step: step.seconds)
      } else {
        // No board is old enough for retention, so all boards exist.
        let expected = try await blocking { Oracle.boards(of: lines) }
        let difference = Oracle.difference(
          expected: expected, actual: try await schema.gymrats.boards())
        #expect(difference == [])
        let open = try await schema.sql(
          "select count(*) from challenge where state <> 'closed' and ends_at + interval '1 hour' <= domain_now()"
        )
        #expect(open == ["0"])
      }
    }
  }

  @Test(.sampled())
  func `production writes, worked only by workers that die in their work`() async throws {
    let random = Randomness()
    let lines = Self.recentLines(random)
    try await TestSchema.with { schema in
      try await join(membersOf: lines, schema)
      try await schema.slowDown("after update", "board_version", seconds: 0.03)
      let kills = Kills()
      try await withThrowingTaskGroup { group in
        let isOver = Flag()
        for _ in 0..<3 {
          group.addTask {
            try await keepKillingInWork(kills, of: schema, random, until: { isOver.isSet })
          }
        }
        group.addTask {
          defer { isOver.set() }
          let writer = try await schema.connect()
          for (number, line) in lines.enumerated() {
            try await record(line, "w\(number)", writer, schema)
          }
          await writer.close()
          try await eventually("twelve kills of workers in their work", within: .seconds(300)) {
            // Only changes are published, so the entries are updated.
            try await schema.sql("update entry set last_updated = now()")
            try await Task.sleep(for: .milliseconds(200))
            return kills.inWork >= 12
          }
        }
        try await group.waitForAll()
      }
      print("killed \(kills.ofWorkers) workers, \(kills.inWork) in their work, \(random)")
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await expectNothingLeft(schema)
      try await expectBoards(of: lines, from: schema.gymrats)
    }
  }

  // MARK: - Killing

  /// Lets one worker after another live for a random time.
  private func keepKilling(
    _ kills: Kills, of schema: TestSchema, _ random: Randomness, until isOver: () -> Bool
  ) async throws {
    while !isOver() {
      let worker = try schema.gymrats.start("worker")
      defer { worker.signal(SIGKILL) }
      try await Task.sleep(for: .milliseconds(random.number(in: 200...1_500)))
      try await kill(worker)
      kills.countWorker()
    }
  }

  /// Kills the replay repeatedly, and then lets it end.
  private func replayWithKills(
    _ kills: Kills, of schema: TestSchema, _ random: Randomness, lineCount: Int,
    _ arguments: [String]
  ) async throws {
    try await limitWorkouts(schema)
    while kills.ofReplays < Self.replayKills {
      let done = try await workouts(schema)
      try await allowWorkouts(lineCount / (Self.replayKills + 2), schema)
      let replay = try schema.gymrats.start(arguments)
      defer { replay.signal(SIGKILL) }
      // The kill waits until the replay has progressed. Otherwise, the replay would never end on a
      // slow machine.
      try await eventually("a step of the replay", within: .seconds(120)) {
        try await workouts(schema) > done
      }
      try await Task.sleep(for: .milliseconds(random.number(in: 0...500)))
      try await kill(replay)
      kills.countReplay()
    }
    try await allowWorkouts(.max / 2, schema)
    let ended = try await schema.gymrats.start(arguments).wait(within: .seconds(3_000))
    try #require(ended.status == 0, "\(ended.errors)")
  }

  /// Makes inserts of workouts wait at a limit.
  ///
  /// Otherwise, a replay could end before it is killed.
  private func limitWorkouts(_ schema: TestSchema) async throws {
    try await schema.sql("create sequence workout_insert")
    try await schema.sql("create table workout_limit as select 0::bigint as most")
    try await schema.sql(
      """
      create function wait_at_limit() returns trigger language plpgsql as $$
      declare number constant bigint := nextval('workout_insert');
      begin
        while number > (select most from workout_limit) loop perform pg_sleep(0.02); end loop;
        return null;
      end $$
      """)
    try await schema.sql(
      """
      create trigger wait_at_limit before insert on workout
      for each statement execute function wait_at_limit()
      """)
  }

  /// Lets a number of further inserts of workouts continue.
  private func allowWorkouts(_ count: Int, _ schema: TestSchema) async throws {
    try await schema.sql(
      "update workout_limit set most = (select last_value from workout_insert) + \(count)")
  }

  /// Kills a worker when it has claimed runs, or at a random moment if it has none.
  private func keepKillingInWork(
    _ kills: Kills, of schema: TestSchema, _ random: Randomness, until isOver: () -> Bool
  ) async throws {
    let connection = try await schema.connect()
    while !isOver() {
      let worker = try schema.gymrats.start("worker")
      defer { worker.signal(SIGKILL) }
      let deadline = ContinuousClock.now + .milliseconds(random.number(in: 300...2_500))
      try await eventually("runs in hand, or the time") {
        if ContinuousClock.now > deadline { return true }
        return try await runsHeld(by: worker, schema, connection) > 0
      }
      try await kill(worker)
      kills.countWorker()
      if try await runsHeld(by: worker, schema, connection) > 0 { kills.countInWork() }
    }
    await connection.close()
  }

  private func kill(_ process: TestProcess) async throws {
    process.signal(SIGKILL)
    let ended = try await process.wait()
    guard ended.status == 128 + SIGKILL else {
      throw TestFailure("it ended before it was killed: \(ended.status), \(ended.errors)")
    }
  }

  private func runsHeld(
    by worker: TestProcess, _ schema: TestSchema, _ connection: Connection
  ) async throws -> Int {
    let count = try await connection.sql(
      """
      select count(*) from run r join worker w on w.id = r.worker
      where r.state = 'running' and w.name like '%:\(worker.id)'
      """, in: schema.schema)
    return Int(count.first ?? "") ?? 0
  }

  // MARK: - Writing

  /// Workouts of this week, because the board of an earlier week may be closed in the meantime.
  private static func recentLines(_ random: Randomness) -> [CheckInLine] {
    let now = Int64(Date().timeIntervalSince1970) * 1_000_000
    // 1970-01-05 was a Monday.
    let week = Int64(604_800_000_000)
    let sinceMonday = max((now - 4 * 86_400_000_000) % week, 10_000_000)
    return (0..<200).map { number in
      CheckInLine(
        group: Array("g\(random.number(in: 0..<40))".utf8),
        member: Array("m\(random.number(in: 0..<5))".utf8),
        instant: now - Int64(random.number(in: 1_000_000..<Int(sinceMonday))),
        utcOffset: random.number(in: -48...56) * 900, line: number + 2)
    }
  }

  private func join(membersOf lines: [CheckInLine], _ schema: TestSchema) async throws {
    let members = Dictionary(grouping: lines) { [Name($0.group), Name($0.member)] }
    for (name, lines) in members.sorted(by: { $0.key[0] < $1.key[0] }) {
      let (group, member) = (text(name[0]), text(name[1]))
      let earliest = lines.map(\.instant).min() ?? 0
      try await People(schema).join(
        "\(group)-\(member)", group: group, joinedAt: instant(earliest))
      try await schema.sql(
        "update users set display_name = '\(member)' where id = '\(group)-\(member)'")
    }
  }

  private func record(
    _ line: CheckInLine, _ id: String, _ connection: Connection, _ schema: TestSchema
  ) async throws {
    let user = "\(text(Name(line.group)))-\(text(Name(line.member)))"
    let outcome = try await connection.sql(
      """
      select outcome::text
      from record_workout('\(user)', '\(id)', \(instant(line.instant)), \(line.utcOffset))
      """, in: schema.schema)
    try #require(outcome == ["accepted"])
  }

  private func instant(_ microseconds: Int64) -> String {
    "timestamptz 'epoch' + \(microseconds) * interval '1 microsecond'"
  }

  private func text(_ name: Name) -> String { String(decoding: name.bytes, as: UTF8.self) }

  // MARK: - Looking

  private func workouts(_ schema: TestSchema) async throws -> Int {
    Int(try await schema.sql("select count(*) from workout").first ?? "") ?? 0
  }

  private func expectNothingLeft(_ schema: TestSchema) async throws {
    #expect(try await schema.sql("select count(*) from run") == ["0"])
    #expect(try await schema.sql("select error from dead_run") == [])
  }
}

/// The number of killed processes.
private final class Kills: Sendable {
  private let counts = Mutex((workers: 0, inWork: 0, replays: 0))

  var ofWorkers: Int { counts.withLock { $0.workers } }
  var inWork: Int { counts.withLock { $0.inWork } }
  var ofReplays: Int { counts.withLock { $0.replays } }

  func countWorker() { counts.withLock { $0.workers += 1 } }
  func countInWork() { counts.withLock { $0.inWork += 1 } }
  func countReplay() { counts.withLock { $0.replays += 1 } }
}

/// A flag that is set once.
private final class Flag: Sendable {
  private let value = Mutex(false)
  var isSet: Bool { value.withLock { $0 } }
  func set() { value.withLock { $0 = true } }
}

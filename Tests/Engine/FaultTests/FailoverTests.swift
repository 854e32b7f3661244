import BatonPostgres
import Foundation
import TestSupport
import Testing

private let faults = parameter("BATON_FAILOVERS", default: 0)

/// Workers, an API, effects, schedules and live streams during changes of the PostgreSQL leader.
///
/// `BATON_FAILOVERS` is the number of faults. If it is not set, the suite is skipped, because it
/// needs root, Patroni and etcd, and each fault takes about half a minute.
@Suite(.timeLimit(.minutes(60)), .enabled(if: faults > 0, "failovers: make test-all"))
struct FailoverTests {
  @Test func `failovers lose no acknowledged write, effect or occurrence, and no worker restarts`()
    async throws
  {
    try await FailoverCluster.with { cluster in
      try await TestSchema.with(.standard, at: cluster.address) { schema in
        try await schema.gymrats.succeed("migrate")
        try await schema.sql(
          "create table effect (key text, at timestamptz not null default clock_timestamp())")
        try await FailoverStorm(cluster: cluster, schema: schema).rage(faults: faults)
      }
    }
  }
}

/// The load, the faults, and the conditions that must hold after the faults.
private struct FailoverStorm {
  let cluster: FailoverCluster
  let schema: TestSchema
  private let random = Randomness()
  private let load: WorkoutLoad
  private let mails: MailLoad
  private let boards: LiveLoad
  private let folder: TemporaryFolder
  /// The times from the first write that the new leader accepts until a worker's heartbeat.
  private let prompt = Samples()
  /// The same times, if one host of the address does not respond.
  private let besideDeadHost = Samples()

  init(cluster: FailoverCluster, schema: TestSchema) throws {
    self.cluster = cluster
    self.schema = schema
    // A failover takes Patroni's ttl of 20 s, and a restart of all nodes takes longer.
    load = WorkoutLoad(schema: schema, groups: 20, longestOutage: .seconds(120))
    mails = MailLoad(schema)
    boards = LiveLoad(schema, groups: 20)
    folder = try TemporaryFolder()
  }

  private var box: String { folder.path + "/mails" }

  func rage(faults: Int) async throws {
    try await load.join()
    let workers = try (1...2).flatMap { _ in
      [try schema.gymrats.start("worker"), try startMailer()]
    }
    defer { for worker in workers { worker.signal(SIGKILL) } }
    try await eventually("four workers") {
      try await schema.sql("select count(*) from worker") == ["4"]
    }
    let start = Date()
    let (workouts, lastFault) = try await withThrowingTaskGroup(of: Int.self) { group in
      let isOver = Flag()
      defer { isOver.set() }
      let following = Task { await boards.follow() }
      defer { following.cancel() }
      group.addTask {
        try await load.record(writers: 4, random, pause: .milliseconds(40)) { isOver.isSet }
      }
      group.addTask {
        try await mails.ask { isOver.isSet }
        return 0
      }
      for number in 0..<faults { try await fail(number, workers) }
      let lastFault = Date()
      isOver.set()
      let workouts = try await group.reduce(0, +)
      try await schema.expectEnd(of: workers, after: lastFault)
      try await boards.expectNewest(schema)
      return (workouts, lastFault)
    }
    try await expectEverything(workouts, from: start, after: lastFault)
    print("FIGURE \(faults) failovers, \(workouts) workouts, none lost; \(random)")
    prompt.expect(p99: .seconds(2), "FIGURE from a new leader to a heartbeat")
    if besideDeadHost.count > 0 {
      besideDeadHost.expect(p99: .seconds(4), "FIGURE the same, beside a dead host")
    }
  }

  private func startMailer() throws -> TestProcess {
    try TestProcess(
      try BatonProgram.path(of: "CrashingWorker"), [],
      environment: BatonProgram.inherited.merging([
        "DATABASE_URL": cluster.address, "BATON_SCHEMA": schema.schema.name, "POST_BOX": box,
      ]) { $1 }, directory: "/")
  }

  // MARK: One fault

  private func fail(_ number: Int, _ workers: [TestProcess]) async throws {
    let kinds = FailoverCluster.Fault.allCases
    let fault = kinds[number % kinds.count]
    try await Task.sleep(for: .milliseconds(random.number(in: 1_000...4_000)))
    let old = try await cluster.leader()
    let began = ContinuousClock.now
    let new = try await cluster.inflict(fault, on: old)
    try await expectHeartbeats(of: workers, on: new, fault == .off ? besideDeadHost : prompt)
    let worked = ContinuousClock.now
    try await boards.expectNews()
    print(
      """
      \(number + 1). \(fault.rawValue): node \(old.node) to \(new.node) after \
      \(began.duration(to: new.since)), the last heartbeat \(new.since.duration(to: worked)) \
      later, all boards \(new.since.duration(to: .now)) later
      """)
    try await cluster.repair(fault, of: old)
    let ended = workers.filter { !$0.isRunning }.map(\.errorsSoFar)
    #expect(ended == [], "a worker has ended")
  }

  /// Waits until each worker has sent a heartbeat to the new leader.
  private func expectHeartbeats(
    of workers: [TestProcess], on leader: FailoverCluster.Leader, _ samples: Samples
  ) async throws {
    var missing = Set(workers.map(\.id))
    try await eventually("heartbeats of all workers", within: .seconds(30)) {
      let names = try await cluster.sql(
        """
        select substring(name from ':([0-9]+)$') from worker
        where heartbeat_at > '\(leader.time)'
        """, on: leader.node, in: schema.schema)
      for name in names {
        guard let id = Int32(name.filter { $0 != "\"" }), missing.remove(id) != nil else {
          continue
        }
        samples.add(since: leader.since)
      }
      return missing.isEmpty
    }
  }

  // MARK: Afterwards

  private func expectEverything(
    _ workouts: Int, from start: Date, after lastFault: Date
  ) async throws {
    try await load.expectBoards(of: workouts)
    let (effects, repeated) = try mails.expectEffects(in: box)
    let beats = try await schema.sql(
      """
      select count(*) from (select key::timestamptz as at, count(*) as n from effect group by 1) b
      """)
    try await schema.expectEachOccurrence(from: start, after: lastFault)
    try await schema.expectNoResync()
    print(
      "FIGURE \(mails.count) mails asked for, \(effects) sent, \(repeated) of them again, "
        + "\(beats[0]) occurrences")
  }
}

import BatonPostgres
import Foundation
import Synchronization
import TestSupport
import Testing

private let shelves = parameter("BATON_WEEK_SHELVES", default: 0)

/// Simulates the faults and deployments of a week, without any manual repair.
///
/// `BATON_WEEK_SHELVES` is the number of steps of a chunked job, with one second for each step. If
/// it is not set, the suite is skipped, because it needs root, Patroni and etcd, and takes a
/// quarter of an hour. `Tests/two-releases` builds the programs.
@Suite(.timeLimit(.minutes(60)), .enabled(if: shelves > 0, "an operator's week: make test-all"))
struct OperatorWeekTests {
  private static let schema: Schema = {
    guard let schema = Schema("orders") else { preconditionFailure("it is a schema's name") }
    return schema
  }()

  @Test func `deployments, outages, a failover and killed workers lose nothing and need no person`()
    async throws
  {
    try await FailoverCluster.with { cluster in
      try await TestSchema.with(Self.schema, at: cluster.address) { schema in
        try await OperatorWeek(cluster: cluster, schema: schema).run()
      }
    }
  }
}

/// The status of the carrier's responses, or nil if the carrier does not respond.
private final class CarrierStatus: Sendable {
  private let status = Mutex<Int?>(204)
  var value: Int? {
    get { status.withLock(\.self) }
    set { status.withLock { $0 = newValue } }
  }
}

/// The load, the units and the events of the week.
private struct OperatorWeek {
  let cluster: FailoverCluster
  let schema: TestSchema
  private let carrier: PushReceiver
  private let status: CarrierStatus
  private let parcels: CallLoad
  private let pipe: LogPipe
  private let folder: TemporaryFolder
  private let units: [WorkerUnit]
  /// The machine that is killed every minute.
  private let spot: WorkerUnit

  init(cluster: FailoverCluster, schema: TestSchema) throws {
    self.cluster = cluster
    self.schema = schema
    let status = CarrierStatus()
    self.status = status
    carrier = try PushReceiver { _ in status.value }
    parcels = CallLoad(
      schema,
      Statement("test/order", "insert into parcel (product, address) values ('book', $1)"),
      prefix: "address")
    folder = try TemporaryFolder()
    pipe = try LogPipe(path: folder.path + "/log")
    let settings = [
      "DATABASE_URL": cluster.address, "BATON_SCHEMA": schema.schema.name,
      "CARRIER_URL": carrier.address,
    ]
    let program = try Self.program(1)
    units = [
      WorkerUnit("first", program, [], settings),
      WorkerUnit(
        "second", program, ["--verbose"],
        settings.merging(["LOG_PIPE": pipe.path]) { $1 }),
    ]
    spot = WorkerUnit("spot", program, ["--jobs", "count-stock"], settings)
  }

  /// Returns the path of a release's program.
  private static func program(_ release: Int) throws -> String {
    let path = Checkout.root.appending(path: ".build/releases/\(release)/debug/orders").path()
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw TestFailure("there is no \(path): `Tests/two-releases` builds it")
    }
    return path
  }

  private func orders(_ release: Int) throws -> BatonProgram {
    BatonProgram(
      executable: try Self.program(release),
      environment: ["DATABASE_URL": cluster.address, "BATON_SCHEMA": schema.schema.name])
  }

  private var all: [WorkerUnit] { units + [spot] }

  func run() async throws {
    defer {
      for unit in all { unit.kill() }
      pipe.close()
      carrier.close()
    }
    let isOver = Flag()
    let (start, lastFault) = try await withThrowingTaskGroup(of: Void.self) { group in
      defer { isOver.set() }
      for unit in all { group.addTask { try await unit.run() } }
      try await eventually("three workers", within: .seconds(60)) {
        (try? await schema.sql("select count(*) from worker")) == ["3"]
      }
      let start = Date()
      try await schema.sql(
        "select enqueue('count-stock', 'all', jsonb_build_object('shelves', \(shelves)))")
      group.addTask { try await parcels.call { isOver.isSet } }
      group.addTask { try await killSpot(until: isOver) }
      try await live()
      let lastFault = Date()
      try await eventually("the end of the count", within: .seconds(shelves * 2)) {
        try await schema.sql("select count(*) from shelf_count") == ["\(shelves)"]
      }
      isOver.set()
      try await expectEnd(after: lastFault)
      for unit in all { unit.stop() }
      try await group.waitForAll()
      return (start, lastFault)
    }
    try await expectEverything(from: start, after: lastFault)
  }

  /// Kills the worker of the chunked job every minute.
  private func killSpot(until isOver: Flag) async throws {
    var seconds = 0
    while !isOver.isSet {
      try await Task.sleep(for: .seconds(1))
      seconds += 1
      if seconds.isMultiple(of: 60) { spot.restart(with: SIGKILL) }
    }
  }

  // MARK: The events

  private func live() async throws {
    try await event("a blocked log pipe") {
      pipe.block(true)
      try await eventually("a full pipe", within: .seconds(60)) { pipe.isFull }
      try await expectWork()
      try await Task.sleep(for: .seconds(10))
      try await expectWork()
      pipe.block(false)
    }
    try await event("a carrier that refuses") { try await fail(carrier: 503) }
    try await event("a carrier that does not answer") { try await fail(carrier: nil) }
    try await event("a deployment") {
      try await deploy(2)
      // A restarted worker of the older release changes nothing.
      units[0].restart(from: try Self.program(1), with: SIGKILL)
      try await expectWork()
      try await expectRelease(2)
      units[0].restart(from: try Self.program(2))
    }
    try await event("an outage of all servers") {
      let leader = try await cluster.leader()
      _ = try await cluster.inflict(.restart, on: leader)
      try await cluster.repair(.restart, of: leader)
    }
    try await event("a retired job") { try await retire() }
    try await event("a rollback") {
      try await orders(1).succeed("migrate", "--take-over")
      try await deploy(1)
      try await expectRetired()
    }
    try await event("a full disk") {
      let leader = try await cluster.leader()
      try await cluster.fill(leader, true)
      await #expect(throws: PostgresError.self, "the disk is not full") {
        try await schema.sql(
          "create table filler as select repeat('x', 1000) from generate_series(1, 100000)")
      }
      try await Task.sleep(for: .seconds(20))
      try await cluster.fill(leader, false)
    }
    try await event("a failover") {
      let leader = try await cluster.leader()
      _ = try await cluster.inflict(.off, on: leader)
      try await expectWork()
      try await cluster.repair(.off, of: leader)
    }
    try await event("the release again") {
      try await orders(2).succeed("migrate", "--take-over")
      try await deploy(2)
    }
  }

  /// Runs an event, and waits until runs are processed again.
  private func event(_ name: String, _ body: () async throws -> Void) async throws {
    let began = ContinuousClock.now
    let ended: ContinuousClock.Instant
    do {
      try await body()
      ended = .now
      try await expectWork()
    } catch {
      await describe()
      throw TestFailure("\(name): \(error)")
    }
    print(
      """
      FIGURE \(name): \(began.duration(to: ended)), then work after \(ended.duration(to: .now)), \
      \(pipe.bytes + all.map(\.logged).reduce(0, +)) bytes of logs
      """)
    #expect(all.flatMap(\.problems) == [], "\(name)")
    #expect(try await schema.sql("select job, key, error from dead_run") == [], "\(name)")
  }

  /// Prints the state of the queue and the workers.
  private func describe() async {
    for text in [
      """
      select job, state, key, attempt, crashes, batch_limit, worker, due - now()
      from run where job <> 'print-list' order by due limit 40
      """,
      "select id, name, release, now() - heartbeat_at, missing_since from worker",
      "select job, key, left(error, 200) from dead_run",
      """
      select pid, application_name, state, wait_event, now() - state_change, left(query, 100)
      from pg_stat_activity where datname = current_database()
      """,
    ] { print((try? await schema.sql(text)) ?? []) }
    for unit in all { print(unit.name, unit.errors.suffix(2_000)) }
  }

  private func fail(carrier answer: Int?) async throws {
    status.value = answer
    try await Task.sleep(for: .seconds(30))
    status.value = 204
  }

  /// Restarts one worker after another, as a rolling deployment does.
  private func deploy(_ release: Int) async throws {
    let program = try Self.program(release)
    for unit in all {
      let starts = unit.starts
      unit.restart(from: program)
      try await eventually("a start of \(unit.name)", within: .seconds(60)) {
        unit.starts > starts
      }
      try await eventually("three workers", within: .seconds(60)) {
        try await schema.sql("select count(*) from worker") == ["3"]
      }
    }
    try await expectRelease(release)
  }

  private func expectRelease(_ release: Int) async throws {
    let found = try await schema.sql(
      "select release, (select batch from job where name = 'tell-warehouse') from program_release")
    #expect(found == ["\(release),\(release == 1 ? 500 : 250)"])
  }

  private func retire() async throws {
    try await schema.sql(
      "select enqueue('print-list', n::text, run_at => now() + interval '1 day') from generate_series(1, 20) n"
    )
    try await orders(2).succeed("jobs", "retire", "print-list", "--cancel-runs")
    try await expectRetired()
  }

  private func expectRetired() async throws {
    #expect(try await schema.sql("select count(*) from run where job = 'print-list'") == ["0"])
    await #expect(throws: PostgresError.self, "a retired job takes runs") {
      try await schema.sql("select enqueue('print-list', 'x')")
    }
  }

  // MARK: Invariants

  /// Waits until a new parcel is on the list of the warehouse and is shipped.
  private func expectWork() async throws {
    let key = "probe-\(UUID())"
    var id: String?
    try await eventually("a parcel that is picked and shipped", within: .seconds(90)) {
      if id == nil {
        // A call whose response was lost may have taken effect.
        id = (try? await schema.sql("select id from parcel where address = '\(key)'"))?.first
      }
      guard let id else {
        _ = try? await schema.sql(
          "insert into parcel (product, address) values ('book', '\(key)')")
        return false
      }
      guard carrier.requests.contains(where: { $0.body == id }) else { return false }
      return (try? await schema.sql("select from picking where parcel = \(id)"))?.count == 1
    }
  }

  /// Waits until all runs have ended.
  private func expectEnd(after lastFault: Date) async throws {
    try await schema.expectOccurrence(after: lastFault)
    try await orders(2).succeed("schedule", "pause", "beat")
    try await eventually("the end of all runs", within: .seconds(120)) {
      try await schema.sql(
        "select where not exists (select from run) and not exists (select from unfolded_event)"
      ).count == 1
    }
  }

  private func expectEverything(from start: Date, after lastFault: Date) async throws {
    let ordered = try await schema.sql("select address from parcel where address ~ '^address'")
    let stored = Set(ordered.map { $0.filter { $0 != "\"" } })
    let acknowledged = parcels.acknowledged
    #expect(acknowledged.filter { !stored.contains($0) } == [], "lost parcels")
    #expect(
      try await schema.sql("select id from parcel where id not in (select parcel from picking)")
        == [], "parcels that the warehouse does not know")
    let ids = Set(try await schema.sql("select id from parcel"))
    let requests = Dictionary(grouping: carrier.requests) { $0.body }
    #expect(ids.filter { requests[$0] == nil } == [], "parcels that were not shipped")
    #expect(
      requests.filter { Set($0.value.map(\.key)).count > 1 }.isEmpty, "parcels shipped twice")
    try await schema.expectEachOccurrence(from: start, after: lastFault)
    #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
    // The report contains the sum over all attempts of the run.
    #expect(
      try await schema.sql(
        "select report ->> 'shelves' from run_history where job = 'count-stock'") == ["\(shelves)"])
    // The second worker logs to the pipe at the level debug, and `logged` contains only the rest.
    let logged = all.map(\.logged).reduce(0, +)
    #expect(logged < 1_000_000, "bytes of logs at the default level")
    print(
      """
      FIGURE a week: \(acknowledged.count) parcels, \(carrier.requests.count) requests to the \
      carrier for \(ids.count) parcels; starts: \
      \(all.map { "\($0.name) \($0.starts)" }.joined(separator: ", ")); \
      \(all.map { "\($0.name) \($0.logged)" }.joined(separator: ", ")) bytes of logs, and \
      \(pipe.bytes) bytes at level debug
      """)
  }
}

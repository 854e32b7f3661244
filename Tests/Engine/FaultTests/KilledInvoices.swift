import BatonPostgres
import Foundation
import TestSupport
import Testing

/// The load of the example `invoices`, and its workers.
struct KilledInvoices {
  static let tenants = 20
  static let mails = 2_000
  /// The number of invoices, of which the first are reminded of.
  static let invoices = 1_000
  static let reminders = 300
  /// The number of payments, of which the bank confirms those with odd numbers.
  static let payments = 100
  static let months = 3
  static let exports = 3

  let lines: Int
  let connection: Connection
  let units: [WorkerUnit]
  private let schema: Schema
  private let program: BatonProgram
  private let folder: TemporaryFolder
  private let random = Randomness()

  init(at configuration: ConnectionConfiguration, lines: Int) async throws {
    self.lines = lines
    schema = try #require(Schema("invoices"))
    folder = try TemporaryFolder()
    let settings = [
      "DATABASE_URL": configuration.address, "PROVIDER_FILE": "\(folder.path)/deliveries",
    ]
    let path = try Self.path("invoices")
    program = BatonProgram(executable: path, environment: settings)
    units = ["first", "second", "third"].map { WorkerUnit($0, path, [], settings) }
    connection = try await Connection.open(configuration)
  }

  /// Returns the path of a result of the example's build.
  static func path(_ name: String) throws -> String {
    let path = Checkout.root.appending(path: ".build/invoices/debug/\(name)")
      .path(percentEncoded: false)
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw TestFailure("there is no \(path): `Tests/all invoices` builds it")
    }
    return path
  }

  /// Runs one statement, and returns each row as one line of text.
  @discardableResult
  func sql(_ text: String) async throws -> [String] {
    try await connection.sql(text, in: schema)
  }

  /// The deliveries that the example has recorded.
  func deliveries() throws -> [RecordedDelivery] {
    try String(contentsOfFile: "\(folder.path)/deliveries", encoding: .utf8)
      .split(separator: "\n").map(RecordedDelivery.init)
  }

  /// The number of workers that were killed and started again.
  var kills: Int { units.map(\.starts).reduce(0, +) - units.count }

  func run() async throws {
    defer { for unit in units { unit.kill() } }
    let began = ContinuousClock.now
    try await program.succeed("migrate")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for unit in units { group.addTask { try await unit.run() } }
      do {
        try await workUnderKills()
      } catch {
        await describe()
        throw error
      }
      // A process that has not registered may not handle the signal yet.
      try await eventually("registered workers", within: .seconds(60)) {
        let ids = units.filter(\.isUp).compactMap(\.process)
        let names = try await sql("select split_part(name, ':', 2) from worker")
        return ids.count == units.count && Set(names).isSuperset(of: ids.map(String.init))
      }
      for unit in units { unit.stop() }
      try await group.waitForAll()
    }
    try await expectEverything(took: began.duration(to: .now))
  }

  private func workUnderKills() async throws {
    let isOver = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { isOver.set() }
      group.addTask {
        while !isOver.isSet {
          try await Task.sleep(for: .seconds(3))
          let unit = units[random.number(in: 0..<units.count)]
          if unit.isUp { unit.restart(with: SIGKILL) }
        }
      }
      // The deaths of idle workers prove that a worker also dies without a certain run. Otherwise, the
      // engine could suspect the import after three kills.
      try await eventually("deaths of idle workers", within: .seconds(120)) {
        try await sql("select from worker_death").count >= 2
      }
      try await load()
      try await moveReminders()
      try await backfillReports()
      try await export()
      try await confirm(from: 3)
      try await eventually("the end of all runs", within: .seconds(300)) { try await hasEnded() }
    }
  }

  // MARK: The load

  private func load() async throws {
    try await sql(
      """
      insert into tenant (id, email, zone)
      select n, format('tenant-%s@example.org', n),
        (array['UTC', 'Europe/Berlin', 'Asia/Tokyo', 'America/New_York'])[1 + n % 4]
      from generate_series(1, \(Self.tenants)) n
      """)
    let upload = try folder.write("upload", lines: (1...lines).map { "customer-\($0),\($0)" })
    try await sql(
      "select enqueue('import-lines', 'big', jsonb_build_object('path', '\(upload)'))")
    try await sql(
      """
      insert into invoice (id, tenant, customer, cents, due_at)
      select n, 1 + n % \(Self.tenants), 'customer-' || n, n, now() + interval '30 days'
      from generate_series(1, \(Self.invoices)) n
      """)
    try await sql(
      """
      select count(enqueue('send-mail', null, jsonb_build_object(
        'tenant', 1 + n % \(Self.tenants), 'to', 'customer-' || n, 'about', 'invoice ' || n)))
      from generate_series(1, \(Self.mails)) n
      """)
    try await sql(
      """
      insert into payment (id, invoice, tenant, patience)
      select n, i.id, i.tenant, case n % 2 when 1 then 3600 else 20 end
      from generate_series(1, \(Self.payments)) n
      join invoice i on i.id = \(Self.reminders) + n
      """)
    try await confirm(from: 1)
  }

  /// Confirms every fourth payment.
  private func confirm(from first: Int) async throws {
    try await sql(
      """
      select count(*) from (
        select send_event('bank.confirmed', n::text)
        from generate_series(\(first), \(Self.payments), 4) n offset 0) sent
      """)
  }

  /// Moves the due dates of invoices twice, so that the reminders are due in a few seconds.
  private func moveReminders() async throws {
    let which = "where id <= \(Self.reminders)"
    try await sql(
      "update invoice set due_at = now() - interval '7 days' + interval '20 minutes' \(which)")
    try await eventually("reminders that have moved", within: .seconds(60)) {
      try await sql(
        """
        select count(*) from run
        where job = 'remind-customer' and run_at < now() + interval '1 hour'
        """) == ["\(Self.reminders)"]
    }
    try await sql(
      """
      update invoice set due_at = now() - interval '7 days' + make_interval(secs => 5 + id % 10)
      \(which)
      """)
  }

  /// Fires the monthly schedule of each tenant for past months.
  private func backfillReports() async throws {
    try await eventually("a schedule of each tenant", within: .seconds(60)) {
      try await sql("select count(*) from schedule where job = 'report-month'")
        == ["\(Self.tenants)"]
    }
    let days = try await sql(
      """
      select (month - interval '\(Self.months) months 15 days')::date,
        (month - interval '15 days')::date
      from date_trunc('month', now()) month
      """
    )[0].split(separator: ",").map(String.init)
    for tenant in 1...Self.tenants {
      try await program.succeed(
        "schedule", "backfill", "report-month/tenant-\(tenant)", "--from", days[0], "--to", days[1])
    }
  }

  private func export() async throws {
    try await eventually("the end of the import", within: .seconds(300)) {
      try await sql("select from run_history where job = 'import-lines'").count == 1
    }
    try await sql(
      "insert into export (id, upload) select n, 'big' from generate_series(1, \(Self.exports)) n")
  }

  /// Whether only reminders that are due in some weeks are left.
  private func hasEnded() async throws -> Bool {
    try await sql(
      """
      select where not exists (select from unfolded_event)
        and not exists (select from run where coalesce(run_at, due) < now() + interval '1 day')
        and not exists (select from batch where ended_at is null)
      """
    ).count == 1
  }

  /// Prints the state of the queue and the workers.
  private func describe() async {
    for text in [
      """
      select job, state, key, attempt, crashes, worker, due - now(), left(last_error, 200)
      from run where coalesce(run_at, due) < now() + interval '1 day' order by due limit 40
      """,
      "select job, key, left(error, 200) from dead_run limit 20",
      "select name, ended_at, done, dead from batch",
    ] { print((try? await sql(text)) ?? []) }
    for unit in units { print(unit.name, unit.problems, unit.errors.suffix(2_000)) }
  }
}

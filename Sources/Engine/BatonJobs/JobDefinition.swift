/// A job's definition as the runner and the schema use it, without the job's Swift type.
package struct JobDefinition: Sendable {
  /// The name that the schema stores, which is the job's original name.
  ///
  /// In every release, runs, schedules, limits and history are stored under this name, so a rename
  /// does not move any rows.
  package let name: String
  /// The names that the job was given after its original name, from oldest to newest.
  package let aliases: [String]
  /// The topics of the events that trigger the job.
  ///
  /// The topics of the tables in `tables` are not included.
  package let topics: [Topic]
  /// The tables whose writes trigger the job.
  package let tables: [TableTrigger]
  /// How the events of one key are merged into one run.
  package let debounce: Debounce
  /// The maximum number of runs that one transaction processes.
  package let batch: Int
  /// The number of attempts and the waits between them.
  package let retry: Retry
  /// The maximum duration of one of the job's transactions, and of each statement in that
  /// transaction.
  package let timeout: Duration
  /// The schedules that trigger the job.
  package let schedules: [JobSchedule]
  /// Whether every completed or dead run is recorded in `run_history`.
  package let keepsHistory: Bool
  /// Whether the job's keys have a type other than text.
  ///
  /// If the keys have a type other than text, a run that was enqueued without a key cannot be
  /// decoded.
  package let needsKey: Bool
  /// The payloads that a run gets from its events.
  package let payloads: Payloads
  /// The concurrency and rate limits of the job across all workers.
  package let limits: Limits
  /// The default priority of the job's runs, and the job's priority among a worker's jobs.
  ///
  /// A priority is a number from 1 (most urgent) to 9 (least urgent).
  package let priority: Int
  /// The maximum number of concurrent runs in one worker, or nil for a job that runs in
  /// transactions.
  package let concurrency: Int?
  /// If the schema has roles, the kind of database role that the job's code runs as, or nil for the
  /// worker's role.
  package let role: String?

  init(
    _ newest: String, formerly: [String] = [], topics: [Topic], tables: [TableTrigger],
    debounce: Debounce, batch: Int,
    retry: Retry, timeout: Duration, schedules: [JobSchedule], keepsHistory: Bool, needsKey: Bool,
    payloads: Payloads, limits: Limits, priority: Int,
    concurrency: Int?, role: String?
  ) {
    let names = formerly + [newest]
    let name = names[0]
    precondition(
      names.allSatisfy(Self.isName) && Set(names).count == names.count,
      "\(newest): a job's names are different, and lower-case letters, digits and -: \(names)")
    precondition(role.map(Self.isRole) ?? true, "\(name): a role is lower-case letters")
    precondition((1...10_000).contains(batch), "\(name): a batch has 1 to 10,000 runs")
    precondition(
      (.milliseconds(1)...Self.longestTimeout).contains(timeout),
      "\(name): a timeout is 1 ms to 24 days, because PostgreSQL can hold no other; "
        + "give a long job a StepJob")
    precondition((1...9).contains(priority), "\(name): a priority is 1 to 9")
    precondition(Set(topics).count == topics.count, "\(name): an event wakes it once")
    precondition(
      Set(tables.map { [$0.name, $0.key] }).count == tables.count,
      "\(name): a table with one key is declared once, with all of its writes")
    precondition(
      Set(schedules.map(\.name)).count == schedules.count
        && schedules.compactMap(\.name).allSatisfy(Self.isName),
      "\(name): of several schedules each has a name of lower-case letters, digits and -, but one")
    self.name = name
    aliases = Array(names.dropFirst())
    self.topics = topics
    self.tables = tables
    self.debounce = debounce
    self.batch = batch
    self.retry = retry
    self.timeout = timeout
    self.schedules = schedules
    self.keepsHistory = keepsHistory
    self.needsKey = needsKey
    self.payloads = payloads
    self.limits = limits
    self.priority = priority
    self.concurrency = concurrency
    self.role = role
  }

  /// The maximum timeout of a job.
  ///
  /// PostgreSQL stores timeouts as 31-bit millisecond counts.
  private static let longestTimeout = Duration.seconds(24 * 86_400)

  /// Whether the job's payloads describe changes to rows, so that several changes to one row are
  /// merged.
  package var joinsChanges: Bool { tables.contains(where: \.payload.isChange) }

  /// Returns whether the given name is one of the job's current or former names.
  package func isNamed(_ name: some StringProtocol) -> Bool {
    self.name == name || aliases.contains { $0 == name }
  }

  /// Whether the job acts outside the database.
  package var isEffect: Bool { concurrency != nil }

  private static func isRole(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 22 && name.utf8.allSatisfy { (97...122).contains($0) }
  }

  static func isName(_ name: String) -> Bool {
    (1...63).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-")
      }
  }
}

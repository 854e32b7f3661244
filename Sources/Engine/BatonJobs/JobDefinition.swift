/// A job's definition without its type: what the runner and the schema know about it.
package struct JobDefinition: Sendable {
  /// The job's name.
  ///
  /// It is stored with every run: never change it.
  package let name: String
  /// The topics of the events that trigger it, without those of its tables.
  package let topics: [Topic]
  /// The tables whose writes trigger it.
  package let tables: [TableTrigger]
  /// How the events of one key are merged into one run.
  package let debounce: Debounce
  /// The most runs worked in one transaction.
  package let batch: Int
  /// The number of attempts and the waits between them.
  package let retry: Retry
  /// The longest that one transaction of the work, or one statement in it, may take.
  package let timeout: Duration
  /// The schedules that trigger it.
  package let schedules: [JobSchedule]
  /// Whether every run that ends, done or dead, leaves a row in `run_history`.
  package let keepsHistory: Bool
  /// Whether its keys have a type other than text: a run that is enqueued without a key could not be decoded.
  package let needsKey: Bool
  /// Which payloads of its events a run gets.
  package let payloads: Payloads
  /// Concurrency and rate limits over all workers.
  package let limits: Limits
  /// 1 is the most urgent, 9 the least: among its own runs and among the jobs that a worker runs.
  package let priority: Int
  /// The most runs that one worker performs at the same time; nil for a job that works in transactions.
  package let concurrency: Int?
  /// The kind of role that its work acts as, if the schema has roles; nil: the worker's.
  package let role: String?

  init(
    _ name: String, topics: [Topic], tables: [TableTrigger], debounce: Debounce, batch: Int,
    retry: Retry, timeout: Duration, schedules: [JobSchedule], keepsHistory: Bool, needsKey: Bool,
    payloads: Payloads, limits: Limits, priority: Int,
    concurrency: Int?, role: String?
  ) {
    precondition(role.map(Self.isRole) ?? true, "\(name): a role is lower-case letters")
    precondition(Self.isName(name), "a job's name is lower-case letters, digits and -: \(name)")
    precondition((1...10_000).contains(batch), "\(name): a batch has 1 to 10,000 runs")
    precondition(timeout > .zero, "\(name): a timeout is longer than nothing")
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

  /// Whether its payloads are changes of rows, of which several are merged into one.
  package var joinsChanges: Bool { tables.contains(where: \.payload.isChange) }

  /// Whether its work is outside of the database.
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

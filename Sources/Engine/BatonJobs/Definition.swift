/// The definition of a job: its name, its triggers and its options.
///
/// Each kind of job has only the options that apply to that kind. For example, only a ``BatchJob``
/// has the `batch` option.
public struct Definition<J: Job>: Sendable {
  /// The definition as the runner stores it, without the job's Swift type.
  package let job: JobDefinition

  private init(
    named name: String, formerly: [String], on triggers: [Trigger<J>], debounce: Debounce,
    batch: Int, retry: Retry,
    timeout: Duration, keepsHistory: Bool, payloads: Payloads, limits: [Limit], priority: Int,
    concurrency: Int? = nil, role: String? = nil
  ) {
    job = JobDefinition(
      name, formerly: formerly, topics: triggers.compactMap(\.topic),
      tables: triggers.compactMap(\.table),
      debounce: debounce, batch: batch, retry: retry, timeout: timeout,
      schedules: triggers.compactMap(\.schedule), keepsHistory: keepsHistory,
      needsKey: J.Key.self != String.self,
      payloads: payloads, limits: Limits(limits, of: formerly.first ?? name), priority: priority,
      concurrency: concurrency, role: role)
  }
}

extension Definition where J: BatchJob {
  /// Creates the definition of a job that processes batches of runs.
  ///
  /// An invalid definition is a bug and stops the program. A name must consist of 1 to 63
  /// lower-case letters, digits and `-`. A batch can contain 1 to 10,000 runs. A timeout must be
  /// greater than zero.
  ///
  /// ```swift
  /// static let definition = Definition<Self>(
  ///   "count-orders", on: [.table("orders", on: .insert, key: "product")], batch: 500)
  /// ```
  ///
  /// - Parameters:
  ///   - name: the job's name, which is stored with every run. To rename the job, add the old name
  ///     to `formerly`.
  ///   - formerly: the earlier names of the job, oldest first. The job is always stored under its
  ///     oldest name, so never remove a name. docs/guides/changing-payloads.md describes how to
  ///     rename a job.
  ///   - triggers: the events, writes and schedules that create runs of the job. Callers can also
  ///     enqueue runs of any job.
  ///   - debounce: how the events of one key are merged into one run.
  ///   - batch: the maximum number of runs that one transaction processes.
  ///   - retry: the number of attempts and the waits between them.
  ///   - timeout: the maximum duration of one of the job's transactions, and of each statement in
  ///     that transaction.
  ///   - keepsHistory: whether every completed or dead run is recorded in `run_history`.
  ///   - payloads: whether a run gets only the newest payload of its events, or all payloads.
  ///   - limits: the concurrency and rate limits across all workers, at most one of each kind.
  ///   - priority: the priority of the job's runs, from 1 (most urgent) to 9 (least urgent). Claims
  ///     start the most urgent runs first, but every tenth claim starts the oldest runs.
  ///   - role: the kind of database role that the job's code runs as, if the schema has roles. The
  ///     job's role should have fewer privileges than the worker's role. The worker's role must be
  ///     a member of the job's role. A run is always completed with the worker's role.
  public init(
    _ name: String, formerly: [String] = [], on triggers: [Trigger<J>] = [],
    debounce: Debounce = .none, batch: Int = 100,
    retry: Retry = .usual, timeout: Duration = .seconds(20), keepsHistory: Bool = false,
    payloads: Payloads = .newest, limits: [Limit] = [], priority: Int = 5, role: String? = nil
  ) {
    self.init(
      named: name, formerly: formerly, on: triggers, debounce: debounce, batch: batch, retry: retry,
      timeout: timeout,
      keepsHistory: keepsHistory, payloads: payloads, limits: limits, priority: priority,
      role: role)
  }
}

extension Definition where J: StepJob {
  /// Creates the definition of a job that commits in steps.
  ///
  /// - Parameters:
  ///   - name: the job's name. `name`, `formerly`, `triggers`, `debounce` and `retry` mean the same
  ///     as for a ``BatchJob``.
  ///   - timeout: the maximum duration of one step, and of each statement in that step.
  ///   - keepsHistory: whether every completed or dead run is recorded in `run_history`.
  ///   - payloads: whether a run gets only the newest payload of its events, or all payloads.
  ///   - limits: the concurrency and rate limits across all workers, at most one of each kind.
  ///   - priority: the priority of the job's runs, from 1 (most urgent) to 9 (least urgent). Claims
  ///     start the most urgent runs first, but every tenth claim starts the oldest runs.
  ///   - role: the kind of database role that the job's code runs as, if the schema has roles. The
  ///     job's role should have fewer privileges than the worker's role. The worker's role must be
  ///     a member of the job's role. A run is always completed with the worker's role.
  public init(
    _ name: String, formerly: [String] = [], on triggers: [Trigger<J>] = [],
    debounce: Debounce = .none,
    retry: Retry = .usual, timeout: Duration = .seconds(20), keepsHistory: Bool = true,
    payloads: Payloads = .newest, limits: [Limit] = [], priority: Int = 5, role: String? = nil
  ) {
    self.init(
      named: name, formerly: formerly, on: triggers, debounce: debounce, batch: 1, retry: retry,
      timeout: timeout,
      keepsHistory: keepsHistory, payloads: payloads, limits: limits, priority: priority,
      role: role)
  }
}

extension Definition where J: EffectJob {
  /// Creates the definition of a job that acts outside the database.
  ///
  /// - Parameters:
  ///   - name: the job's name. `name`, `formerly`, `triggers`, `debounce`, `retry`, `payloads`,
  ///     `limits` and `priority` mean the same as for a ``BatchJob``.
  ///   - concurrency: the maximum number of concurrent runs in one worker, from 1 to 1,000.
  ///     `limits` apply across all workers.
  ///   - timeout: the maximum duration of one run.
  ///   - keepsHistory: whether every completed or dead run is recorded in `run_history`, together
  ///     with the output.
  public init(
    _ name: String, formerly: [String] = [], on triggers: [Trigger<J>] = [],
    debounce: Debounce = .none,
    concurrency: Int = 10,
    retry: Retry = .usual, timeout: Duration = .seconds(30), keepsHistory: Bool = false,
    payloads: Payloads = .newest, limits: [Limit] = [], priority: Int = 5
  ) {
    precondition((1...1_000).contains(concurrency), "\(name): 1 to 1,000 runs at once")
    self.init(
      named: name, formerly: formerly, on: triggers, debounce: debounce, batch: concurrency,
      retry: retry,
      timeout: timeout, keepsHistory: keepsHistory, payloads: payloads, limits: limits,
      priority: priority, concurrency: concurrency)
  }
}

/// The payloads that a run gets from its events.
///
/// The enumeration is frozen, because no other case is possible.
@frozen
public enum Payloads: Sendable {
  /// The run gets only the payload of its newest event.
  case newest
  /// The run gets the payloads of all of its events, up to 1,000 payloads, in order.
  ///
  /// Events after the first 1,000 become part of the next run.
  case all
}

/// The definition of a job: its name, its triggers and its options.
///
/// Each kind of job has only the options that apply to it: for example, only a ``BatchJob`` has `batch`.
public struct Definition<J: Job>: Sendable {
  /// The definition without the job's type, as the runner stores it.
  package let job: JobDefinition

  private init(
    named name: String, on triggers: [Trigger<J>], debounce: Debounce, batch: Int, retry: Retry,
    timeout: Duration, keepsHistory: Bool, payloads: Payloads, limits: [Limit], priority: Int,
    concurrency: Int? = nil, role: String? = nil
  ) {
    job = JobDefinition(
      name, topics: triggers.compactMap(\.topic), tables: triggers.compactMap(\.table),
      debounce: debounce, batch: batch, retry: retry, timeout: timeout,
      schedules: triggers.compactMap(\.schedule), keepsHistory: keepsHistory,
      needsKey: J.Key.self != String.self,
      payloads: payloads, limits: Limits(limits, of: name), priority: priority,
      concurrency: concurrency, role: role)
  }
}

extension Definition where J: BatchJob {
  /// Creates the definition of a job that works batches of runs.
  ///
  /// An invalid definition is a bug and stops the program. A name has 1 to 63 lower-case letters, digits and `-`. A
  /// batch has 1 to 10,000 runs. A timeout is longer than zero.
  ///
  /// ```swift
  /// static let definition = Definition<Self>(
  ///   "count-orders", on: [.table("orders", on: .insert, key: "product")], batch: 500)
  /// ```
  ///
  /// - Parameters:
  ///   - name: the job's name. It is stored with every run: never change it.
  ///   - triggers: what makes runs of the job. Any job can also be enqueued.
  ///   - debounce: how the events of one key are merged into one run.
  ///   - batch: the most runs worked in one transaction.
  ///   - retry: the number of attempts and the waits between them.
  ///   - timeout: the longest that one transaction of the work, or one statement in it, may take.
  ///   - keepsHistory: whether every run that ends, done or dead, leaves a row in `run_history`.
  ///   - payloads: which payloads of its events a run gets.
  ///   - limits: concurrency and rate limits over all workers, at most one of each kind.
  ///   - priority: 1 is the most urgent, 9 the least. Of the runs that may start, the most urgent start first; every
  ///     tenth time the oldest do.
  ///   - role: the kind of role that the work acts as, if the schema has roles. It should have fewer rights than the
  ///     worker's role, which must be a member of it. The runs are always completed with the worker's role.
  public init(
    _ name: String, on triggers: [Trigger<J>] = [], debounce: Debounce = .none, batch: Int = 100,
    retry: Retry = .usual, timeout: Duration = .seconds(20), keepsHistory: Bool = false,
    payloads: Payloads = .newest, limits: [Limit] = [], priority: Int = 5, role: String? = nil
  ) {
    self.init(
      named: name, on: triggers, debounce: debounce, batch: batch, retry: retry, timeout: timeout,
      keepsHistory: keepsHistory, payloads: payloads, limits: limits, priority: priority,
      role: role)
  }
}

extension Definition where J: StepJob {
  /// Creates the definition of a job that works in steps.
  ///
  /// - Parameters:
  ///   - name: as for a ``BatchJob``, like `triggers`, `debounce` and `retry`.
  ///   - timeout: the longest that one step, or one statement in it, may take.
  ///   - keepsHistory: whether every run that ends, done or dead, leaves a row in `run_history`.
  ///   - payloads: which payloads of its events a run gets.
  ///   - limits: concurrency and rate limits over all workers, at most one of each kind.
  ///   - priority: 1 is the most urgent, 9 the least. Of the runs that may start, the most urgent start first; every
  ///     tenth time the oldest do.
  ///   - role: the kind of role that the work acts as, if the schema has roles. It should have fewer rights than the
  ///     worker's role, which must be a member of it. The runs are always completed with the worker's role.
  public init(
    _ name: String, on triggers: [Trigger<J>] = [], debounce: Debounce = .none,
    retry: Retry = .usual, timeout: Duration = .seconds(20), keepsHistory: Bool = true,
    payloads: Payloads = .newest, limits: [Limit] = [], priority: Int = 5, role: String? = nil
  ) {
    self.init(
      named: name, on: triggers, debounce: debounce, batch: 1, retry: retry, timeout: timeout,
      keepsHistory: keepsHistory, payloads: payloads, limits: limits, priority: priority,
      role: role)
  }
}

extension Definition where J: EffectJob {
  /// Creates the definition of a job whose work is outside of the database.
  ///
  /// - Parameters:
  ///   - name: as for a ``BatchJob``, like `triggers`, `debounce`, `retry`, `payloads`, `limits` and `priority`.
  ///   - concurrency: the most runs performed at the same time by one worker, 1 to 1,000. `limits` apply over all
  ///     workers.
  ///   - timeout: the longest that one run may be performed.
  ///   - keepsHistory: whether every run that ends, done or dead, leaves a row in `run_history`, with its output.
  public init(
    _ name: String, on triggers: [Trigger<J>] = [], debounce: Debounce = .none,
    concurrency: Int = 10,
    retry: Retry = .usual, timeout: Duration = .seconds(30), keepsHistory: Bool = false,
    payloads: Payloads = .newest, limits: [Limit] = [], priority: Int = 5
  ) {
    precondition((1...1_000).contains(concurrency), "\(name): 1 to 1,000 runs at once")
    self.init(
      named: name, on: triggers, debounce: debounce, batch: concurrency, retry: retry,
      timeout: timeout, keepsHistory: keepsHistory, payloads: payloads, limits: limits,
      priority: priority, concurrency: concurrency)
  }
}

/// Which payloads of its events a run gets.
///
/// Frozen: a run has one payload or all of them.
@frozen
public enum Payloads: Sendable {
  /// Only the payload of the newest event.
  case newest
  /// The payloads of all events, in their order, at most 1,000.
  ///
  /// Further events make the next run.
  case all
}

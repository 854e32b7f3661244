/// Everything about a job but its work: a name and what wakes it, and what differs from the usual.
///
/// What a kind of job does not have cannot be said: only a ``BatchJob`` has a batch.
public struct Definition<J: Job>: Sendable {
  /// The same without the job's type, as the runner keeps it.
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
  /// A definition of a job whose work is a set.
  ///
  /// A bad one is a bug and stops the program: a name is 1 to 63 lower-case letters, digits and
  /// `-`; a batch has 1 to 10,000 runs; a timeout is longer than nothing.
  ///
  /// - Parameters:
  ///   - name: stored with every run: never rename it.
  ///   - triggers: what wakes the job, besides whoever asks for a run.
  ///   - debounce: how events of one key become one run.
  ///   - batch: the most runs worked in one transaction.
  ///   - retry: what happens after an error.
  ///   - timeout: the longest that one transaction of the work may take, and each of its statements.
  ///   - keepsHistory: whether every run that ends, done or dead, leaves a row in `run_history`.
  ///   - payloads: which payloads a run has of the events that it was made of.
  ///   - limits: what holds over all workers; each kind once.
  ///   - priority: 1 goes first, 9 last; of runs that may start the most urgent do, and each tenth time the oldest.
  ///   - role: the kind of the role that the work acts as, where the schema has roles: less than a worker's, which
  ///     has to be a member of it. The end of the runs is the worker's all the same.
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
  /// A definition of a job that is worked in steps.
  ///
  /// - Parameters:
  ///   - name: as for a ``BatchJob``, like `triggers`, `debounce` and `retry`.
  ///   - timeout: the longest that one step may take, and each of its statements.
  ///   - keepsHistory: whether every run that ends leaves a row in `run_history`.
  ///   - payloads: which payloads a run has of the events that it was made of.
  ///   - limits: what holds over all workers; each kind once.
  ///   - priority: 1 goes first, 9 last; of runs that may start the most urgent do, and each tenth time the oldest.
  ///   - role: the kind of the role that the work acts as, where the schema has roles: less than a worker's, which
  ///     has to be a member of it. The end of the runs is the worker's all the same.
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
  /// A definition of a job whose work is outside of the database.
  ///
  /// - Parameters:
  ///   - name: as for a ``BatchJob``, like `triggers`, `debounce`, `retry`, `payloads`, `limits` and `priority`.
  ///   - concurrency: the most runs performed at once by one worker, 1 to 1,000; `limits` has those of all.
  ///   - timeout: the longest that one run may be performed.
  ///   - keepsHistory: whether every run that ends leaves a row in `run_history`, with its output.
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

/// Which payloads a run has of the events that it was made of.
///
/// Frozen: a run has one payload or all of them.
@frozen
public enum Payloads: Sendable {
  /// The newest.
  case newest
  /// All, in the order of the events, a thousand at most: the rest make the next run.
  case all
}

import BatonJobs
import BatonPostgres
import RunnerSQL

extension QueueCalls {
  static func define(_ registered: RegisteredJob, of program: String?) -> Call<Void> {
    let job = registered.definition
    return .run(
      SQL.Workers.defineJob, job.name, job.topics.map(\.name), job.debounce.quiet.milliseconds,
      job.debounce.atMost.milliseconds, job.keepsHistory, job.needsKey,
      job.payloads == .all, Int32(job.priority), job.debounce.every?.milliseconds,
      job.joinsChanges, program, registered.kind, Int32(job.batch), job.timeout.milliseconds,
      Int32(job.retry.attempts),
      job.retry.isFunction ? nil : job.retry.first.milliseconds,
      job.retry.isFunction ? nil : job.retry.longest.milliseconds,
      job.concurrency.map { Int32($0) }, job.role, job.tables.map(\.text))
  }

  /// Records that this process contains the code of the given jobs.
  static func register(_ jobs: [RegisteredJob]) -> Call<Int> {
    .count(SQL.Workers.registerJobs, jobs.map(\.definition.name))
  }

  static func defineLimits(of job: JobDefinition) -> Call<Void> {
    let limits = job.limits
    let (field, separator, part): (String?, String?, Int32?) =
      switch limits.group {
      case .payload(let field): (field, nil, nil)
      case .key(let part, let separator): (nil, separator, Int32(part))
      case nil: (nil, nil, nil)
      }
    return .run(
      SQL.Workers.defineLimits, job.name, limits.concurrency.map { Int32($0) },
      limits.groupConcurrency.map { Int32($0) }, field, separator, part,
      limits.rate?.microseconds, limits.rate.map { Int32($0.burst) },
      limits.groupRate?.microseconds, limits.groupRate.map { Int32($0.burst) })
  }
}

extension Rate {
  /// The time between two starts at the maximum rate, in microseconds.
  fileprivate var microseconds: Int64 { Int64(interval / .microseconds(1)) }
}

public import Foundation
public import Logging

/// One run of a job, as its work gets it: the payload, the key and the run's header.
public struct Run<J: Job>: Sendable {
  /// The payload: a value of the job's type.
  public let payload: J
  /// The key by which the run's events were merged.
  public let key: J.Key
  /// The run's id, attempt, times and logger.
  public let header: RunHeader
  /// All payloads; nil if the job uses only the newest.
  @usableFromInline let all: [J]?

  /// Creates a run, in the runner or in the test of a job.
  @inlinable  // A batch makes hundreds, and each call from outside looks the type up by its job.
  public init(
    _ payload: J, key: J.Key, header: RunHeader = RunHeader(), payloads: [J]? = nil
  ) {
    self.payload = payload
    all = payloads
    self.key = key
    self.header = header
  }

  /// The payloads of its events in order, if the job uses all; otherwise its one payload.
  public var payloads: [J] { all ?? [payload] }

  /// The run's id, the same in all attempts; 0 for a run that only exists in a dry run.
  public var id: Int64 { header.id }
  /// The number of this attempt, from 1.
  public var attempt: Int { header.attempt }
  /// The occurrence of the schedule that made the run; otherwise the time at which the run became due.
  public var scheduledFor: Date { header.scheduledFor }
  /// When the first event of the run was recorded.
  public var firstEventAt: Date { header.firstEventAt }
  /// Whether the transaction is rolled back at the end; skip effects that a rollback does not undo.
  public var isDryRun: Bool { header.isDryRun }
  /// A logger whose lines contain the job, the key, the run's id and the attempt.
  public var logger: Logger {
    var logger = header.logger
    logger[metadataKey: "job"] = .string(header.job)
    logger[metadataKey: "key"] = .string(header.key)
    logger[metadataKey: "run"] = .stringConvertible(header.id)
    logger[metadataKey: "attempt"] = .stringConvertible(header.attempt)
    return logger
  }
}

/// What the queue knows about a run of any job.
public struct RunHeader: Sendable {
  /// The run's id, the same in all attempts; 0 for a run that only exists in a dry run.
  public var id: Int64
  /// The job's name.
  public var job: String
  /// The text of its key.
  public var key: String
  /// The number of this attempt, from 1.
  public var attempt: Int
  /// The occurrence of the schedule that made the run; otherwise the time at which the run became due.
  public var scheduledFor: Date
  /// When the first event of the run was recorded.
  public var firstEventAt: Date
  /// Whether the transaction is rolled back at the end.
  public var isDryRun: Bool
  /// The logger of the worker; ``Run/logger`` adds the fields of the run.
  public var logger: Logger

  /// Creates a header; the defaults are those of the first attempt at a run that was enqueued now.
  public init(
    id: Int64 = 0, job: String = "", key: String = "", attempt: Int = 1,
    scheduledFor: Date = Date(), firstEventAt: Date = Date(),
    isDryRun: Bool = false, logger: Logger = Logger(label: "run") { _ in SwiftLogNoOpLogHandler() }
  ) {
    self.id = id
    self.job = job
    self.key = key
    self.attempt = attempt
    self.scheduledFor = scheduledFor
    self.firstEventAt = firstEventAt
    self.isDryRun = isDryRun
    self.logger = logger
  }
}

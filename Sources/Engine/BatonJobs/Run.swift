public import Foundation
public import Logging

/// A run of a job, with the payload, the key and the header that the job's code gets.
public struct Run<J: Job>: Sendable {
  /// The payload, which is a value of the job's type.
  public let payload: J
  /// The run's key.
  ///
  /// All of the run's events have this key.
  public let key: J.Key
  /// The run's id, attempt, times and logger.
  public let header: RunHeader
  /// All payloads, or nil if the job uses only the newest payload.
  @usableFromInline let all: [J]?

  /// Creates a run, in the runner or in a test of a job.
  @inlinable  // A batch creates hundreds, and each call that is not inlined looks up the type.
  public init(
    _ payload: J, key: J.Key, header: RunHeader = RunHeader(), payloads: [J]? = nil
  ) {
    self.payload = payload
    all = payloads
    self.key = key
    self.header = header
  }

  /// The payloads of the run's events in order, or only the newest payload if the job does not use
  /// all payloads.
  public var payloads: [J] { all ?? [payload] }

  /// The run's id, which is the same across all attempts.
  ///
  /// The id is 0 for a run that exists only in a dry run.
  public var id: Int64 { header.id }
  /// The number of this attempt, counted from 1.
  public var attempt: Int { header.attempt }
  /// The schedule occurrence that created the run, or the due time if no schedule created the run.
  public var scheduledFor: Date { header.scheduledFor }
  /// The time when the run's first event was recorded.
  public var firstEventAt: Date { header.firstEventAt }
  /// Whether the run is a dry run, whose transaction is rolled back at the end.
  ///
  /// In a dry run, a job should skip effects that a rollback does not undo.
  public var isDryRun: Bool { header.isDryRun }
  /// A logger that adds the job, the key, the run's id and the attempt to each line.
  public var logger: Logger {
    var logger = header.logger
    logger[metadataKey: "job"] = .string(header.job)
    logger[metadataKey: "key"] = .string(header.key)
    logger[metadataKey: "run"] = .stringConvertible(header.id)
    logger[metadataKey: "attempt"] = .stringConvertible(header.attempt)
    return logger
  }
}

/// The properties of a run that do not depend on its job's type.
public struct RunHeader: Sendable {
  /// The run's id, which is the same across all attempts.
  ///
  /// The id is 0 for a run that exists only in a dry run.
  public var id: Int64
  /// The job's name.
  public var job: String
  /// The run's key as text.
  public var key: String
  /// The number of this attempt, counted from 1.
  public var attempt: Int
  /// The schedule occurrence that created the run, or the due time if no schedule created the run.
  public var scheduledFor: Date
  /// The time when the run's first event was recorded.
  public var firstEventAt: Date
  /// Whether the run is a dry run, whose transaction is rolled back at the end.
  public var isDryRun: Bool
  /// The worker's logger, to which ``Run/logger`` adds the run's fields.
  public var logger: Logger
  /// The stored state and the progress of a chunked job's run.
  package var checkpoint: Checkpoint?
  /// The durable steps of an effect job's run.
  package var steps: EffectSteps?

  /// Creates a header.
  ///
  /// The default values describe the first attempt of a run that has just been enqueued.
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

public import Foundation
public import Logging

/// One run of a job, as its work sees it: the payload, the key, and what the queue knows of it.
public struct Run<J: Job>: Sendable {
  /// The payload: a value of the job's type.
  public let payload: J
  /// What the job is debounced by.
  public let key: J.Key
  /// What the queue knows of it.
  public let header: RunHeader
  /// All payloads; nil for a job that asks for the newest.
  @usableFromInline let all: [J]?

  /// A run, as the runner makes it and a test of a job may.
  @inlinable  // A batch makes hundreds, and each call from outside looks the type up by its job.
  public init(
    _ payload: J, key: J.Key, header: RunHeader = RunHeader(), payloads: [J]? = nil
  ) {
    self.payload = payload
    all = payloads
    self.key = key
    self.header = header
  }

  /// The payloads of its events, in their order, where the job asks for all; else the one that it has.
  public var payloads: [J] { all ?? [payload] }

  /// The run's id, the same over all attempts; 0 where a dry run made it up.
  public var id: Int64 { header.id }
  /// Which attempt this is, from 1.
  public var attempt: Int { header.attempt }
  /// The time it was meant for: the occurrence of its schedule, else when it fell due.
  public var scheduledFor: Date { header.scheduledFor }
  /// When the first of the events came that it was made of.
  public var firstEventAt: Date { header.firstEventAt }
  /// Whether all that it does is rolled back: for what no rollback takes back.
  public var isDryRun: Bool { header.isDryRun }
  /// Says with each line which job, key, run and attempt it is.
  public var logger: Logger {
    var logger = header.logger
    logger[metadataKey: "job"] = .string(header.job)
    logger[metadataKey: "key"] = .string(header.key)
    logger[metadataKey: "run"] = .stringConvertible(header.id)
    logger[metadataKey: "attempt"] = .stringConvertible(header.attempt)
    return logger
  }
}

/// What the queue knows of a run, whatever its job.
public struct RunHeader: Sendable {
  /// The run's id, the same over all attempts; 0 where a dry run made it up.
  public var id: Int64
  /// The job's name.
  public var job: String
  /// The text of its key.
  public var key: String
  /// Which attempt this is, from 1.
  public var attempt: Int
  /// The time it was meant for.
  public var scheduledFor: Date
  /// When the first of the events came that it was made of.
  public var firstEventAt: Date
  /// Whether all that it does is rolled back.
  public var isDryRun: Bool
  /// Where the work may say something; ``Run/logger`` adds which run it is.
  public var logger: Logger

  /// A header; its defaults are those of a first attempt that was asked for just now.
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

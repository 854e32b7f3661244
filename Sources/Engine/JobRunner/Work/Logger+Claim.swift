import BatonJobs
import Foundation
import Logging

extension Logger {
  /// Returns a logger that adds the worker's id from the `worker` table to each line.
  func by(_ worker: WorkerIdentity) -> Logger {
    var logger = self
    logger[metadataKey: "worker"] = .string(worker.id.uuidString.lowercased())
    return logger
  }

  /// Returns a logger that adds the job to each line.
  func about(_ job: JobDefinition) -> Logger {
    var logger = self
    logger[metadataKey: "job"] = .string(job.name)
    return logger
  }

  /// Returns a logger that adds job, run, key, attempt and trace to each line.
  ///
  /// For several runs, the logger adds the first run's values and the number of runs. Payloads are
  /// not added, because they may contain data that must not be logged.
  func about(_ claim: Claim) -> Logger {
    var logger = about(claim.job.definition)
    guard let first = claim.runs.first else { return logger }
    logger[metadataKey: "key"] = .string(first.key)
    logger[metadataKey: "run"] = .stringConvertible(first.id)
    logger[metadataKey: "attempt"] = .stringConvertible(first.attempt)
    if let trace = first.trace { logger[metadataKey: "trace"] = .string(trace.id) }
    if claim.runs.count > 1 { logger[metadataKey: "runs"] = .stringConvertible(claim.runs.count) }
    return logger
  }
}

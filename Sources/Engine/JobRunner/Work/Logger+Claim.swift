import BatonJobs
import Foundation
import Logging

extension Logger {
  /// Says with each line which worker says it, as the table `worker` names it.
  func by(_ worker: WorkerIdentity) -> Logger {
    var logger = self
    logger[metadataKey: "worker"] = .string(worker.id.uuidString.lowercased())
    return logger
  }

  /// Says with each line which job it is about.
  func about(_ job: JobDefinition) -> Logger {
    var logger = self
    logger[metadataKey: "job"] = .string(job.name)
    return logger
  }

  /// Says with each line which job, run, key, attempt and trace it is about.
  ///
  /// Of several runs those of the first, and how many they are. No payload: it may hold what a log must not.
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

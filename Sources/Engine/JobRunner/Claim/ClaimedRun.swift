import BatonJobs
import BatonPostgres
import Foundation
import ServiceContextModule

/// A run that this process has claimed.
struct ClaimedRun: Sendable {
  /// The run's id, or 0 for a run that exists only in a dry run.
  let id: Int64
  /// The run's key.
  let key: String
  /// The JSON payload of the newest event, or nil if that event has no payload.
  let payload: String?
  /// The number of this attempt, starting at 1.
  let attempt: Int
  let due: Timestamp
  /// The time of the run's first event.
  let firstEventAt: Timestamp
  /// The physical location (`ctid`) of the run's row when the run was claimed.
  let place: RowPlace
  /// The chain of runs that led to the run's events, or nil if some of the events were not written
  /// by a job.
  var origin: String?
  /// The trace contexts of the run's events.
  var trace: RunTrace?
  /// The payloads of the run's events, if the job receives all payloads.
  var payloads: [String]?
  /// Whether the job had stored payloads when the run was claimed.
  ///
  /// If the job receives only the newest payload, the payloads were stored by another release.
  var mayHavePayloads = false
}

/// Runs of one job that are claimed together and processed in one transaction.
struct Claim: Sendable {
  let job: RegisteredJob
  /// The fencing token of the claim.
  ///
  /// If the token of a run has changed, another worker has claimed the run. If another worker has
  /// claimed a run, this claim's changes must not be committed.
  let token: UUID
  let runs: [ClaimedRun]
  /// The tracing span of the claim, or nil if tracing is off.
  var span: ServiceContext?
  /// The number of the lease term during which the worker sent the claim.
  var term = 0
  /// The time at which this process received the response to the claim.
  var claimedAt = ContinuousClock.now
  /// The time immediately before this process sent the claim to the server.
  var sentAt = ContinuousClock.now
  /// Whether other runs may have the same token, because this is only a part of the original claim.
  var isPart = false

  /// A description for messages, for example `run 12, key 'k'`.
  ///
  /// For several runs, the description contains the number of runs and the first run.
  var description: String {
    guard let first = runs.first else { return "no run" }
    let name = "run \(first.id), key '\(first.key)'"
    return runs.count == 1 ? name : "\(runs.count) runs, the first of them \(name)"
  }

  /// Returns a copy of the claim that excludes the runs with the given ids.
  func without(_ ids: [Int64]) -> Claim {
    let ids = Set(ids)
    return with(runs.filter { !ids.contains($0.id) })
  }

  /// Returns a copy of the claim that contains only the given runs.
  func with(_ runs: [ClaimedRun]) -> Claim {
    Claim(
      job: job, token: token, runs: runs, span: span, term: term, claimedAt: claimedAt,
      sentAt: sentAt, isPart: isPart || runs.count < self.runs.count)
  }

  /// The chain of runs that leads to the events of this claim's transaction.
  ///
  /// The transaction stores the chain with each event that it writes.
  ///
  /// The chain is the shortest one among the claim's runs, followed by this job. A chain's string
  /// begins with the number of runs as two digits. The smallest string is therefore the shortest
  /// chain.
  var origin: String {
    let shortest = runs.map { $0.origin ?? "" }.min() ?? ""
    let depth = (Int(shortest.prefix(2)) ?? 0) + 1
    let chain = shortest.isEmpty ? "" : shortest.dropFirst(3) + " > "
    return (depth < 10 ? "0" : "") + "\(depth) \(chain)\(job.definition.name)"
  }

  /// Whether the stored payloads of the runs must be deleted when the runs are completed.
  ///
  /// During a deployment that changes `payloads`, payloads are also stored for runs of a release
  /// that receives only the newest payload.
  var mayHavePayloads: Bool {
    job.definition.payloads == .all || runs.contains(where: \.mayHavePayloads)
  }

  var keys: [String] { runs.map(\.key) }
  var places: [RowPlace] { runs.map(\.place) }
}

import BatonJobs
import BatonPostgres
import Foundation
import ServiceContextModule

/// A run that this process has claimed.
struct ClaimedRun: Sendable {
  /// The run's id; 0 where a dry run made it up.
  let id: Int64
  /// What the job is debounced by.
  let key: String
  /// The JSON payload of its newest event, if that had one.
  let payload: String?
  /// Which attempt this is, from 1.
  let attempt: Int
  let due: Timestamp
  /// When the first event came that it was made of.
  let firstEventAt: Timestamp
  /// Where the row lay when it was claimed.
  let place: RowPlace
  /// By which runs its events came, where all of them came from jobs.
  var origin: String?
  /// The traces that its events came from.
  var trace: RunTrace?
  /// The payloads that it has taken, of a job that asks for all.
  var payloads: [String]?
}

/// Runs of one job that were claimed together and are worked in one transaction.
struct Claim: Sendable {
  let job: RegisteredJob
  /// The fence: what the work must find on every run, or somebody else has them now.
  let token: UUID
  let runs: [ClaimedRun]
  /// The span of the claim; nil: nobody traces.
  var span: ServiceContext?

  /// Which runs these are, for messages: `run 12, key 'k'`, of several the number and the first.
  var description: String {
    guard let first = runs.first else { return "no run" }
    let name = "run \(first.id), key '\(first.key)'"
    return runs.count == 1 ? name : "\(runs.count) runs, the first of them \(name)"
  }

  /// The claim of the other runs.
  func without(_ ids: [Int64]) -> Claim {
    let ids = Set(ids)
    return with(runs.filter { !ids.contains($0.id) })
  }

  /// Some of its runs.
  func with(_ runs: [ClaimedRun]) -> Claim {
    Claim(job: job, token: token, runs: runs, span: span)
  }

  /// By which runs what its work writes came: the shortest way to any of its runs, and this job.
  ///
  /// Two digits, so that the least text is the shortest way.
  var origin: String {
    let shortest = runs.map { $0.origin ?? "" }.min() ?? ""
    let depth = (Int(shortest.prefix(2)) ?? 0) + 1
    let chain = shortest.isEmpty ? "" : shortest.dropFirst(3) + " > "
    return (depth < 10 ? "0" : "") + "\(depth) \(chain)\(job.definition.name)"
  }

  var keys: [String] { runs.map(\.key) }
  var places: [RowPlace] { runs.map(\.place) }
}

import BatonJobs
import BatonPostgres
import Foundation
import ServiceContextModule

/// A run that this process has claimed.
struct ClaimedRun: Sendable {
  /// The run's id; 0 for a run that a dry run invented.
  let id: Int64
  /// The key by which the job is debounced.
  let key: String
  /// The JSON payload of its newest event, if that event had one.
  let payload: String?
  /// The number of this attempt, from 1.
  let attempt: Int
  let due: Timestamp
  /// When the first event of the run came.
  let firstEventAt: Timestamp
  /// The place of the row in its table when the run was claimed.
  let place: RowPlace
  /// The chain of runs that wrote its events, if jobs wrote all of them.
  var origin: String?
  /// The traces of its events.
  var trace: RunTrace?
  /// The payloads that the run has taken, if the job takes all payloads.
  var payloads: [String]?
}

/// Runs of one job that were claimed together and are worked in one transaction.
struct Claim: Sendable {
  let job: RegisteredJob
  /// The fencing token: if a run no longer has it, another worker has claimed the run, and this work must not commit.
  let token: UUID
  let runs: [ClaimedRun]
  /// The span of the claim; nil if tracing is off.
  var span: ServiceContext?

  /// A text for messages: `run 12, key 'k'`; for several runs, their number and the first run.
  var description: String {
    guard let first = runs.first else { return "no run" }
    let name = "run \(first.id), key '\(first.key)'"
    return runs.count == 1 ? name : "\(runs.count) runs, the first of them \(name)"
  }

  /// The claim without these runs.
  func without(_ ids: [Int64]) -> Claim {
    let ids = Set(ids)
    return with(runs.filter { !ids.contains($0.id) })
  }

  /// The claim with only these of its runs.
  func with(_ runs: [ClaimedRun]) -> Claim {
    Claim(job: job, token: token, runs: runs, span: span)
  }

  /// The chain of runs for events that the work writes: the shortest chain of any of its runs, and this job.
  ///
  /// The depth has two digits, so that the least text is the shortest chain.
  var origin: String {
    let shortest = runs.map { $0.origin ?? "" }.min() ?? ""
    let depth = (Int(shortest.prefix(2)) ?? 0) + 1
    let chain = shortest.isEmpty ? "" : shortest.dropFirst(3) + " > "
    return (depth < 10 ? "0" : "") + "\(depth) \(chain)\(job.definition.name)"
  }

  var keys: [String] { runs.map(\.key) }
  var places: [RowPlace] { runs.map(\.place) }
}

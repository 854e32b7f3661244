import Foundation
import JobCore
import Logging
import Postgres

/// Makes runs of a job's type out of claimed ones.
struct RunReader<J: Job>: Sendable {
  private let job: String
  /// What no payload is read as: once, because most runs of most jobs have none.
  private let empty: Result<J, any Error>

  init(_ job: String) {
    self.job = job
    empty = Result { try Run<J>.payload(nil) }
  }

  /// - Throws: ``UnreadableKey``, ``UnreadablePayload``, or what the job's own decoding throws.
  func run(key: String, payload: String?, header: RunHeader) throws -> Run<J> {
    let payload = try payload.map { try Run<J>.payload($0) } ?? empty.get()
    return Run(payload, key: try Run<J>.key(key), header: header)
  }

  /// - Parameter work: makes a step of one that still needs a context.
  func begin(
    _ claimed: [ClaimedRun], isDryRun: Bool, logger: Logger,
    work: (@escaping @Sendable (J.Context) async throws -> StepResult) -> RegisteredJob.Step
  ) -> RegisteredJob.Beginning {
    var runs: [Run<J>] = []
    var readable: [ClaimedRun] = []
    var unreadable: [(run: ClaimedRun, why: Permanent)] = []
    runs.reserveCapacity(claimed.count)
    readable.reserveCapacity(claimed.count)
    for run in claimed {
      do {
        let header = header(of: run, isDryRun: isDryRun, logger: logger)
        runs.append(try self.run(key: run.key, payload: run.payload, header: header))
        readable.append(run)
      } catch {
        unreadable.append((run, Permanent("\(error)")))
      }
    }
    return RegisteredJob.Beginning(
      readable: readable, unreadable: unreadable,
      step: runs.isEmpty ? nil : work(J.begin(runs)))
  }

  private func header(of run: ClaimedRun, isDryRun: Bool, logger: Logger) -> RunHeader {
    RunHeader(
      id: run.id, job: job, key: run.key, attempt: run.attempt,
      scheduledFor: Occurrence.of(run.payload) ?? run.due.date, firstEventAt: run.firstEventAt.date,
      isDryRun: isDryRun, logger: logger)
  }
}

/// What a firing adds to the payload of the runs that it makes.
private struct Occurrence: Decodable {
  let scheduled_at: String

  /// The occurrence that made a run; nil where no schedule did.
  static func of(_ payload: String?) -> Date? {
    // Read only where it can be there: other payloads are read once.
    guard let payload, payload.contains("\"scheduled_at\""),
      let occurrence = try? JSONDecoder().decode(Self.self, from: Data(payload.utf8))
    else { return nil }
    return try? Date(occurrence.scheduled_at, strategy: .iso8601)
  }
}

extension Timestamp {
  /// The same instant, to the precision of a `Date`.
  var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}

import BatonJobs
import BatonPostgres
import Foundation
import Logging

/// Converts claimed runs to typed runs of a job.
struct RunReader<J: Job>: Sendable {
  private let job: JobDefinition
  /// The job value shared by all runs without a payload, or nil if the job has properties.
  ///
  /// The shared job value is decoded only once. A job with properties is decoded for each run,
  /// because its decoder may read the time or a random number.
  private let empty: J?
  /// Whether the job's runs have checkpoints.
  private let isChunked = J.self is any StepJob.Type

  init(_ job: JobDefinition) {
    self.job = job
    empty = MemoryLayout<J>.size == 0 ? try? Run<J>.payload(nil) : nil
    job.schedules.forEach(requireReadable)
  }

  /// Stops the program if the job cannot decode the runs of its own schedule.
  private func requireReadable(_ schedule: JobSchedule) {
    do {
      let given = try JSONSerialization.jsonObject(with: Data((schedule.payload ?? "{}").utf8))
      guard var payload = given as? [String: Any] else {
        preconditionFailure("\(job.name): the payload of a schedule is an object with names")
      }
      payload["scheduled_at"] = Schedule.text(of: 0)
      let json = try JSONSerialization.data(withJSONObject: payload)
      _ = try run(
        key: schedule.key(of: 0), payload: String(decoding: json, as: UTF8.self),
        header: RunHeader())
    } catch {
      preconditionFailure("\(job.name): it cannot read the runs of its own schedule: \(error)")
    }
  }

  /// Checks that the job can decode this key and payload.
  ///
  /// - Throws: the same errors as ``run(key:payload:payloads:header:)``.
  func check(key: String, payload: String?) throws {
    _ = try run(key: key, payload: payload, header: RunHeader())
  }

  /// Converts a claimed run to a typed run of the job.
  ///
  /// - Throws: ``UndecodableRun`` if the job cannot decode the run.
  @inline(__always)
  func run(
    of claimed: ClaimedRun, isDryRun: Bool = false, steps: EffectSteps? = nil, logger: Logger
  ) throws(UndecodableRun) -> Run<J> {
    do {
      return try run(
        key: claimed.key, payload: claimed.payload, payloads: claimed.payloads,
        header: header(of: claimed, isDryRun: isDryRun, steps: steps, logger: logger))
    } catch {
      throw UndecodableRun(description: "\(error)")
    }
  }

  /// Converts a key and payloads to a typed run of the job.
  ///
  /// - Throws: ``UnreadableKey``, ``UnreadablePayload``, or any error that the job's decoder
  ///   throws.
  // The function is inlined together with the functions that it calls. Without inlining, looking up
  // the run's type took a twelfth of the client's time in a batch of 500 no-op runs.
  @inline(__always)
  func run(
    key: String, payload: String?, payloads: [String]? = nil, header: RunHeader
  ) throws -> Run<J> {
    let all = try payloads?.map { try Run<J>.payload($0) }
    let payload =
      try all?.last ?? (payload == nil ? empty ?? Run<J>.payload(nil) : Run<J>.payload(payload))
    return Run(payload, key: try Run<J>.key(key), header: header, payloads: all)
  }

  /// Returns the occurrence that created a run, or nil if the run does not come from a schedule.
  ///
  /// Schedules can also be created at run time, so the job's definition does not show whether it
  /// has schedules. For most runs without a schedule, checking the key's first byte avoids an
  /// allocation.
  @inline(never)
  private func occurrence(of run: ClaimedRun) -> Date? {
    guard let payload = run.payload, let first = run.key.utf8.first,
      first == UInt8(ascii: "s") || (48...57).contains(first), ScheduleKey(run.key) != nil,
      let occurrence = try? JSONDecoder().decode(Occurrence.self, from: Data(payload.utf8))
    else { return nil }
    return Schedule.instant(of: occurrence.scheduled_at).map {
      Date(timeIntervalSince1970: Double($0))
    }
  }

  /// Returns the header of a claimed run.
  @inline(__always)
  func header(
    of run: ClaimedRun, isDryRun: Bool, steps: EffectSteps? = nil, logger: Logger
  ) -> RunHeader {
    var header = RunHeader(
      id: run.id, job: job.name, key: run.key, attempt: run.attempt,
      scheduledFor: occurrence(of: run) ?? run.due.date,
      firstEventAt: run.firstEventAt.date, isDryRun: isDryRun, logger: logger)
    if isChunked { header.checkpoint = Checkpoint() }
    header.steps = steps
    return header
  }
}

extension RunReader where J: TransactionalJob {
  /// Converts claimed runs to typed runs, and begins an attempt for those that the job can decode.
  ///
  /// - Parameter work: wraps the job's function in a step. The step calls the job's function with
  ///   the job's context.
  func begin(
    _ claimed: [ClaimedRun], isDryRun: Bool, logger: Logger,
    work: (@escaping @Sendable (J.Context) async throws -> StepResult) -> RegisteredJob.Step
  ) -> RegisteredJob.Beginning {
    var runs: [Run<J>] = []
    var readable: [ClaimedRun] = []
    var unreadable: [(run: ClaimedRun, why: UndecodableRun)] = []
    runs.reserveCapacity(claimed.count)
    readable.reserveCapacity(claimed.count)
    for run in claimed {
      do throws(UndecodableRun) {
        runs.append(try self.run(of: run, isDryRun: isDryRun, logger: logger))
        readable.append(run)
      } catch {
        unreadable.append((run, error))
      }
    }
    return RegisteredJob.Beginning(
      readable: readable, unreadable: unreadable,
      step: runs.isEmpty ? nil : work(J.begin(runs)), checkpoint: runs.first?.header.checkpoint)
  }
}

/// The error for a run that this program's job cannot decode.
///
/// During a deployment, an undecodable run is released, because a worker of another release may be
/// able to decode it. If no worker can decode the run, it is retried as after any other failure.
struct UndecodableRun: Error, CustomStringConvertible {
  let description: String

  /// Returns the error together with the release that cannot decode the run.
  func naming(_ release: ProgramRelease?) -> UndecodableRun {
    guard let release else { return self }
    return UndecodableRun(description: "\(release) cannot read the run: \(description)")
  }
}

/// The field that a fired schedule adds to its run's payload.
private struct Occurrence: Decodable {
  let scheduled_at: String
}

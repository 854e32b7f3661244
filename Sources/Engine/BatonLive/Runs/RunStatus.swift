public import BatonJobs
public import Foundation

/// The state of a run, and its output if the run has ended.
public struct RunStatus: Sendable, Equatable {
  /// The state of a run, as reported to callers.
  public enum State: String, Sendable, Codable, CaseIterable {
    /// The run is due and is waiting for a worker.
    case waiting
    /// A worker is executing the run.
    case running
    /// The run is not due yet, because of its requested time, a debounce or a backoff.
    case sleeping
    /// The run has succeeded, or the run has ended and its job stores no history.
    case ended
    /// All attempts have failed.
    ///
    /// An operator can retry a dead run.
    case dead
    /// The run was cancelled.
    case cancelled
  }

  /// The progress of an unfinished or dead run.
  public struct Progress: Sendable, Equatable {
    /// The number of units that the committed steps have processed.
    public let done: Int
    /// The total number of units.
    public let total: Int

    /// Creates a progress value.
    public init(done: Int, total: Int) {
      (self.done, self.total) = (done, total)
    }
  }

  /// The current id of the run.
  ///
  /// The id differs from the requested id if the run was merged into another run.
  public let id: Int64
  /// The run's state.
  public let state: State
  /// The number of attempts so far.
  public let attempt: Int
  /// The time until which the run is sleeping, or nil if it is not sleeping.
  public let due: Date?
  /// The time when the run ended or died, or nil if the run has neither ended nor died.
  public let endedAt: Date?
  /// Whether the run's cancellation was requested.
  public let isCancelling: Bool
  /// The progress as of the last committed step, or nil if the job has not reported any progress.
  ///
  /// Only a `StepJob` reports progress. The progress is nil once the run has ended or been
  /// cancelled.
  public let progress: Progress?
  /// The names of the stored steps of an `EffectJob`, oldest first.
  ///
  /// If no steps are stored, or if the run has ended or been cancelled, the array is empty.
  public let steps: [String]
  /// The output as JSON, or nil if no output is stored.
  ///
  /// An output is stored only if the job is an `EffectJob` with `keepsHistory`.
  public let output: String?

  /// Creates a status.
  public init(
    id: Int64, state: State, attempt: Int = 0, due: Date? = nil, endedAt: Date? = nil,
    isCancelling: Bool = false, progress: Progress? = nil, steps: [String] = [],
    output: String? = nil
  ) {
    (self.id, self.state, self.attempt) = (id, state, attempt)
    (self.due, self.endedAt) = (due, endedAt)
    (self.isCancelling, self.progress, self.output) = (isCancelling, progress, output)
    self.steps = steps
  }

  /// Whether the run has ended, is dead or is cancelled.
  public var hasEnded: Bool {
    switch state {
    case .waiting, .running, .sleeping: false
    case .ended, .dead, .cancelled: true
    }
  }

  /// Returns the run's output as the job's own type, or nil if no output is stored.
  ///
  /// - Throws: `DecodingError` if an older version of the job stored an output of a different type.
  public func output<J: EffectJob>(of job: J.Type) throws -> J.Output?
  where J.Output: Decodable {
    try output(as: J.Output.self)
  }

  /// Returns the run's output as the given type, or nil if no output is stored.
  ///
  /// - Throws: `DecodingError` if the output is not of this type.
  public func output<Output: Decodable>(as type: Output.Type) throws -> Output? {
    guard let output else { return nil }
    return try JSONDecoder().decode(type, from: Data(output.utf8))
  }
}

extension RunStatus {
  /// The fields of `run_state`, excluding the output.
  private struct Fields: Decodable {
    let run: Int64
    let state: State
    let attempt: Int?
    let due, endedAt: Date?
    let cancelling: Bool?
    let progressDone, progressTotal: Int?
    let steps: [String]?

    var progress: Progress? {
      guard let progressDone, let progressTotal else { return nil }
      return Progress(done: progressDone, total: progressTotal)
    }
  }

  /// Creates a status from the JSON of `run_state`.
  ///
  /// - Throws: `DecodingError` if a newer schema returns a state that this program does not know.
  init(_ json: String, output: String?) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      return try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
    let fields = try decoder.decode(Fields.self, from: Data(json.utf8))
    self.init(
      id: fields.run, state: fields.state, attempt: fields.attempt ?? 0, due: fields.due,
      endedAt: fields.endedAt, isCancelling: fields.cancelling ?? false,
      progress: fields.progress, steps: fields.steps ?? [], output: output)
  }
}

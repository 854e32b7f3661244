import Synchronization

/// The error for a run that had not ended when the maximum wait was over.
public struct RunTimeout: Error, Sendable, Equatable {
  /// The run.
  public let run: EnqueuedRun
  /// The last state of the run, or nil if the state was not read.
  public let status: RunStatus?
}

/// Waits until runs have ended.
///
/// Any number of waits can share one hub's connection.
///
/// ```swift
/// let runs = RunWatch(LiveHub(configuration, in: schema))
/// let status = try await runs.wait(for: run, timeout: .seconds(30))
/// let receipt = try status.output(of: SendInvoice.self)
/// ```
///
/// The hub's login needs EXECUTE on `run_state`, `run_states`, `observe` and `stop_observing`, and
/// a grant for each job. The page docs/guides/run-state.md describes the privileges and the
/// latency.
public final class RunWatch: Sendable {
  /// The last state that a wait has read.
  private final class Last: Sendable {
    let status = Mutex(RunStatus?.none)
  }

  private let hub: LiveHub
  private let channels = Mutex<[String: LiveChannel<RunFeed>]>([:])

  /// Creates a watch that shares a hub's connection with feeds and other watches.
  public init(_ hub: LiveHub) { self.hub = hub }

  /// Waits until a run has ended, is dead or is cancelled.
  ///
  /// Call this method only after the transaction that enqueued the run has been committed. If no
  /// record of the run exists, the run has ended without history.
  ///
  /// - Parameters:
  ///   - run: the run.
  ///   - timeout: the maximum wait, or nil for an unlimited wait.
  /// - Returns: the run's last state.
  /// - Throws: ``RunTimeout`` after the maximum wait, `CancellationError` if the task is cancelled,
  ///   or `PostgresError` if the state cannot be read. For example, ZB005 means that the job does
  ///   not exist, and 42501 means that the login has no grant for the job.
  public func wait(for run: EnqueuedRun, timeout: Duration? = nil) async throws -> RunStatus {
    let last = Last()
    return try await withThrowingTaskGroup(of: RunStatus?.self) { group in
      group.addTask { try await self.end(of: run, last) }
      if let timeout {
        group.addTask {
          try await Task.sleep(for: timeout)
          return nil
        }
      }
      defer { group.cancelAll() }
      guard let status = try await group.next() ?? nil else {
        throw RunTimeout(run: run, status: last.status.withLock { $0 })
      }
      return status
    }
  }

  /// Returns a stream of a run's states, which ends after the run has ended.
  ///
  /// The stream contains the current state and the new state after each change, including progress
  /// changes. A slow reader receives only the latest state. The element is nil if no record of the
  /// run exists.
  public func states(of run: EnqueuedRun) -> AsyncThrowingStream<RunStatus?, any Error> {
    let elements = channel(for: run.job).observe(run, as: ())
    return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let reading = Task {
        for await element in elements {
          switch element {
          case .late: continue
          case .failed(let error): return continuation.finish(throwing: error)
          case .status(let status):
            continuation.yield(status)
            if status?.hasEnded ?? true { return continuation.finish() }
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in reading.cancel() }
    }
  }

  private func end(
    of run: EnqueuedRun, _ last: Last
  ) async throws -> RunStatus {
    for try await status in states(of: run) {
      guard let status else { return RunStatus(id: run.id, state: .ended) }
      last.status.withLock { $0 = status }
      if status.hasEnded { return status }
    }
    throw CancellationError()
  }

  private func channel(for job: String) -> LiveChannel<RunFeed> {
    channels.withLock { channels in
      if let channel = channels[job] { return channel }
      let channel = hub.channel(for: RunFeed(job: job))
      channels[job] = channel
      return channel
    }
  }
}

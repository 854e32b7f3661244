import BatonPostgres
import RunnerSQL

/// The feed for one job's runs.
///
/// Each job has a separate feed. Workers send a NOTIFY for a job only if a caller observes the
/// job's feed.
struct RunFeed: LiveFeed {
  /// An element of one run's stream.
  enum Element: Sendable {
    /// The run's state, or nil if no record of the run exists.
    case status(RunStatus?)
    /// The state may have changed, but cannot be read at the moment.
    case late
    /// The state cannot be read.
    case failed(any Error)
  }

  /// The state and the output of a run as JSON.
  struct Version: Sendable, Equatable {
    let state, output: String?
  }

  /// The job's name.
  let job: String

  var name: String { "run/\(job)" }
  var late: Element { .late }

  func key(of run: EnqueuedRun, at version: Version) -> String? { run.key }

  func failure(_ error: any Error) -> Element { .failed(error) }

  func element(of snapshot: RunStatus?, for viewer: Void) -> Element { .status(snapshot) }

  func listChanged(
    _ known: [(topic: EnqueuedRun, version: Version?)], on session: Session
  ) async throws -> [EnqueuedRun] {
    let read = known.filter { $0.version != nil }
    guard !read.isEmpty else { return known.map(\.topic) }
    let versions = try await versions(of: read.map(\.topic), on: session)
    let changed = zip(read, versions).filter { $0.version != $1 }.map(\.0.topic)
    return changed + known.filter { $0.version == nil }.map(\.topic)
  }

  func read(
    _ runs: [EnqueuedRun], for viewers: [(topic: EnqueuedRun, viewer: Void)], on session: Session
  ) async throws -> LiveReading<Self> {
    guard !runs.isEmpty else { return LiveReading() }
    var reading = LiveReading<Self>()
    for (run, version) in zip(runs, try await versions(of: runs, on: session)) {
      let status = try version.state.map { try RunStatus($0, output: version.output) }
      reading.topics[run] = (version: version, snapshot: status)
    }
    return reading
  }

  private func versions(
    of runs: [EnqueuedRun], on session: Session
  ) async throws -> [Version] {
    let list = Call.rows(
      SQL.Live.listRunStates, runs.map(\.id), runs.map(\.job), runs.map(\.key)
    ) { (row) throws(PostgresError) in
      let (state, output) = try row.decode(String?.self, String?.self)
      return Version(state: state, output: output)
    }
    return try await session.atomically(list)
  }
}

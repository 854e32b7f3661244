import BatonJobs
import BatonPostgres
import Synchronization

/// Wakes a worker's executors when runs may be due, and stops the executors.
///
/// An executor passes the number of wake-ups that it has seen to ``wait(after:)``, so a wake-up
/// before the wait is not lost.
final class ExecutorSignal: Sendable {
  private struct State {
    var rings = 0
    /// The sequence number of the last wake-up that did not result from a poll.
    var lastDispatch = 0
    var due = DueJobs()
    var isStopping = false
    var waiting: [Resumption] = []
    /// The waiting executors that can each process any transactional job's runs.
    ///
    /// Each wake-up wakes only one of these interchangeable executors.
    var idle: [Idle] = []
    /// Whether the dispatcher has reserved an executor.
    var hasReserved = false
    /// Whether an executor tried to wake another one while only the reserved executor was left.
    var isReservedWanted = false
  }

  /// Resumes a waiting executor, with a claim to process or with nil to make its own claims.
  private typealias Resumption = CheckedContinuation<HandedClaim?, Never>

  /// A waiting executor of transactional jobs.
  fileprivate struct Idle {
    let resumption: CheckedContinuation<HandedClaim?, Never>
    /// Returns whether the executor's connection is open.
    let isReady: @Sendable () -> Bool
  }

  /// An idle executor that no wake-up wakes until it is released or gets a claim.
  struct Reserved {
    fileprivate let idle: Idle
    /// The number of wake-ups before the reservation.
    fileprivate let ring: Int
  }

  private let state = Mutex(State())
  private let sleep = Pause()

  /// Whether the worker is stopping.
  ///
  /// Executors of a stopping worker do not claim any more runs.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// The number of wake-ups so far, and the due jobs of the last wake-up.
  var last: (ring: Int, due: DueJobs) { state.withLock { ($0.rings, $0.due) } }

  /// Wakes executors, because the given jobs have due runs.
  ///
  /// A wake-up wakes all waiting executors of effects, but only one waiting executor of
  /// transactional jobs.
  ///
  /// A dispatch often creates only one run. If all executors tried to claim the same run, the
  /// claims would delay each other. If more runs may be due after a claim, the claiming executor
  /// wakes the next executor (``wakeAnother()``).
  func ring(for due: DueJobs) {
    let waiting = state.withLock { state in
      state.due = due
      state.rings += 1
      if due.first == nil { state.lastDispatch = state.rings }
      let last = state.idle.popLast()
      defer { state.waiting = [] }
      return state.waiting + (last.map { [$0.resumption] } ?? [])
    }
    for continuation in waiting { continuation.resume(returning: nil) }
  }

  /// The number of waiting executors of transactional jobs.
  var idleCount: Int { state.withLock { $0.idle.count } }

  /// Wakes one more waiting executor of transactional jobs, for the due jobs of the last wake-up.
  func wakeAnother() {
    let another = state.withLock { state in
      let last = state.idle.popLast()
      if last == nil, state.hasReserved { state.isReservedWanted = true }
      return last
    }
    another?.resumption.resume(returning: nil)
  }

  /// Reserves a waiting executor of transactional jobs that has an open connection, or returns nil
  /// if there is none.
  ///
  /// The caller must call ``give(_:to:)`` or ``release(_:)`` before it reserves the next executor.
  func reserve() -> Reserved? {
    state.withLock { state in
      guard !state.isStopping, let place = state.idle.lastIndex(where: { $0.isReady() }) else {
        return nil
      }
      (state.hasReserved, state.isReservedWanted) = (true, false)
      return Reserved(idle: state.idle.remove(at: place), ring: state.rings)
    }
  }

  /// Wakes a reserved executor, which processes the claim even if the worker is stopping.
  func give(_ claim: Claim, to reserved: Reserved) {
    let isWanted = state.withLock { state in
      state.hasReserved = false
      return state.isReservedWanted
    }
    reserved.idle.resumption.resume(
      returning: HandedClaim(claim: claim, ring: reserved.ring, isWanted: isWanted))
  }

  /// Lets a reserved executor wait again, unless a wake-up has come meanwhile.
  func release(_ reserved: Reserved) {
    let isWoken = state.withLock { state in
      state.hasReserved = false
      guard state.rings == reserved.ring, !state.isReservedWanted, !state.isStopping else {
        return true
      }
      state.idle.append(reserved.idle)
      return false
    }
    if isWoken { reserved.idle.resumption.resume(returning: nil) }
  }

  /// Returns the argument for ``wait(after:)``, or nil if the caller must claim again because more
  /// runs of the given jobs may be due.
  ///
  /// If a poll runs at the same time as a claim, the poll can find runs that the claim also
  /// returns. If the poll found only runs that the caller has claimed, the caller need not claim
  /// again.
  ///
  /// - Parameters:
  ///   - ring: the number of wake-ups before the claims.
  ///   - claimed: the ids of the claimed runs of each job. If a job's claim returned as many runs
  ///     as the claim's limit allows, the job's set must be empty.
  func seen(
    since ring: Int, claimed: [String: Set<Int64>], of jobs: [RegisteredJob]
  ) -> Int? {
    state.withLock { state in
      guard state.rings != ring else { return ring }
      guard state.lastDispatch <= ring, state.due.repeats(claimed, of: jobs) else { return nil }
      return state.rings
    }
  }

  /// Ends the dispatcher's pause.
  func endPause() { sleep.end() }

  /// Stops all executors and wakes them one last time.
  func stop() {
    let waiting = state.withLock { state in
      state.isStopping = true
      state.rings += 1
      defer { (state.waiting, state.idle) = ([], []) }
      return state.waiting + state.idle.map(\.resumption)
    }
    for continuation in waiting { continuation.resume(returning: nil) }
    sleep.end()
  }

  /// Waits until the number of wake-ups is higher than `ring`, or until the worker stops.
  ///
  /// - Parameters:
  ///   - isInterchangeable: whether the caller can process any transactional job's runs. A wake-up
  ///     wakes only one interchangeable caller. If more runs may be due than an interchangeable
  ///     caller has claimed, the caller must call ``wakeAnother()``.
  ///   - isReady: returns whether an interchangeable caller's connection is open, so that the
  ///     dispatcher may claim runs for the caller.
  /// - Returns: a claim that the dispatcher has made for an interchangeable caller, or nil.
  @discardableResult
  func wait(
    after ring: Int, isInterchangeable: Bool = false,
    isReady: @escaping @Sendable () -> Bool = { false }
  ) async -> HandedClaim? {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        guard state.rings == ring, !state.isStopping else { return true }
        if isInterchangeable {
          state.idle.append(Idle(resumption: continuation, isReady: isReady))
        } else {
          state.waiting.append(continuation)
        }
        return false
      }
      if isOver { continuation.resume(returning: nil) }
    }
  }

  /// Runs `body`, and cancels it when the worker stops.
  ///
  /// - Parameter thread: the thread on which `body` is executed, or nil for the cooperative pool.
  func pause<R: Sendable>(
    on thread: ConnectionThread? = nil, _ body: @escaping @Sendable () async -> R
  ) async -> R {
    await sleep.wait(on: thread, body)
  }
}

/// A claim that the dispatcher has made for an idle executor.
struct HandedClaim: Sendable {
  let claim: Claim
  /// The number of wake-ups before the claim.
  let ring: Int
  /// Whether another executor tried to wake an executor during the claim.
  let isWanted: Bool
}

/// The names of jobs with due runs.
struct DueJobs: Sendable {
  /// The jobs that have due runs for a batch.
  ///
  /// The value for each job is the highest priority of its due runs.
  var together: [String: Int] = [:]
  /// The jobs that have a due run to be processed while all other executors are idle.
  var alone: Set<String> = []
  /// The ids of the first due runs of each job, or nil if the wake-up did not result from a poll.
  var first: [String: Set<Int64>]?

  var isEmpty: Bool { together.isEmpty && alone.isEmpty }

  /// Returns whether all due runs that the poll found for the given jobs are in `claimed`.
  ///
  /// The result is false if the wake-up did not come from a poll, or if a run must be processed
  /// alone.
  fileprivate func repeats(_ claimed: [String: Set<Int64>], of jobs: [RegisteredJob]) -> Bool {
    guard let first else { return false }
    return jobs.map(\.definition.name).allSatisfy { name in
      guard !alone.contains(name) else { return false }
      guard together[name] != nil else { return true }
      guard let ids = first[name], let mine = claimed[name] else { return false }
      return ids.isSubset(of: mine)
    }
  }

  /// Returns the given jobs that are in `together`, most urgent first.
  ///
  /// Jobs of equal priority keep the given order.
  func inTurn(_ jobs: [RegisteredJob]) -> [RegisteredJob] {
    jobs.enumerated()
      .compactMap { place, job in together[job.definition.name].map { ($0, place, job) } }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      .map(\.2)
  }
}

extension DueJobs {
  /// Creates the lists of due jobs from the result of a poll.
  init(_ poll: QueueCalls.Poll) {
    together = Dictionary(poll.dueJobs.map { ($0.name, $0.priority) }) { first, _ in first }
    alone = Set(poll.jobsWorkedAlone)
    var first: [String: Set<Int64>] = [:]
    for (key, place) in poll.front where key.priority > 0 {
      first[key.job, default: []].insert(place.id)
    }
    self.first = first
  }
}

import BatonPostgres
import Synchronization

/// The positions in the queue before which no run can be ready.
///
/// Polls and claims begin searching the queue at stored start positions (marks).
///
/// Index entries of completed runs remain at the beginning of the queue while an old transaction is
/// open. A search from the beginning of the queue would have to read all dead index entries.
///
/// A poll finds the first due run for each job and priority. The position of the first due run
/// becomes the start position for later searches. A start position is never later than the time of
/// the last dispatch.
///
/// A search that begins at the start position usually misses no ready run. The due times that a
/// dispatch sets are never earlier than the time of the previous dispatch. All other statements set
/// due times at least 100 ms in the future. Only a transaction that stays open for more than 100 ms
/// can add a ready run before the start position. After a long transaction ends, one poll uses the
/// older start positions from before it. Because the server's clock can be set back, a poll
/// regularly searches from the beginning of the queue.
final class QueueFront: Sendable {
  /// A position in the queue order.
  struct Place: Hashable, Comparable, Sendable {
    let due: Timestamp
    let id: Int64

    static func < (left: Self, right: Self) -> Bool {
      (left.due, left.id) < (right.due, right.id)
    }
  }

  /// A job and one of its priorities.
  struct JobPriority: Hashable, Sendable {
    let job: String
    let priority: Int32
  }

  /// The start positions for a search of the queue.
  struct Marks: Sendable {
    var places: [JobPriority: Place] = [:]
    /// The minimum due time in a search for runs whose job and priority have no entry in `places`.
    ///
    /// If the value is nil, the search starts at the beginning of the queue.
    var others: Timestamp?
    /// The minimum due time in the search for held-back runs of each job.
    ///
    /// A run is held back if its group has reached a limit or has many waiting runs.
    ///
    /// If a job has no entry, the search for held-back runs starts at the start position of the
    /// job's ready runs. The search for held-back runs never starts after the job's ready runs,
    /// because a ready run can be held back later.
    var holding: [String: Timestamp] = [:]
    /// The sequence number of the oldest running claim for each job with limits.
    var firstClaims: [String: Int64] = [:]
    /// For each job, the earliest domain time that a search for waiting schedules considers.
    ///
    /// The value for the key `*` applies to all jobs that have no entry.
    var schedules: [String: Timestamp] = [:]
  }

  /// A search of the queue that is in progress.
  struct Search: Sendable {
    let marks: Marks
    /// Whether the poll also searches for dead workers.
    let findsDead: Bool
    fileprivate let isWhole: Bool
    /// Whether the search uses older start positions, because a long transaction has ended.
    fileprivate let isBack: Bool
    fileprivate let began: ContinuousClock.Instant
    fileprivate let generation: Int
  }

  private struct State {
    var marks = Marks()
    /// For each transaction that was open during the last poll, the start positions from before it.
    ///
    /// The keys are transaction ids.
    var unfinished: [String: Marks] = [:]
    /// The time of the first poll that found each of these transactions.
    var openSince: [String: ContinuousClock.Instant] = [:]
    /// The next poll's start positions from before a long transaction, or nil if no long
    /// transaction has ended.
    ///
    /// A long transaction can return runs to positions in the queue that are earlier than `marks`.
    var late: Marks?
    var lastBack: ContinuousClock.Instant?
    /// The sequence number of the oldest running claim for each job with limits.
    ///
    /// The stored sequence number stays correct unless the server loses committed transactions.
    /// Later claims for the job always have higher sequence numbers.
    var firstClaims: [String: Int64] = [:]
    /// For each job, the time of the first waiting schedule that the last poll found.
    ///
    /// The value for the key `*` applies to all jobs that have no entry.
    var firstSchedules: [String: Timestamp] = [:]
    /// The time of the last search for dead workers.
    var lastOfDead: ContinuousClock.Instant?
    /// The time of the last search that read the schedules from the beginning.
    var lastOfSchedules: ContinuousClock.Instant?
    /// The last cancellation request that was processed, or 0 if the next call begins at the oldest
    /// request.
    var lastRequest: Int64 = 0
    /// The time when `marks.others` last changed.
    var movedAt = ContinuousClock.now
    var lastWhole: ContinuousClock.Instant?
    /// The durations of the last two searches from the beginning of the queue.
    var wholeTook = (last: Duration.zero, before: Duration.zero)
    /// The number of completed searches from older start positions or from the beginning of the
    /// queue.
    ///
    /// Discarding all positions also increments the number.
    ///
    /// If the number changes during another search, that search's result is ignored. That search
    /// may have missed ready runs at earlier positions.
    var generation = 0

    /// The pause before the next search from the beginning of the queue.
    ///
    /// The shorter of the last two searches determines the pause, so a single slow search does not
    /// lengthen it.
    var pauseOfWhole: Duration { max(.seconds(1), min(wholeTook.last, wholeTook.before) * 200) }

    mutating func noteWhole(took: Duration) { wholeTook = (took, wholeTook.last) }

    /// Stores the times at which searches for schedules start.
    ///
    /// Each stored time is at least ten seconds earlier than the time of the poll that found the
    /// schedules.
    ///
    /// A new schedule's position is the time of the call that creates it. The transaction that
    /// creates a schedule can begin before a poll and commit up to ten seconds after the poll. If a
    /// transaction that creates a schedule stays open for more than ten seconds, the schedule is
    /// found by the next search of all schedules.
    mutating func noteSchedules(_ found: [JobPriority: Place]) {
      let schedules = found.filter { $0.key.priority == QueueFront.ofSchedules }
      firstSchedules = Dictionary(
        uniqueKeysWithValues: schedules.map { ($0.key.job, $0.value.due) })
      guard let now = firstSchedules["*"] else { return }
      let latest = Timestamp(microseconds: now.microseconds - 10_000_000)
      marks.schedules = firstSchedules.mapValues { min($0, latest) }
    }

    /// Compares the open transactions with those of the previous poll.
    ///
    /// A statement that returns a run to the queue sets a due time at least 100 ms in the future.
    /// If the start positions advance by at least 100 ms during the transaction, a returned run may
    /// be due before the start positions. The next search must then use the older start positions
    /// from before the transaction.
    mutating func noteOpen(_ ids: Set<String>, at now: ContinuousClock.Instant) {
      let known = openSince
      openSince = Dictionary(uniqueKeysWithValues: ids.map { ($0, known[$0] ?? now) })
      for (id, before) in unfinished where !ids.contains(id) {
        unfinished[id] = nil
        guard before.isEarlier(than: marks, by: 100_000) else { continue }
        if let late, !before.isEarlier(than: late) { continue }
        late = before
      }
      for id in ids where unfinished[id] == nil { unfinished[id] = marks }
    }

    /// Returns the older start positions for a search after a long transaction, or nil if no such
    /// search is due.
    mutating func takeLate(at now: ContinuousClock.Instant) -> Marks? {
      guard let late, lastBack.map({ $0.duration(to: now) >= QueueFront.pauseOfBack }) ?? true
      else { return nil }
      self.late = nil
      lastBack = now
      return late
    }

    mutating func forget() {
      marks = Marks()
      unfinished = [:]
      late = nil
      lastWhole = nil
      generation += 1
      firstClaims = [:]
      firstSchedules = [:]
      lastRequest = 0
    }
  }

  private let state = Mutex(State())

  /// Returns the start positions for a poll.
  ///
  /// Once per second, one poll searches from the beginning of the queue. If the searches are slow,
  /// the pause between them is longer, so that they take at most 0.5 % of the time. After a long
  /// transaction ends, one poll uses the older start positions from before it.
  func begin(at now: ContinuousClock.Instant = .now) -> Search {
    state.withLock { state in
      let pause = state.pauseOfWhole
      let isWhole = state.lastWhole.map { $0.duration(to: now) >= pause } ?? true
      if isWhole { state.lastWhole = now }
      var marks = isWhole ? Marks() : state.marks
      let late = state.takeLate(at: now)
      if let late, !isWhole {
        // A long transaction may have returned a run that another worker then held back. The search
        // for held-back runs therefore also uses the older start positions.
        (marks.places, marks.others, marks.holding) = (late.places, late.others, late.holding)
      }
      marks.firstClaims = state.firstClaims
      let isOfSchedules =
        state.lastOfSchedules.map { $0.duration(to: now) >= Self.longestOfSchedules } ?? true
      if isWhole || isOfSchedules {
        marks.schedules = [:]
        state.lastOfSchedules = now
      }
      let findsDead = state.lastOfDead.map { $0.duration(to: now) >= Self.pauseOfDead } ?? true
      if findsDead { state.lastOfDead = now }
      return Search(
        marks: marks, findsDead: findsDead, isWhole: marks.others == nil, isBack: late != nil,
        began: now, generation: state.generation)
    }
  }

  /// Stores the positions that a poll has found.
  ///
  /// - Parameters:
  ///   - found: the first due run for each job and priority.
  ///   - dispatchedAt: the time of the last dispatch, or nil if the positions found are not
  ///     reliable.
  func end(
    _ search: Search, found: [JobPriority: Place], dispatchedAt: Timestamp?,
    at now: ContinuousClock.Instant = .now
  ) {
    state.withLock { state in
      guard search.generation == state.generation else { return }
      if search.isWhole { state.noteWhole(took: search.began.duration(to: now)) }
      if search.isWhole || search.isBack { state.generation += 1 }
      // If the new time of the last dispatch is earlier than the stored one, the server's clock was
      // set back.
      guard let dispatchedAt, dispatchedAt >= search.marks.others ?? dispatchedAt else {
        return state.forget()
      }
      let bound = Place(due: dispatchedAt, id: 0)
      let held = found.filter { $0.key.priority == Self.ofHolding }
      state.noteOpen(Set(found.keys.filter { $0.priority == Self.ofOpen }.map(\.job)), at: now)
      if state.marks.others != dispatchedAt { state.movedAt = now }
      state.marks = Marks(
        places: found.filter { $0.value < bound && $0.key.priority >= 0 },
        others: dispatchedAt,
        holding: Dictionary(
          uniqueKeysWithValues: held.map { ($0.key.job, min($0.value.due, dispatchedAt)) }))
      state.noteSchedules(found)
    }
  }

  /// The special priority that marks schedule positions in a poll's result.
  fileprivate static let ofSchedules: Int32 = -2

  /// The special priority that marks the ids of open transactions in a poll's result.
  private static let ofOpen: Int32 = -3

  /// The special priority that marks a job's first held-back run in a poll's result.
  fileprivate static let ofHolding: Int32 = -4

  /// The minimum time between two polls that use older start positions after a long transaction.
  ///
  /// Polls are at most 250 ms apart. With a pause of 400 ms, every second poll can use older start
  /// positions, even if the poll is a few milliseconds early.
  private static let pauseOfBack = Duration.milliseconds(400)

  /// The minimum time between two polls that search for dead workers.
  ///
  /// While a worker is idle, each of its polls searches for dead workers. While a worker is busy,
  /// it polls up to a hundred times per second.
  private static let pauseOfDead = Duration.milliseconds(200)

  /// The maximum time between two polls that search all schedules.
  ///
  /// A poll that starts at a job's stored time does not find earlier schedules of the job.
  private static let longestOfSchedules = Duration.seconds(5)

  /// For each job, the time at which the search for due schedules starts, as found by the last
  /// poll.
  var scheduleMarks: [String: Timestamp] { state.withLock { $0.firstSchedules } }

  /// For each job whose groups have a due turn, the due time at which the search for turns starts.
  ///
  /// The value `others` applies to all other jobs.
  var turnMarks: (jobs: [String], dues: [Timestamp], others: Timestamp?) {
    state.withLock { state in
      let places = state.marks.places.filter { $0.key.priority == 0 }
      return (places.map(\.key.job), places.map(\.value.due), state.marks.others)
    }
  }

  /// The id of the cancellation request after which the next call to `cancelRequested` begins.
  var lastRequest: Int64 { state.withLock { $0.lastRequest } }

  /// Stores the id of the last cancellation request that was processed.
  func note(lastRequest: Int64) { state.withLock { $0.lastRequest = lastRequest } }

  /// Discards all positions, because a server crash may have undone claims.
  func forget() { state.withLock { $0.forget() } }

  /// The start positions for a job's claims.
  func marks(of job: String) -> Marks {
    state.withLock { state in
      Marks(
        places: state.marks.places.filter { $0.key.job == job }, others: state.marks.others,
        holding: state.marks.holding.filter { $0.key == job },
        firstClaims: state.firstClaims.filter { $0.key == job })
    }
  }

  /// Stores the sequence number of a job's oldest running claim.
  func note(firstClaim: Int64, of job: String) {
    state.withLock { $0.firstClaims[job] = firstClaim }
  }

  /// Returns whether the worker should update the time of the last dispatch even if there are no
  /// new events.
  ///
  /// A start position is never later than the time of the last dispatch. The time of the last
  /// dispatch usually advances only when a worker dispatches events.
  ///
  /// The time is stored together with a position of the event log, which lists the open
  /// transactions. Until a position lists an open transaction, each poll reads all its events.
  ///
  /// - Parameter lastDone: the time when the worker last completed runs.
  func needsTime(
    since lastDone: ContinuousClock.Instant?, at now: ContinuousClock.Instant = .now
  ) -> Bool {
    state.withLock { state in
      let movedAt = state.movedAt
      guard movedAt.duration(to: now) >= .seconds(1) else { return false }
      if let lastDone, lastDone > movedAt { return true }
      return state.openSince.values.contains {
        $0 >= movedAt && $0.duration(to: now) >= .seconds(1)
      }
    }
  }
}

extension QueueFront.Marks {
  /// The positions as columns, in the order of `poll`'s parameters.
  var columns: (jobs: [String], priorities: [Int32], dues: [Timestamp], ids: [Int64]) {
    var jobs: [String] = []
    var priorities: [Int32] = []
    var dues: [Timestamp] = []
    var ids: [Int64] = []
    func add(_ job: String, _ priority: Int32, due: Timestamp = .earliest, id: Int64 = 0) {
      jobs.append(job)
      priorities.append(priority)
      dues.append(due)
      ids.append(id)
    }
    for (key, place) in places { add(key.job, key.priority, due: place.due, id: place.id) }
    // An entry with priority -1 has no due time. Its id is the sequence number of the job's oldest
    // running claim.
    for (job, claim) in firstClaims { add(job, -1, id: claim) }
    for (job, due) in schedules { add(job, QueueFront.ofSchedules, due: due) }
    for (job, due) in holding { add(job, QueueFront.ofHolding, due: due) }
    return (jobs, priorities, dues, ids)
  }

  /// Returns whether these start positions are at least `least` microseconds earlier than the start
  /// positions in `other`.
  fileprivate func isEarlier(than other: Self, by least: Int64 = 0) -> Bool {
    guard let others else { return true }
    guard let later = other.others else { return false }
    return later.microseconds - others.microseconds >= least
  }

  /// The earliest start position in `places`, or a position with the due time `others` if `places`
  /// is empty.
  var earliest: QueueFront.Place {
    places.values.min() ?? QueueFront.Place(due: others ?? .earliest, id: 0)
  }
}

extension QueueFront {
  /// Stores the positions that a poll has found.
  func end(_ search: Search, _ poll: QueueCalls.Poll) {
    end(search, found: poll.front, dispatchedAt: poll.dispatchedAt)
  }

  /// Parses lines that contain a job, a priority, a due time in microseconds since 1970, and an id.
  ///
  /// For an open transaction, the line contains the transaction's id instead of a job.
  static func places(in text: String) -> [JobPriority: Place] {
    var places: [JobPriority: Place] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count == 4, let priority = Int32(parts[1]), let due = Int64(parts[2]),
        let id = Int64(parts[3])
      else { continue }
      places[JobPriority(job: String(parts[0]), priority: priority)] = Place(
        due: Timestamp(microseconds: due), id: id)
    }
    return places
  }
}

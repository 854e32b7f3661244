import BatonJobs
import BatonPostgres
import RunnerSQL

extension Queue {
  /// The approximate maximum number of events in one fold.
  ///
  /// A fold that contains a large transaction can have up to twice `mostEvents` events.
  ///
  /// A fold of 4,000 events takes about 100 ms. During a fold, the dispatcher does nothing else,
  /// and runs created by the fold cannot start. If a backlog's pieces take longer, for example
  /// because of large payloads, the next ones are smaller (``Folded/nextLimit``).
  /// `advance_backlog.sql` has a limit of 5,000 deferred events, which must not be smaller than
  /// `mostEvents`.
  static let mostEvents: Int64 = 4_000

  /// The maximum number of events in the first fold of a backlog.
  ///
  /// A small first fold ends early, so the runs that it creates start early.
  static let fewEvents: Int64 = 2_000

  /// Folds committed events into ready runs, unless another process is folding.
  ///
  /// - Returns: nil if another process has locked the cursor of the event log.
  /// - Throws: ``PostgresError``.
  func fold(atMost limit: Int64 = Self.mostEvents) async throws -> Folded? {
    try await session.transaction { transaction in
      guard let isOurs = try await lockCursor(in: transaction) else { return nil }
      return try await fold(in: transaction, atMost: limit, logIsOfThisCluster: isOurs)
    }
  }

  /// Like ``fold(atMost:)``, but in one round trip.
  ///
  /// The parameters and the result are those of ``tryFold(after:storesTime:with:)``.
  func tryFold(after previous: Folded? = nil, storesTime: Bool = false) async throws -> Folded? {
    let sent = try await tryFold(after: previous, storesTime: storesTime, with: nil)
    return sent.isRestored ? try await fold() : sent.folded
  }

  /// Folds events and claims runs in one transaction and one round trip.
  ///
  /// If this fold finds a backlog and the previous fold did not, the method folds no events, and
  /// sets ``Folded/hasMore``.
  ///
  /// - Parameters:
  ///   - previous: the previous fold of this worker, or nil.
  ///   - storesTime: whether to store the time of the dispatch even if the log has no new events.
  ///   - claim: a claim that also finds the runs of this fold, or nil.
  /// - Returns: the fold and the claimed runs. The fold is nil if another process has locked the
  ///   cursor of the event log. If `isRestored` is true, the fold is nil, and the caller must call
  ///   ``fold(atMost:)``, because the event log was written in another cluster.
  func tryFold(
    after previous: Folded?, storesTime: Bool, with claim: ClaimAhead.Prepared?
  ) async throws -> (folded: Folded?, claimed: [ClaimedRun], isRestored: Bool) {
    let inPieces = previous?.hasMore == true
    let limit = previous?.nextLimit ?? Self.mostEvents
    // If another process has locked the cursor of the event log, the statements after `lockCursor`
    // dispatch nothing.
    let (lock, advance, fold) = (
      Call.run(SQL.Queue.limitCursor),
      QueueCalls.advance(atMost: limit, inPieces: inPieces, storesTime: storesTime),
      QueueCalls.fold(atOnce: false, inPieces: inPieces)
    )
    let (isOurs, hasMore, folded, claimed): ([Bool], Bool, Folded, [ClaimedRun])
    if let claim {
      (_, isOurs, _, hasMore, folded, _, claimed) = try await session.atomically(
        lock, QueueCalls.lockCursor, .run(SQL.Queue.limitFold), advance, fold, claim.limit,
        claim.take)
    } else {
      (_, isOurs, _, hasMore, folded) = try await session.atomically(
        lock, QueueCalls.lockCursor, .run(SQL.Queue.limitFold), advance, fold)
      claimed = []
    }
    switch isOurs.first {
    case nil: return (nil, claimed, false)
    case false?: return (nil, claimed, true)
    case true?: return (folded.withMore(hasMore, limit: limit), claimed, false)
    }
  }

  /// Folds all committed events, and makes all ready runs due.
  ///
  /// If another process is folding, the method waits for it. Each round trip folds one part of the
  /// events. The caller must have checked that the event log belongs to this cluster.
  ///
  /// - Throws: ``PostgresError``.
  func foldAtOnce() async throws(PostgresError) -> Folded {
    var sum = Folded(events: 0, runs: 0, jobs: [], dueJobs: [])
    repeat {
      let (_, _, hasMore, folded, _) = try await session.atomically(
        .run(SQL.Queue.limitCursor), QueueCalls.waitForCursor,
        QueueCalls.advance(inPieces: sum.hasMore),
        QueueCalls.fold(atOnce: true, inPieces: sum.hasMore), .count(SQL.Queue.makeDue))
      sum += folded.withMore(hasMore)
    } while sum.hasMore
    return sum
  }

  /// Folds one part of the committed events and then polls, in one round trip.
  ///
  /// Like ``foldAtOnce()``, the method waits for another process that is folding, and makes all
  /// ready runs due.
  ///
  /// - Parameter inPieces: whether the previous fold found a backlog.
  /// - Returns: the poll, the work that remains, and whether more events exist for the next fold.
  func foldAndPoll(
    inPieces: Bool
  ) async throws(PostgresError) -> (poll: QueueCalls.Poll, left: PendingWork, hasMore: Bool) {
    let search = front.begin()
    let (_, _, hasMore, _, _, poll, left) = try await session.atomically(
      .run(SQL.Queue.limitCursor), QueueCalls.waitForCursor,
      QueueCalls.advance(inPieces: inPieces), QueueCalls.fold(atOnce: true, inPieces: inPieces),
      .count(SQL.Queue.makeDue),
      QueueCalls.poll(from: search.marks, for: release, findsDead: search.findsDead),
      QueueCalls.countLeft(of: nil))
    front.end(search, poll)
    return (poll, left, hasMore)
  }

  /// Folds the whole event log if it was restored from another cluster.
  ///
  /// ``foldAndPoll(inPieces:)`` compares transaction ids, which have no meaning in another cluster.
  func foldRestored() async throws {
    let isOurs = Call.row(SQL.Queue.hasOwnPosition) { (row) throws(PostgresError) in
      try row.decode(Bool.self)
    }
    guard try await !session.atomically(isOurs) else { return }
    try await foldAfterOthers()
  }

  /// Waits until no other process is folding, and then folds committed events.
  ///
  /// Debounces and backoffs still apply to the runs that result from the fold.
  ///
  /// - Parameter role: the kind of database role for the fold, or nil for the login's role.
  func foldAfterOthers(as role: String? = nil) async throws {
    while try await foldPieceAfterOthers(as: role) {}
  }

  /// Waits until no other process is folding, and then folds one part of the committed events.
  ///
  /// The method does the same as one step of ``foldAfterOthers(as:)``.
  ///
  /// - Returns: whether more events exist.
  func foldPieceAfterOthers(as role: String? = nil) async throws -> Bool {
    try await session.transaction { transaction in
      try await transaction.acting(as: role) {
        try await transaction.run(QueueCalls.waitForCursor)
        guard let isOurs = try await lockCursor(in: transaction) else { return false }
        return try await fold(in: transaction, logIsOfThisCluster: isOurs).hasMore
      }
    }
  }

  /// Folds committed events into runs, as part of a command run by an operator.
  ///
  /// An operator's role does not have the privilege to fold events, but may switch to the worker
  /// role. If the privilege is missing, the method folds the events with the worker role.
  func foldForOperator() async throws {
    do {
      try await foldAfterOthers()
    } catch let error as PostgresError where error.sqlState == .insufficientPrivilege {
      try await foldAfterOthers(as: "worker")
    }
  }

  /// Truncates used segments of the event log, and switches writers to the next segment.
  ///
  /// If the event log belongs to another cluster, the method does nothing. Each segment of another
  /// cluster's event log can contain events that have not been folded.
  func rotate() async throws {
    try await session.transaction { transaction in
      guard try await lockCursor(in: transaction) == true else { return }
      try await transaction.run(.run(SQL.Queue.rotateEventLog))
    }
  }

  /// The maximum number of table pages from which one statement deletes start times.
  private static let pagesAtOnce: Int64 = 128

  /// Deletes the stored start times of throttled keys that have had no recent runs.
  ///
  /// The method reads 128 pages of the table at a time, beginning at `page`. The method stops at
  /// the end of the table, or after 128 pages that contain no outdated start times.
  ///
  /// - Parameter page: the page that the previous call returned, or 0 for the first call.
  /// - Returns: the value of `page` for the next call.
  func forgetRecentRuns(from page: Int64 = 0) async throws(PostgresError) -> Int64 {
    try await forget(SQL.Queue.forgetRecentRuns, from: page)
  }

  /// Deletes the stored starts of runs that no longer count towards a rate limit.
  ///
  /// The method reads the table in the same way as ``forgetRecentRuns(from:)``.
  ///
  /// - Returns: the value of `page` for the next call.
  func forgetStarts(from page: Int64 = 0) async throws(PostgresError) -> Int64 {
    try await forget(SQL.Queue.forgetStarts, from: page)
  }

  /// Deletes the occurrences of schedules that were removed some days ago.
  ///
  /// The method reads the table in the same way as ``forgetRecentRuns(from:)``.
  ///
  /// - Returns: the value of `page` for the next call.
  func forgetRemoved(from page: Int64 = 0) async throws(PostgresError) -> Int64 {
    try await forget(SQL.Schedules.forgetRemoved, from: page)
  }

  private func forget(
    _ statement: Statement, from page: Int64
  ) async throws(PostgresError) -> Int64 {
    var page = page
    while true {
      let forget = Call.row(statement, page, Self.pagesAtOnce, as: Int64.self, Bool.self)
      let (count, isLast) = try await session.atomically(forget)
      page = isLast ? 0 : page + Self.pagesAtOnce
      guard count > 0, !isLast else { return page }
    }
  }

  /// A group of a job's runs that are held back by a limit.
  struct HeldGroup: Sendable, Equatable {
    var job = ""
    var group = ""
  }

  /// Adds the missing turns for groups that have a rate limit and held runs, and removes duplicate
  /// turns.
  ///
  /// A turn is a row in `held_group` that contains the time when a group's next run may start.
  ///
  /// The method checks `count` groups at a time, beginning after the group `last`. The method stops
  /// after the last group, or after `limit`.
  ///
  /// - Parameters:
  ///   - last: the group that the previous call returned, or an empty group for the first call.
  ///   - count: the number of groups that one statement checks.
  ///   - limit: the time after which no further statement begins.
  /// - Returns: the value of `last` for the next call.
  func addTurns(
    after last: HeldGroup = HeldGroup(), atOnce count: Int32 = 1_000,
    within limit: Duration = .milliseconds(200)
  ) async throws(PostgresError) -> HeldGroup {
    let deadline = ContinuousClock.now + limit
    let marks = front.turnMarks
    var last = last
    repeat {
      let add = Call.row(
        SQL.Queue.addTurns, last.job, last.group, count, marks.jobs, marks.dues, marks.others,
        as: Int64.self, String?.self, String?.self)
      let (_, job, group) = try await session.atomically(add)
      guard let job, let group else { return HeldGroup() }
      last = HeldGroup(job: job, group: group)
    } while ContinuousClock.now < deadline
    return last
  }

  /// Locks the cursor of the event log, and returns whether the event log belongs to this cluster.
  ///
  /// The method returns nil if another process has locked the cursor of the event log.
  func lockCursor(in transaction: Transaction) async throws -> Bool? {
    let (_, isOurs) = try await transaction.run(
      .run(SQL.Queue.limitCursor), QueueCalls.lockCursor)
    return isOurs.first
  }

  /// Folds events, after the caller has locked the cursor of the event log.
  ///
  /// If the event log was written in another cluster, the method folds all of its events. Another
  /// cluster's transaction ids cannot be compared with those of this cluster.
  private func fold(
    in transaction: Transaction, atMost limit: Int64 = Self.mostEvents, logIsOfThisCluster: Bool
  ) async throws -> Folded {
    guard !logIsOfThisCluster else {
      let (_, isInPieces, folded) = try await transaction.run(
        .run(SQL.Queue.limitFold), QueueCalls.advance(atMost: limit, inPieces: false),
        QueueCalls.fold(atOnce: false, inPieces: false))
      guard isInPieces else { return folded }
      let (hasMore, piece) = try await transaction.run(
        QueueCalls.advance(atMost: limit, inPieces: true),
        QueueCalls.fold(atOnce: false, inPieces: true))
      return piece.withMore(hasMore)
    }
    let (_, _, _, _, folded, _, _, _) = try await transaction.run(
      .run(SQL.Queue.lockEventLog),
      .run(SQL.Queue.announceRestart),
      .run(SQL.Queue.setPosition, "3:3:", false),
      // The snapshot's bound is the largest transaction id, so the snapshot includes every event in
      // the event log.
      .run(SQL.Queue.setPosition, "\(Int64.max):\(Int64.max):", true),
      QueueCalls.fold(atOnce: false, inPieces: false),
      .run(SQL.Queue.emptyEventLog),
      .run(SQL.Queue.setPosition, String?.none, false),
      .count(SQL.Batches.forgetTransactions))
    return folded
  }
}

/// The result of a fold.
struct Folded: Sendable {
  /// The number of events that were read.
  let events: Int
  /// The number of ready runs that were created or moved.
  let runs: Int
  /// The names of the jobs whose runs were created or moved.
  let jobs: [String]
  /// The names of the jobs whose created or moved runs are due.
  let dueJobs: [String]
  /// Whether more events exist, which the next fold must fold in pieces.
  var hasMore = false
  /// The fold's maximum number of events.
  var limit = Queue.mostEvents
  /// The duration of the fold on the server.
  ///
  /// The round trip time is not included, because smaller folds would not shorten it.
  var took = Duration.zero

  /// Whether the fold found a backlog, and left all events for later folds.
  var beginsBacklog: Bool { hasMore && events == 0 }

  /// The next fold's maximum number of events.
  ///
  /// The size of a backlog's pieces is adapted to their duration, so that events from other
  /// transactions and heartbeats do not wait for long.
  var nextLimit: Int64 {
    guard hasMore else { return Queue.mostEvents }
    guard !beginsBacklog else { return Queue.fewEvents }
    var size = StepSize(
      Int(limit), within: 100...Int(Queue.mostEvents), around: .milliseconds(100))
    size.adapt(to: took)
    return Int64(size.current)
  }

  func withMore(_ hasMore: Bool, limit: Int64 = Queue.mostEvents) -> Self {
    var folded = self
    (folded.hasMore, folded.limit) = (hasMore, limit)
    return folded
  }

  static func += (left: inout Self, right: Self) {
    left = Self(
      events: left.events + right.events, runs: left.runs + right.runs,
      jobs: Set(left.jobs + right.jobs).sorted(),
      dueJobs: Set(left.dueJobs + right.dueJobs).sorted(), hasMore: right.hasMore)
  }
}

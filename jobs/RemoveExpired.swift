import Challenges
import JobCore

/// Removes what is no longer kept, whose ages stand in the table `setting`.
///
/// Boards of weeks long gone, notices, the history of runs, dead runs. Every step is bounded and
/// complete in itself, so it can be killed anywhere and run every minute. Notices and the history go
/// a day at a time, by TRUNCATE.
struct RemoveExpired: StepJob {
  static let definition = Definition(
    "retention",
    on: .manual,
    debounce: .none,
    batch: 1,
    retry: .attempts(8, exponentialFrom: .seconds(1), to: .seconds(300)),
    timeout: .seconds(30),
    schedule: .cron("17 3 * * *", timeZone: "UTC", missed: .once),
    keepsHistory: true)

  private static let rows = 5000
  /// Boards that go in one transaction.
  private var boards = StepSize(500, within: 50...4000, around: .milliseconds(60))
  /// Slots to empty; nil: not looked for yet.
  private var slots: ArraySlice<Slot>?
  /// How often a slot that is in use is tried again before it is left for the next run.
  private var patience = 20

  init(key: String, payload: String?) throws { try Schedule.requireKey(key) }

  /// Emptying a slot locks it: a dry run that did so would keep its readers waiting to the end.
  static func preview(in context: JobContext) async throws -> [Removal]? {
    try await context.retention.expired().map {
      Removal(table: $0.table, rows: $0.rows, oldest: $0.oldest, newest: $0.newest)
    }
  }

  mutating func step(in context: JobContext) async throws -> Progress {
    let retention = context.retention
    if slots == nil { slots = try await retention.oldSlots()[...] }
    if let slot = slots?.popFirst() {
      return .more(try await empty(slot, in: retention))
    }
    let start = ContinuousClock.now
    let gone = try await retention.purgeBoards(limit: boards.current)
    var report: Report = [
      "slots emptied": 0, "slots in use": 0, "boards": gone, "weeks forgotten": 0, "dead runs": 0,
    ]
    // A week is forgotten when its boards are gone: looked for behind the last of them, because
    // every look passes over all the weeks whose boards are still there.
    guard gone < boards.current else {
      boards.adapt(to: start.duration(to: .now))
      return .more(report)
    }
    let weeks = try await retention.purgeWeekNotices(limit: Self.rows)
    let dead = try await retention.purgeDeadRuns(limit: Self.rows)
    report += ["weeks forgotten": weeks, "dead runs": dead]
    return [weeks, dead].contains(Self.rows) ? .more(report) : .done(report)
  }

  /// Who reads a slot is soon done, but others follow: it is tried again behind the other slots.
  private mutating func empty(_ slot: Slot, in retention: any Retention) async throws -> Report {
    switch try await retention.empty(slot) {
    case .emptied: return ["slots emptied": 1, "slots in use": 0]
    case .kept: return ["slots emptied": 0, "slots in use": 0]
    case .inUse where patience == 0: return ["slots emptied": 0, "slots in use": 1]
    case .inUse:
      patience -= 1
      slots?.append(slot)
      try await Task.sleep(for: .milliseconds(50))
      return ["slots emptied": 0, "slots in use": 0]
    }
  }
}

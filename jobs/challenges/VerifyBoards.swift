import BatonJobs
import Challenges
import ChallengesServer
import Foundation
import Logging

/// Each night, compares some groups' boards with the ledger and repairs any differences.
///
/// Every group is checked once within 30 nights. A repair does not send notifications, and closed
/// boards are never changed. A check does not take any locks, and a repair is one transaction for
/// one week of one member. A retried run rechecks the groups, and does not find any differences in
/// repaired weeks.
struct VerifyBoards: StepJob {
  static let definition = Definition<Self>(
    "verify-boards", on: [.cron("47 3 * * *")], retry: .usual.capped(at: .seconds(60)))

  typealias Key = ScheduleKey

  /// Whether the run repairs differences or only reports them.
  ///
  /// A value of nil means true.
  let heals: Bool?
  /// The number of nights in which the job checks every group once, or nil for 30 nights.
  ///
  /// If the number is 1, each run checks all groups.
  let nights: Int64?

  struct State: StepState {
    /// The number of group-week pairs that one statement checks.
    var weeks = StepSize(50, within: 10...400, around: .milliseconds(100))
    var place: VerificationPlace? = .start
    /// The checked weeks, with the differences that have not been repaired yet.
    var chunk: VerifiedChunk?
    var healings: ArraySlice<Healing> = []
    var lines = 0
  }

  private static let groups = 1000
  /// The maximum number of differences that one run logs.
  ///
  /// The run's report counts all differences, including those that are not logged.
  private static let mostLines = 20

  static func step(
    _ run: Run<Self>, _ state: inout State, in context: JobContext
  ) async throws -> StepResult {
    if let healing = state.healings.popFirst() {
      try await context.verification.heal(healing)
      return .more(Report())
    }
    if let chunk = state.chunk {
      state.chunk = nil
      let remains = try await context.verification.look(again: chunk)
      let report = say(chunk.outcomes(remains), of: run, &state)
      return state.place == nil ? .done(report) : .more(report)
    }
    let start = ContinuousClock.now
    let chunk = try await context.verification.look(
      at: state.place ?? .start, weeks: state.weeks.current, groups: groups, of: try share(of: run))
    if chunk.weeks.count == state.weeks.current {
      state.weeks.adapt(to: start.duration(to: .now))
    }
    state.place = chunk.next
    let report = Self.report(looked: chunk)
    let isHealing = (run.payload.heals ?? true) && !run.isDryRun
    if isHealing, !chunk.drift.isEmpty {
      (state.chunk, state.healings) = (chunk, Healing.list(for: chunk.drift)[...])
      return .more(report)
    }
    let sum = report + say(chunk.drift.map { ($0, .found) }, of: run, &state)
    return state.place == nil ? .done(sum) : .more(sum)
  }

  /// Returns the groups that a run checks, which depend on the UTC date for which the run is
  /// scheduled.
  private static func share(of run: Run<Self>) throws -> GroupShare {
    let nights = run.payload.nights ?? 30
    guard 1...10_000 ~= nights else { throw Permanent("nights is 1 to 10,000, not \(nights)") }
    let night = Int64((run.scheduledFor.timeIntervalSince1970 / 86_400).rounded(.down))
    return GroupShare(part: (night % nights + nights) % nights, of: nights)
  }

  private static func report(looked chunk: VerifiedChunk) -> Report {
    [
      "weeks compared": chunk.weeks.count, "groups counted": chunk.groups,
      "drifts": chunk.drift.count, "healed": 0, "left": 0,
    ]
  }

  /// Logs at most ``mostLines`` differences, and counts all of them.
  private static func say(
    _ outcomes: [(drift: BoardDrift, outcome: DriftOutcome)], of run: Run<Self>,
    _ state: inout State
  ) -> Report {
    for (drift, outcome) in outcomes where state.lines <= mostLines {
      state.lines += 1
      run.logger.warning(
        state.lines > mostLines
          ? "there is more drift: `gymrats verify` lists it" : "\(drift.line(outcome))")
    }
    let healed = outcomes.filter { $0.outcome == .healed }.count
    return ["healed": healed, "left": outcomes.count - healed]
  }
}

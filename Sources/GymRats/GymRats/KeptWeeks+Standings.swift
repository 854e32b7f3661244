import Baton
import Challenges
import ChallengesPostgres
import ChallengesServer
import Foundation

extension KeptWeeks {
  /// Returns the standings of one week at a given time, for all groups with the given id or name.
  ///
  /// - Parameter week: A date in the week, in the form `YYYY-MM-DD`, or nil for the week that
  ///   contains `instant`.
  /// - Throws: `Complaint` if the group does not exist, if the time is in the future, or if the
  ///   data for that time was deleted. `PostgresError` if a statement fails.
  func standings(
    of group: String, week: String?, at instant: Date, _ type: ChallengeType?, in database: Database
  ) async throws -> [Standing] {
    let groups = try await groups(named: group)
    guard !groups.isEmpty else { throw Complaint(noGroup: group, in: database) }
    let day = week ?? CivilDate.text(ofDay: Week(containing: instant).startDay)
    let at = Int64(instant.timeIntervalSince1970) * 1_000_000
    var standings: [Standing] = []
    for id in groups {
      guard let kept = try await self.week(of: id, holding: day) else { continue }
      try check(at, in: kept)
      let monday = CivilDate.text(ofDay: kept.week.startDay - 7)
      let before = try await self.week(of: id, holding: monday)
      standings += kept.standings(at: at, before: before, type: type)
    }
    return standings
  }

  private func check(_ at: Int64, in kept: KeptWeek) throws {
    let text = (at.flooredSeconds * 1_000_000).isoText
    // `last` is the current second, and `first` is the first whole second for which all data is
    // stored.
    let last = (kept.now.flooredSeconds * 1_000_000).isoText
    let first = ((kept.keptFrom + 999_999).flooredSeconds * 1_000_000).isoText
    guard at <= kept.now else {
      throw Complaint(
        .usage, what: "\(text) is in the future.", place: "--at",
        next: "Give a time up to now, which is \(last).")
    }
    guard at >= kept.keptFrom else {
      throw Complaint(
        .noInput, what: "The boards at \(text) are no longer stored.", place: "--at",
        next: "Give a time from \(first) on; setting.board_age is the limit.")
    }
    guard at >= kept.week.start * 1_000_000 else {
      throw Complaint(
        .usage, what: "At \(text) the week of \(kept.weekStart) had not begun.",
        place: "--at and --week", next: "Omit --week: the command then selects the week of --at.")
    }
  }
}

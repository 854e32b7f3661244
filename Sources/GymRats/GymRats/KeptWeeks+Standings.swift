import Baton
import Challenges
import ChallengesPostgres
import ChallengesServer
import Foundation

extension KeptWeeks {
  /// A group's boards as they were at an instant, of one week; of all groups with that name.
  ///
  /// - Parameter week: any day of the week as `YYYY-MM-DD`; nil: that of the instant.
  /// - Throws: `Complaint` if the group does not exist, if the instant is in the future, or if it is before the
  ///   data that is still stored; `PostgresError`.
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
      try check(instant, at, in: kept)
      let monday = CivilDate.text(ofDay: kept.week.startDay - 7)
      let before = try await self.week(of: id, holding: monday)
      standings += kept.standings(at: at, before: before, type: type)
    }
    return standings
  }

  private func check(_ instant: Date, _ at: Int64, in kept: KeptWeek) throws {
    let text = instant.formatted(.iso8601)
    // The last second there is, and the first that is kept whole.
    let last = (kept.now.flooredSeconds * 1_000_000).isoText
    let first = ((kept.keptFrom + 999_999).flooredSeconds * 1_000_000).isoText
    guard at <= kept.now else {
      throw Complaint(
        .usage, what: "\(text) is still to come.", place: "--at",
        next: "Ask for an instant up to now; \(last) it is.")
    }
    guard at >= kept.keptFrom else {
      throw Complaint(
        .noInput, what: "What boards showed at \(text) is not kept any more.", place: "--at",
        next: "Ask for an instant from \(first) on; setting.board_age says so.")
    }
    guard at >= kept.week.start * 1_000_000 else {
      throw Complaint(
        .usage, what: "At \(text) the week of \(kept.weekStart) had not begun.",
        place: "--at and --week", next: "Leave --week out: the week is that of the instant.")
    }
  }
}

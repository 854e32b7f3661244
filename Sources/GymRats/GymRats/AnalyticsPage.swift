import BatonJobs
import ChallengesPostgres

/// Formats the statistics as text.
struct AnalyticsPage {
  private let summary: AnalyticsSummary

  init(_ summary: AnalyticsSummary) { self.summary = summary }

  /// The statistics as text: a block for each day with a count above 0, followed by the totals for
  /// the range.
  var text: String {
    let days = summary.days.filter { !lines(of: $0).isEmpty }
    let blocks = days.map { ([$0.day] + lines(of: $0).map { "  " + $0 }).joined(separator: "\n") }
    return ((blocks.isEmpty ? ["nothing on these days"] : blocks) + [invites, recompute])
      .joined(separator: "\n") + "\n"
  }

  private func lines(of day: AnalyticsDay) -> [String] {
    let groups = counts([
      (day.groupsCreated, "created"), (day.groupsJoined, "joined"),
      (day.joinedByInvite, "of them by invite"),
    ])
    let invites = counts([(day.invitesMade, "made"), (day.invitesPreviewed, "looked at")])
    let workouts = counts(
      day.workouts.map { ($0.workouts, $0.outcome) } + [(day.ignoredPrivacy, "ignoredPrivacy")])
    var phones = [
      (day.writesFailed, "failed write"), (day.linksFailed, "failed link"),
      (day.boardsFetched, "fetched board"),
    ].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }.joined(separator: ", ")
    if let median = day.fetchP50Ms, let most = day.fetchP95Ms {
      phones += " (p50 \(median) ms, p95 \(most) ms)"
    }
    return [("groups", groups), ("invites", invites), ("workouts", workouts), ("phones", phones)]
      .filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }
  }

  private func counts(_ counts: [(number: Int64, name: String)]) -> String {
    counts.filter { $0.number > 0 }.map { "\($0.number) \($0.name)" }.joined(separator: ", ")
  }

  private var invites: String {
    let invites = summary.invites
    guard invites.made > 0 else { return "conversion: no invite was made on these days" }
    return "conversion: of \(counted(invites.made, "invite")) made, \(share(invites.previewed)) "
      + "\(invites.previewed == 1 ? "was" : "were") looked at, "
      + "\(share(invites.accepted)) brought a member; "
      + "\(invites.joins) joined"
  }

  private func share(_ part: Int64) -> String {
    "\(part) (\((part * 100 + summary.invites.made / 2) / summary.invites.made) %)"
  }

  private var recompute: String {
    let cost = summary.recompute
    guard let read = cost.rowsRead, let written = cost.mostRowsWritten else {
      return "recompute: nothing was published yet"
    }
    return "recompute: about \(tenths(read)) rows read, at most \(tenths(written)) written; "
      + "\(counted(cost.published, "time")) published, "
      + "\(counted(cost.runs, "run")) in \(counted(cost.batches, "batch", "batches"))"
  }

  private func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}

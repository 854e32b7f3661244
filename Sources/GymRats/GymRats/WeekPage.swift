import Baton
import ChallengesPostgres

/// Formats weeks as text.
struct WeekPage {
  private let weeks: [WeekSummary]
  private let holders: [BoardHolder]

  init(_ weeks: [WeekSummary], _ holders: [BoardHolder]) {
    self.weeks = weeks
    self.holders = holders
  }

  var text: String {
    guard !weeks.isEmpty else { return "no weeks\n" }
    return (weeks.map(line) + holders.map(line)).joined(separator: "\n") + "\n"
  }

  private func line(_ week: WeekSummary) -> String {
    var parts = ["\(week.weekStart)  \(week.label) "]
    let states = [
      (week.open, "open"), (week.settling, "settling"), (week.closed, "closed"),
      (week.cancelled, "cancelled"),
    ]
    parts += states.filter { $0.0 > 0 }.map { " \($0.0) \($0.1)" }
    if let at = week.closedAt { parts.append("  last closed \(at)") }
    if week.behindSeconds > 0 { parts.append("  BEHIND by \(week.behindSeconds) s") }
    return parts.joined()
  }

  private func line(_ holder: BoardHolder) -> String {
    "held by process \(holder.pid) (\(holder.application)) of \(holder.user), "
      + (holder.seconds.map { "open for \($0) s: \(holder.query)" }
        ?? "for a time that this role may not see")
  }
}

import Baton
import BatonJobs
import Challenges
import ChallengesServer

/// Formats the explanation of a rank as text.
struct ExplanationPage {
  private let it: RankExplanation

  init(_ explanation: RankExplanation) { it = explanation }

  /// The explanation as text: the board, the member's place, and the reasons for the place, one per
  /// line.
  var text: String {
    let title =
      "\(it.name) (\(it.user)) · \(it.groupName) (\(it.group)) · week of \(it.weekStart)"
      + " · \(it.type.rawValue)" + (it.state == "open" ? "" : " · \(it.state)")
    return ([title, place] + workouts + streak + rivals + published + differences)
      .joined(separator: "\n")
  }

  private var place: String {
    let value = "value \(it.value)" + (it.reachedAt.map { ", reached at \($0)" } ?? "")
    let hidden = it.hidden.map { " (\($0))" } ?? ""
    guard let rank = it.rank, let position = it.position else {
      return "  not on the board\(hidden): \(value)"
    }
    return "  rank \(rank), position \(position): \(value)"
  }

  private var workouts: [String] {
    it.workouts.map { workout in
      let outcome = [workout.outcome, workout.reason].compactMap(\.self).joined(separator: " ")
      let counts = workout.because.map { "does not count: \($0)" } ?? "counts"
      return "  \(workout.date)  \(workout.performedAt)  \(workout.workout)  \(outcome)  \(counts)"
    }
      + it.pauses.map {
        "  did not share from \($0.from)" + ($0.until.map { " until \($0)" } ?? "")
          + ": workouts performed then were not stored"
      }
  }

  private var streak: [String] {
    guard let streak = it.streak, it.value > 0 else { return [] }
    guard !streak.dates.isEmpty else { return ["  streak (\(streak.policy))"] }
    let earlier = streak.earlier > 0 ? "\(counted(streak.earlier, "day")) before, then " : ""
    return ["  streak (\(streak.policy)): \(earlier)\(Self.ranges(of: streak.dates))"]
  }

  /// Returns dates as text, with consecutive dates combined into ranges.
  private static func ranges(of dates: [String]) -> String {
    var ranges: [(first: String, last: String)] = []
    for date in dates {
      if let last = ranges.last, next(after: last.last) == date {
        ranges[ranges.count - 1].last = date
      } else {
        ranges.append((date, date))
      }
    }
    return ranges.map { $0.first == $0.last ? $0.first : "\($0.first) to \($0.last)" }
      .joined(separator: ", ")
  }

  private static func next(after date: String) -> String? {
    let parts = date.split(separator: "-").compactMap { Int64($0) }
    return CivilDate.days(year: parts[0], month: parts[1], day: parts[2])
      .map { CivilDate.text(ofDay: $0 + 1) }
  }

  private var rivals: [String] {
    let further = (it.position ?? it.ahead.count + 1) - 1 - it.ahead.count
    return it.ahead.map { line("ahead", $0, because: reason($0, isAhead: true)) }
      + (further > 0 ? ["  ahead   and \(further) more"] : [])
      + (it.behind.map { [line("behind", $0, because: reason($0, isAhead: false))] } ?? [])
  }

  private func line(_ word: String, _ other: RankExplanation.Rival, because: String) -> String {
    "  \(word)\(word == "ahead" ? "   " : "  ")\(other.name) (\(other.user)), rank \(other.rank): \(because)"
  }

  private func reason(_ other: RankExplanation.Rival, isAhead: Bool) -> String {
    switch other.by {
    case .value: "value \(other.value)"
    case .reachedAt:
      "the same value, reached \(isAhead ? "earlier" : "later"), at \(other.reachedAt)"
    case .joinedAt:
      "the same value at the same instant, a member \(isAhead ? "longer" : "less long"), "
        + "since \(other.joinedAt)"
    case .userID: "the same in all of it: the order of ids decides"
    }
  }

  private var published: [String] {
    let place = it.publishedRank.map { "rank \($0), value \(it.publishedValue ?? 0)" } ?? "nothing"
    return ["  published: \(place)" + (it.isWaiting ? ", and a new ranking is pending" : "")]
  }

  private var differences: [String] {
    it.differences.map { "  differs: \($0)" }
      + (it.differences.isEmpty
        ? []
        : [
          it.state == "closed"
            ? "  next: a closed board is never changed; `gymrats verify` says whether it drifted"
            : "  next: gymrats verify --fix"
        ])
  }
}

import Baton
import JobCore
import JobRunner
import Postgres

/// The schedules, and of each what comes and what was.
struct SchedulesPage: DashboardPage {
  let name = "schedules"
  let title = "Schedules"

  func content(_ question: PageQuestion, reading session: Session) async throws -> PageContent {
    guard !question.path.isEmpty else { return list(try await question.observed(session)) }
    let text = question.path.joined(separator: "/")
    guard let id = ScheduleID(text), let page = try await Queue(session).schedule(id) else {
      return .missing(
        "There is no schedule \(text).",
        next: Operations.link("All schedules", to: Place("schedules")))
    }
    return PageContent("Schedule \(id)") { sheet(page, question) }
  }

  private func list(_ observation: Observation) -> PageContent {
    var table = PageTable(
      "Schedules of this schema", .text("Schedule"), .text("State"), .text("Next occurrence"))
    for schedule in observation.schedules {
      table.add(
        Self.link(to: schedule.name),
        schedule.isPaused
          ? badge("paused", .warning)
          : schedule.lateSeconds.map { badge("late by \($0.duration)", .critical) }
            ?? badge("on time", .good), instant(schedule.next))
    }
    return PageContent("Schedules") {
      section("Schedules") { table.markup(orElse: "No job has a schedule.") }
    }
  }

  /// A schedule's id is its job's name, or `job/name`.
  static func link(to id: String) -> Markup {
    Operations.link(id, to: place(id))
  }

  static func place(_ id: String) -> Place {
    Place(parts: ["schedules"] + id.split(separator: "/").map(String.init), asking: [])
  }

  /// Schedules with what they are.
  static func table(_ caption: String, _ schedules: [ScheduleRow]) -> PageTable {
    var table = PageTable(
      caption, .text("Schedule"), .text("When"), .text("State"), .text("Next occurrence"),
      .text("Last fired"))
    for schedule in schedules {
      table.add(
        link(to: schedule.id), tag("code", [:], schedule.expression),
        schedule.pausedSince == nil ? badge("works", .good) : badge("paused", .warning),
        instant(schedule.nextAt), instant(schedule.lastFiredAt))
    }
    return table
  }

  private func sheet(_ page: SchedulePage, _ question: PageQuestion) -> Markup {
    let schedule = page.schedule
    var past = PageTable(
      "The newest occurrences", .text("Occurrence"), .text("Dealt with"), .text("How"))
    for occurrence in page.past {
      past.add(
        instant(occurrence.at), instant(occurrence.firedAt),
        badge(occurrence.outcome, occurrence.outcome == "skipped" ? .warning : .plain))
    }
    return
      question.actions(of: schedule)
      + section("Definition") { facts(definition(schedule, page.now)) }
      + section("What comes") {
        if page.next.isEmpty { tag("p", ["class": "nothing"], "No occurrence comes any more.") }
        tag("ol") { page.next.map { next in tag("li") { instant(next) } } }
      }
      + section("What was") { past.markup(orElse: "No occurrence was dealt with yet.") }
  }

  private func definition(_ schedule: ScheduleRow, _ now: Timestamp) -> [(String, Markup?)] {
    [
      ("Job", Operations.link(schedule.job, to: Place("jobs", schedule.job))),
      ("When", tag("code", [:], schedule.expression)),
      ("Time zone", schedule.timeZone.map { Markup($0) }),
      ("Missed occurrences", Markup(schedule.missed)),
      ("Delay", schedule.delaySeconds > 0 ? Markup(schedule.delaySeconds.duration) : nil),
      ("Paused since", schedule.pausedSince.map { instant($0) }),
      ("Last occurrence that fired", instant(schedule.lastAt)),
      ("Fired at", instant(schedule.lastFiredAt)), ("Domain time now", instant(now)),
    ]
  }
}

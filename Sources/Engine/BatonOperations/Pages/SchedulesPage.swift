import Baton
import BatonJobs
import BatonPostgres
import JobRunner

/// The page that lists the schedules, and one page for each schedule, with the schedule's next and
/// past occurrences.
struct SchedulesPage: DashboardPage {
  let name = "schedules"
  let title = "Schedules"

  func content(_ request: PageRequest, reading session: Session) async throws -> PageContent {
    guard !request.path.isEmpty else { return list(try await request.observed(session)) }
    let text = request.path.joined(separator: "/")
    guard let id = ScheduleID(text), let page = try await Queue(session).schedule(id) else {
      return .missing(
        "There is no schedule \(text).",
        next: BatonOperations.link("All schedules", to: Link("schedules")))
    }
    return PageContent("Schedule \(id)") { sheet(page, request) }
  }

  private func list(_ observation: Observation) -> PageContent {
    var table = PageTable(
      "Schedules of this schema", .text("Schedule"), .text("State"), .text("Next occurrence"))
    for schedule in observation.schedules {
      table.add(
        Self.anchor(schedule.name),
        schedule.isPaused
          ? badge("paused", .warning)
          : schedule.lateSeconds.map { badge("late by \($0.duration)", .critical) }
            ?? badge("on time", .good), instant(schedule.next))
    }
    return PageContent("Schedules") {
      section("Schedules") { table.markup(orElse: "No job has a schedule.") }
    }
  }

  /// Returns a link to a schedule.
  ///
  /// A schedule's id is the job's name or `job/name`.
  static func anchor(_ id: String) -> Markup {
    // An id that ends with `/*` represents all schedules of the job that were created at run time.
    guard !id.hasSuffix("/*") else { return Markup(id) }
    return BatonOperations.link(id, to: link(to: id))
  }

  static func link(to id: String) -> Link {
    Link(parts: ["schedules"] + id.split(separator: "/").map(String.init), asking: [])
  }

  /// Returns a table of schedules and their properties.
  static func table(_ caption: String, _ schedules: [ScheduleRow]) -> PageTable {
    var table = PageTable(
      caption, .text("Schedule"), .text("When"), .text("State"), .text("Next occurrence"),
      .text("Last fired"))
    for schedule in schedules {
      table.add(
        anchor(schedule.id), tag("code", [:], schedule.expression),
        schedule.pausedSince == nil ? badge("works", .good) : badge("paused", .warning),
        instant(schedule.nextAt), instant(schedule.lastFiredAt))
    }
    return table
  }

  private func sheet(_ page: SchedulePage, _ request: PageRequest) -> Markup {
    let schedule = page.schedule
    var past = PageTable(
      "The newest occurrences", .text("Occurrence"), .text("Handled"), .text("Outcome"))
    for occurrence in page.past {
      past.add(
        instant(occurrence.at), instant(occurrence.firedAt),
        badge(occurrence.outcome, occurrence.outcome == "skipped" ? .warning : .plain))
    }
    return
      request.actions(of: schedule)
      + section("Definition") { facts(definition(schedule, page.now)) }
      + section("Next occurrences") {
        if page.next.isEmpty { tag("p", ["class": "nothing"], "There are no more occurrences.") }
        tag("ol") { page.next.map { next in tag("li") { instant(next) } } }
      }
      + section("Past occurrences") { past.markup(orElse: "No occurrence was handled yet.") }
  }

  private func definition(_ schedule: ScheduleRow, _ now: Timestamp) -> [(String, Markup?)] {
    [
      ("Job", BatonOperations.link(schedule.job, to: Link("jobs", schedule.job))),
      ("When", tag("code", [:], schedule.expression)),
      ("Time zone", schedule.timeZone.map { Markup($0) }),
      ("Missed occurrences", Markup(schedule.missed)),
      ("Delay", schedule.delaySeconds > 0 ? Markup(schedule.delaySeconds.duration) : nil),
      ("Paused since", schedule.pausedSince.map { instant($0) }),
      ("Last fired occurrence", instant(schedule.lastAt)),
      ("Fired at", instant(schedule.lastFiredAt)),
      ("Current time (development clock)", instant(now)),
    ]
  }
}

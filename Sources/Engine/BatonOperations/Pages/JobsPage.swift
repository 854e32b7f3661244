import Baton
import BatonJobs
import BatonPostgres
import JobRunner

/// The page that lists the jobs, and one page for each job, with the job's triggers, limits and
/// durations.
struct JobsPage: DashboardPage {
  let name = "jobs"
  let title = "Jobs"

  func content(_ request: PageRequest, reading session: Session) async throws -> PageContent {
    guard let job = request.path.first else { return list(try await request.observed(session)) }
    guard request.path.count == 1, let page = try await Queue(session).job(job) else {
      return .missing("There is no job \(job).", next: link("All jobs", to: Link("jobs")))
    }
    return PageContent(page.name) { JobSheet(page: page, request: request).markup }
  }

  private func list(_ observation: Observation) -> PageContent {
    PageContent("Jobs") {
      section("Jobs") {
        tableOfJobs(observation).markup(orElse: "This schema has no jobs yet.")
      }
    }
  }

  private func tableOfJobs(_ observation: Observation) -> PageTable {
    var table = PageTable(
      "Jobs of this schema", .text("Job"), .text("State"), .number("Concurrency"),
      .number("Debounce"), .number("Ready"), .number("Running"), .number("Delayed"),
      .number("Retrying"), .number("Dead"),
      .number("Done"))
    for job in observation.jobs {
      table.add(
        link(job.name, to: Link("jobs", job.name)),
        job.isPaused ? badge("paused", .warning) : badge("works", .good),
        Markup(job.concurrency.map(String.init) ?? "any"), Markup(job.debounceSeconds.duration),
        Markup(job.ready.text), Markup(job.running.text), Markup(job.delayed.text),
        Markup(job.retrying.text), Markup(job.dead.text), Markup("\(job.runsDone)"))
    }
    return table
  }
}

/// The page of one job.
private struct JobSheet {
  let page: JobPage
  let request: PageRequest

  @MarkupBuilder var markup: Markup {
    if let since = page.pausedSince {
      tag("p", ["class": "notice warning"]) {
        "Paused since "
        instant(since)
        ": no worker claims its runs."
      }
    }
    request.actions(of: page)
    section("Definition") { facts(definition) }
    section("Limits across all workers") { facts(limits) }
    section("Runs") { facts(work) }
    section("Duration of attempts") { durations }
    if !page.schedules.isEmpty {
      section("Schedules") { schedules.markup(orElse: "This job has no schedules.") }
    }
    section("Ended runs") {
      RunTable.ended("The newest ended runs", page.ended)
        .markup(
          orElse: page.keepsHistory ? "No run has ended yet." : "This job keeps no history.")
    }
  }

  private var definition: [(String, Markup?)] {
    [
      (
        "Later names",
        page.laterNames.isEmpty ? nil : Markup(page.laterNames.joined(separator: ", "))
      ),
      (
        "Triggered by",
        Markup(page.topics.isEmpty ? "no event" : page.topics.joined(separator: ", "))
      ),
      ("Debounce: quiet time", Markup(page.quietSeconds.shortDuration)),
      ("Debounce: maximum wait", Markup(page.atMostSeconds.shortDuration)),
      (
        "Throttle: at most one run of a key per", page.everySeconds.map { Markup($0.shortDuration) }
      ),
      ("Priority (1 is first)", Markup("\(page.priority)")),
      ("Needs a key", Markup(page.needsKey ? "yes" : "no")),
      ("Keeps history", Markup(page.keepsHistory ? "yes" : "no")),
    ]
  }

  private var limits: [(String, Markup?)] {
    let limits = page.limits
    return [
      ("Concurrency", Markup(limits.concurrency.map(String.init) ?? "unlimited")),
      ("Concurrency per group", limits.groupConcurrency.map { Markup("\($0)") }),
      ("Group", limits.group.map { Markup($0) }),
      ("Seconds between starts", limits.startSeconds.map { Markup($0.short) }),
      ("Burst", limits.burst.map { Markup("\($0)") }),
      ("Seconds between starts of a group", limits.groupStartSeconds.map { Markup($0.short) }),
      ("Burst of a group", limits.groupBurst.map { Markup("\($0)") }),
    ]
  }

  private var work: [(String, Markup?)] {
    [
      ("Last run", instant(page.lastRanAt)), ("Completed", Markup("\(page.runsDone)")),
      ("Batches", Markup("\(page.batchesDone)")), ("Now", states),
    ]
  }

  private var states: Markup {
    tag("span") {
      RunState.allCases.filter { $0 != .ended }.map { state in
        link(
          state.rawValue, to: Link("runs", asking: ["job": page.name, "state": state.rawValue]))
          + Markup(" ")
      }
    }
  }

  private var durations: Markup {
    guard let durations = page.durations else {
      return tag("p", ["class": "nothing"], "There is no history of this job.")
    }
    return facts([
      ("p50", Markup(durations.median.shortDuration)),
      ("p90", Markup(durations.p90.shortDuration)),
      ("p99", Markup(durations.p99.shortDuration)),
      ("Longest", Markup(durations.longest.shortDuration)),
      ("Runs measured", Markup("\(durations.runs)")), ("Since", instant(durations.since)),
    ])
  }

  private var schedules: PageTable { SchedulesPage.table("Schedules", page.schedules) }
}

extension Double {
  /// The duration as text, such as `0.4 ms` or `12 ms`.
  ///
  /// If the duration is one second or longer, the text is ``duration``.
  var shortDuration: String {
    self < 1 ? "\((self * 10_000).rounded() / 10) ms" : duration
  }
}

extension PageContent {
  /// Returns a 404 page for an object that does not exist.
  static func missing(_ what: String, next: Markup) -> PageContent {
    PageContent("Not found", status: 404) {
      tag("section") {
        tag("p", [:], what)
        tag("p") { next }
      }
    }
  }
}

extension PageRequest {
  /// Returns ``observation`` or, if it is nil, reads the state of the queue with the given session.
  func observed(_ session: Session) async throws -> Observation {
    if let observation { return observation }
    return try await Queue(session).observe()
  }
}

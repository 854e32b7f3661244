import Baton
import BatonJobs
import BatonPostgres
import JobRunner

/// The jobs, and each of them: what wakes it, what limits it, how long it takes.
struct JobsPage: DashboardPage {
  let name = "jobs"
  let title = "Jobs"

  func content(_ request: PageQuestion, reading session: Session) async throws -> PageContent {
    guard let job = request.path.first else { return list(try await request.observed(session)) }
    guard request.path.count == 1, let page = try await Queue(session).job(job) else {
      return .missing("There is no job \(job).", next: link("All jobs", to: Link("jobs")))
    }
    return PageContent(page.name) { JobSheet(page: page, request: request).markup }
  }

  private func list(_ observation: Observation) -> PageContent {
    PageContent("Jobs") {
      section("Jobs") {
        tableOfJobs(observation).markup(orElse: "This schema has no job yet.")
      }
    }
  }

  private func tableOfJobs(_ observation: Observation) -> PageTable {
    var table = PageTable(
      "Jobs of this schema", .text("Job"), .text("State"), .number("At once"),
      .number("Debounce"), .number("Ready"), .number("Running"), .number("Later"),
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

/// One job.
private struct JobSheet {
  let page: JobPage
  let request: PageQuestion

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
    section("Limits over all workers") { facts(limits) }
    section("Runs") { facts(work) }
    section("How long attempts took") { durations }
    if !page.schedules.isEmpty {
      section("Schedules") { schedules.markup(orElse: "It has none.") }
    }
    section("What has ended") {
      RunTable.ended("Its newest runs that have ended", page.ended)
        .markup(
          orElse: page.keepsHistory ? "Nothing has ended yet." : "It keeps no history.")
    }
  }

  private var definition: [(String, Markup?)] {
    [
      ("Woken by", Markup(page.topics.isEmpty ? "no event" : page.topics.joined(separator: ", "))),
      ("Debounce: a key is quiet for", Markup(page.quietSeconds.shortDuration)),
      ("Debounce: longest wait", Markup(page.atMostSeconds.shortDuration)),
      ("Runs of a key lie apart", page.everySeconds.map { Markup($0.shortDuration) }),
      ("Priority, 1 first", Markup("\(page.priority)")),
      ("Needs a key", Markup(page.needsKey ? "yes" : "no")),
      ("Keeps history", Markup(page.keepsHistory ? "yes" : "no")),
    ]
  }

  private var limits: [(String, Markup?)] {
    let limits = page.limits
    return [
      ("At once", Markup(limits.concurrency.map(String.init) ?? "any number")),
      ("At once of a group", limits.groupConcurrency.map { Markup("\($0)") }),
      ("A group is", limits.group.map { Markup($0) }),
      ("Seconds between starts", limits.startSeconds.map { Markup($0.short) }),
      ("Starts at once", limits.burst.map { Markup("\($0)") }),
    ]
  }

  private var work: [(String, Markup?)] {
    [
      ("Ran last", instant(page.lastRanAt)), ("Ended well", Markup("\(page.runsDone)")),
      ("In batches", Markup("\(page.batchesDone)")), ("Now", states),
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
      return tag("p", ["class": "nothing"], "There is no history of it.")
    }
    return facts([
      ("Half of them, at most", Markup(durations.median.shortDuration)),
      ("Nine tenths, at most", Markup(durations.p90.shortDuration)),
      ("99 of 100, at most", Markup(durations.p99.shortDuration)),
      ("The longest", Markup(durations.longest.shortDuration)),
      ("Of runs", Markup("\(durations.runs)")), ("Since", instant(durations.since)),
    ])
  }

  private var schedules: PageTable { SchedulesPage.table("Its schedules", page.schedules) }
}

extension Double {
  /// `0.4 ms`, `12 ms`, and from a second on as ``duration``.
  var shortDuration: String {
    self < 1 ? "\((self * 10_000).rounded() / 10) ms" : duration
  }
}

extension PageContent {
  /// That there is no such thing.
  static func missing(_ what: String, next: Markup) -> PageContent {
    PageContent("Not found", status: 404) {
      tag("section") {
        tag("p", [:], what)
        tag("p") { next }
      }
    }
  }
}

extension PageQuestion {
  /// What everybody looks at; read now where nothing was.
  func observed(_ session: Session) async throws -> Observation {
    if let observation { return observation }
    return try await Queue(session).observe()
  }
}

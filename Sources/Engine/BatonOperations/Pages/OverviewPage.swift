import Baton
import BatonPostgres
import JobRunner

/// The first page for the operator on duty, which lists problems and their fixes above the figures.
struct OverviewPage {
  let reading: Reading
  let health: Health
  let past: ReadingHistory.Past

  /// The current observation, or the last known observation if the server cannot be read now.
  private var observation: Observation? {
    reading.observation ?? past.last?.reading.observation
  }

  var content: PageContent {
    // Status 503 reports a failed read to clients that do not parse the page's text.
    PageContent("Overview", status: reading.observation == nil ? 503 : 200) {
      if reading.observation == nil { gone }
      if let observation {
        if reading.observation != nil { state(observation) }
        figures(observation)
        throughput
        jobs(observation)
        gauges
      }
    }
  }

  // MARK: Problems

  /// The section that states why the server could not be read, and how old the data on the page is.
  private var gone: Markup {
    tag("section", ["id": "gone"]) {
      tag("h2", [:], "The database cannot be read")
      tag("ul", ["class": "findings"]) {
        health.checks.filter { $0.value != "ok" }.sorted { $0.key < $1.key }.map { name, word in
          tag("li") {
            badge("critical", .critical)
            " \(name): \(word)"
          }
        }
      }
      tag("p", [:], age)
      tag(
        "p", ["class": "soft"],
        "Next: check that the server runs and that this login may connect. The log of this process has the reason. "
          + "The page tries again every second.")
    }
  }

  private var age: String {
    guard let last = past.last else { return "No data was read since this process started." }
    let seconds = last.at.duration(to: .now) / .seconds(1)
    return "The data below was read \(seconds.duration) ago."
  }

  private func state(_ observation: Observation) -> Markup {
    let findings = observation.findings(with: reading.gauges)
    return section("Problems") {
      if findings.worst == nil {
        tag("p") {
          badge("OK", .good)
          " Nothing."
        }
      }
      if reading.drift == .differs {
        tag("p") {
          badge("warning", .warning)
          " Definitions and schema differ: run \(Program.name) check."
        }
      }
      if !findings.isEmpty {
        tag("ul", ["class": "findings"]) { findings.map(finding) }
      }
    }
  }

  private func finding(_ finding: Finding) -> Markup {
    tag("li") {
      tag("p") {
        badge(finding.severity.rawValue, finding.severity.tone)
        " "
        tag("strong", [:], finding.what)
      }
      tag("p", ["class": "soft"], "Where: \(finding.place)")
      tag("p") {
        "Next: "
        if let page = finding.page {
          link("open the page \(page.title)", to: Link(page.rawValue))
          ". "
        }
        finding.next
      }
    }
  }

  // MARK: Figures

  private func figures(_ observation: Observation) -> Markup {
    let jobs = observation.jobs
    let dead = jobs.sum(\.dead)
    let alive = observation.workers.count { !$0.isLost }
    return tag("dl", ["class": "figures"]) {
      figure("Throughput", "\(rate(past.rates.done))/s", "events \(rate(past.rates.events))/s")
      figure(
        "Freshness", jobs.compactMap(\.oldestUnfinishedWriteSeconds).max()?.duration ?? "–",
        "the oldest write whose run is not done")
      figure(
        "Wait", jobs.compactMap(\.oldestDueSeconds).max()?.duration ?? "–", "oldest due run")
      figure("Ready", jobs.sum(\.ready).text, "delayed \(jobs.sum(\.delayed).text)")
      figure("Running", jobs.sum(\.running).text, "\(alive) \(alive == 1 ? "worker" : "workers")")
      figure("Dead", dead.text, dead.value == 0 ? "none" : "see why")
      figure(
        "Event backlog", observation.folding.events.text,
        observation.folding.oldestUnfoldedSeconds.map { "the oldest for \($0.duration)" })
      figure(
        "Connections", "\(observation.connections.used)",
        "of \(observation.connections.allowed)")
    }
  }

  private func figure(_ name: String, _ value: String, _ more: String?) -> Markup {
    tag("div", ["class": "figure"]) {
      tag("dt", [:], name)
      tag("dd") {
        value
        more.map { tag("small", [:], $0) }
      }
    }
  }

  private func rate(_ rate: Double?) -> String {
    rate.map { $0 < 100 ? "\(($0 * 10).rounded() / 10)" : "\(Int64(bounded: $0))" } ?? "–"
  }

  private var throughput: Markup {
    guard past.done.count > 2, let first = past.done.first else { return Markup() }
    let most = past.done.map(\.rate).max() ?? 0
    return section("Throughput") {
      Sparkline(
        points: past.done.map { (first.at.duration(to: $0.at) / .seconds(1), $0.rate) }
      ).markup("Runs completed per second, up to \(rate(most))")
      tag(
        "p", ["class": "soft"],
        "Runs completed per second while this page was open, \(rate(most)) at most; since "
          + "\((first.at.duration(to: .now) / .seconds(1)).duration).")
    }
  }

  // MARK: Jobs

  private func jobs(_ observation: Observation) -> Markup {
    var table = PageTable(
      "Jobs", .text("Job"), .number("Ready"), .number("Running"), .number("Delayed"),
      .number("Retrying"), .number("Dead"), .number("Oldest due"), .number("Oldest write"),
      .number("Runs/s"))
    for job in observation.jobs {
      table.add(
        tag("span") {
          link(job.name, to: Link("jobs", job.name))
          if job.isPaused {
            " "
            badge("paused", .warning)
          }
        },
        count(job.ready, of: job, "ready"), count(job.running, of: job, "running"),
        count(job.delayed, of: job, "delayed"), count(job.retrying, of: job, "delayed"),
        count(job.dead, of: job, "dead"),
        Markup(job.oldestDueSeconds?.duration ?? "–"),
        Markup(job.oldestUnfinishedWriteSeconds?.duration ?? "–"),
        Markup(rate(past.rates.done(of: job.name))))
    }
    return section("Jobs") { table.markup(orElse: "This schema has no jobs yet.") }
  }

  private func count(_ count: Count, of job: JobObservation, _ state: String) -> Markup {
    guard count.value > 0 else { return tag("span", ["class": "soft"], "0") }
    return link(count.text, to: Link("runs", asking: ["job": job.name, "state": state]))
  }

  private var gauges: Markup {
    guard let gauges = reading.gauges ?? past.last?.reading.gauges, !gauges.isEmpty else {
      return Markup()
    }
    return section("Figures of \(Program.name)") {
      facts(gauges.map { ($0.help, Markup($0.value.short)) })
    }
  }
}

extension Finding.Page {
  /// The title of the page in the menu.
  fileprivate var title: String {
    switch self {
    case .runs: "Runs"
    case .dead: "Dead letters"
    case .jobs: "Jobs"
    case .schedules: "Schedules"
    case .workers: "Workers"
    case .database: "Database"
    }
  }
}

extension Finding.Severity {
  var tone: Tone {
    switch self {
    case .note: .plain
    case .warning: .warning
    case .critical: .critical
    }
  }
}

extension [JobObservation] {
  /// Returns the sum of a count over all jobs.
  fileprivate func sum(_ path: KeyPath<JobObservation, Count>) -> Count {
    Count(
      value: reduce(0) { $0 + $1[keyPath: path].value },
      isEstimate: contains { $0[keyPath: path].isEstimate })
  }
}

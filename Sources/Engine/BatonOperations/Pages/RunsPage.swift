import BatonPostgres
import JobRunner

/// The pages that list runs by state, job and key, with fifty runs per page, and the page with one
/// run's details.
struct RunsPage: DashboardPage {
  let name = "runs"
  let title = "Runs"

  func content(_ request: PageRequest, reading session: Session) async throws -> PageContent {
    guard let text = request.path.first else { return try await list(request, session) }
    guard request.path.count == 1, let id = Int64(text),
      let life = try await Queue(session).life(
        of: id, job: request["job"], key: request["key"])
    else {
      return .missing(
        "There is no run \(text). It may have ended; its job may not keep history.",
        next: link("All runs", to: Link("runs")))
    }
    return PageContent("Run \(life.id) of \(life.job)") {
      RunDetails(life: life, request: request).markup
    }
  }

  private func list(_ request: PageRequest, _ session: Session) async throws -> PageContent {
    let state = request["state"].map { RunState(rawValue: $0) ?? .ready } ?? .ready
    let job = request["job"]
    // A search by key is possible only together with a job.
    let key = job == nil ? nil : request["key"]
    let filter = RunFilter(
      state, job: job, key: key, group: request["group"],
      cursor: request["behind"].flatMap { RunCursor($0) })
    let list = try await Queue(session).runs(filter)
    let jobs = request.observation?.jobs.map(\.name) ?? [job].compactMap { $0 }
    return PageContent("Runs") {
      self.filter(state, job, request["key"], jobs)
      if job == nil, request["key"] != nil {
        tag("p", ["class": "notice warning"], "Select a job: runs are searched by job and key.")
      }
      section(Self.titles[state] ?? "Runs") {
        table(state, list.runs).markup(orElse: "No runs found.")
        if list.isCut {
          tag("p", ["class": "soft"], "There are more runs: enter more of the key.")
        }
        more(list, request)
      }
    }
  }

  private static let titles: [RunState: String] = [
    .ready: "Ready: due and waiting for a worker", .running: "Running",
    .delayed: "Delayed: due later", .dead: "Dead letters: all attempts failed",
    .ended: "Ended, of jobs that keep history",
  ]

  private func table(_ state: RunState, _ runs: [RunRow]) -> PageTable {
    state == .ended ? RunTable.ended("Runs", runs) : RunTable.runs("Runs", runs)
  }

  private func more(_ list: RunList, _ request: PageRequest) -> Markup {
    guard let next = list.next else { return Markup() }
    let kept = ["state", "job", "key", "group"].map { ($0, request[$0]) }
    return tag("p", ["class": "actions"]) {
      tag(
        "a",
        [
          "class": "button",
          "href": Link(parts: ["runs"], asking: kept + [("behind", "\(next)")]).text,
        ], "Next page")
    }
  }

  private func filter(
    _ state: RunState, _ job: String?, _ key: String?, _ jobs: [String]
  ) -> Markup {
    tag("form", ["class": "filter", "method": "get", "action": "/runs", "role": "search"]) {
      choice("state", "State", RunState.allCases.map { ($0.rawValue, $0.rawValue) }, state.rawValue)
      choice("job", "Job", [("", "all jobs")] + jobs.map { ($0, $0) }, job ?? "")
      tag("div") {
        tag("label", ["for": "key"], "Key begins with")
        tag("input", ["id": "key", "name": "key", "value": key, "autocomplete": "off"])
      }
      tag("button", [:], "Show")
    }
  }
}

/// Returns a selection list for a form.
func choice(
  _ name: StaticString, _ title: String, _ values: [(value: String, title: String)],
  _ chosen: String
) -> Markup {
  tag("div") {
    tag("label", ["for": "\(name)"], title)
    tag("select", ["id": "\(name)", "name": "\(name)"]) {
      values.map { value, title in
        tag("option", ["value": value, "selected": value == chosen ? "" : nil], title)
      }
    }
  }
}

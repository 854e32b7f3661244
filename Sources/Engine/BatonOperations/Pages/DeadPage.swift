import Baton
import BatonPostgres
import JobRunner

/// The page that lists the dead runs, grouped by their errors.
struct DeadPage: DashboardPage {
  let name = "dead"
  let title = "Dead letters"

  func content(_ request: PageRequest, reading session: Session) async throws -> PageContent {
    let found = try await Queue(session).deadGroups()
    return PageContent("Dead letters") {
      tag("p") {
        found.dead.value == 0
          ? "There are no dead letters."
          : "\(found.dead.text(of: "run")) \(found.dead.be) dead."
      }
      if found.isSample {
        tag(
          "p", ["class": "notice plain"],
          "The groups contain the newest \(DeadGroups.most) dead runs; older ones are not counted.")
      }
      section("By error") {
        table(found.groups, request).markup(orElse: "There are none.")
      }
    }
  }

  private func table(_ groups: [DeadGroup], _ request: PageRequest) -> PageTable {
    var table = PageTable(
      "Groups of dead runs, the largest first", .text("First line of the error"), .text("Job"),
      .number("Runs"), .text("Newest"), .text("Oldest"), .text("Actions"))
    for group in groups {
      table.add(
        link(
          group.error.isEmpty ? "no error" : group.error,
          to: Link("runs", asking: ["state": "dead", "job": group.job, "group": group.id])),
        link(group.job, to: Link("jobs", group.job)), Markup("\(group.count)"),
        instant(group.newestAt), instant(group.oldestAt), request.actions(of: group))
    }
    return table
  }
}

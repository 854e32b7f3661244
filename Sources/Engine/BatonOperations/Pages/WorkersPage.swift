import Baton
import BatonPostgres
import JobRunner

/// Who works.
struct WorkersPage: DashboardPage {
  let name = "workers"
  let title = "Workers"

  func content(_ request: PageQuestion, reading session: Session) async throws -> PageContent {
    // By itself: where a table of the queue is locked who works can be seen all the same.
    let workers = try await Queue(session).workers()
    var table = PageTable(
      "Workers, the oldest first", .text("Worker"), .text("State"), .number("Works for"),
      .number("Last sign"), .number("Server process"), .text("Id"))
    for worker in workers {
      table.add(
        Markup(worker.name),
        worker.isLost ? badge("lost", .critical) : badge("alive", .good),
        Markup(worker.startedSeconds.duration), Markup("\(worker.heartbeatSeconds.duration) ago"),
        Markup("\(worker.pid)"), tag("code", [:], worker.id))
    }
    return PageContent("Workers") {
      section("Workers") {
        table.markup(orElse: "No worker is there: nothing is worked until one is started.")
        if workers.contains(where: \.isLost) {
          tag(
            "p", [:],
            "A lost one did not say goodbye; others take its runs over within seconds.")
        }
        if workers.isEmpty {
          tag("p") {
            "Next: "
            tag("code", [:], "\(Program.name) worker")
          }
        }
      }
    }
  }
}

import Baton
import BatonPostgres
import JobRunner

/// The page that lists the registered workers.
struct WorkersPage: DashboardPage {
  let name = "workers"
  let title = "Workers"

  private func state(of worker: WorkerObservation) -> Markup {
    guard worker.failure == nil else { return badge("failing", .critical) }
    return worker.isLost ? badge("lost", .critical) : badge("alive", .good)
  }

  func content(_ request: PageRequest, reading session: Session) async throws -> PageContent {
    let workers = try await Queue(session).workers()
    var table = PageTable(
      "Workers, the oldest first", .text("Worker"), .text("State"), .number("Release"),
      .number("Uptime"), .number("Last heartbeat"), .number("Server process"), .text("Id"))
    for worker in workers {
      table.add(
        Markup(worker.name),
        state(of: worker),
        Markup(worker.release.map { "\($0)" } ?? "none"),
        Markup(worker.startedSeconds.duration), Markup("\(worker.heartbeatSeconds.duration) ago"),
        Markup("\(worker.pid)"), tag("code", [:], worker.id))
    }
    return PageContent("Workers") {
      section("Workers") {
        table.markup(orElse: "No worker is running. Runs wait until a worker starts.")
        if workers.contains(where: { $0.isLost && $0.failure == nil }) {
          tag(
            "p", [:],
            "A lost worker stopped without unregistering. Other workers take over its runs within seconds."
          )
        }
        if workers.isEmpty { tag("p", [:], "Next: Start a worker: \(Program.worker).") }
      }
    }
  }
}

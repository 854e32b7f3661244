import Baton
import BatonJobs
import BatonPostgres
import JobRunner

extension API {
  static let reads = [
    APIRoute(
      method: "GET", path: "/api/jobs",
      summary: "The jobs, with the numbers of their waiting, running and dead runs.",
      response: Jobs.self
    ) { api, _ in JSON.text(Jobs(jobs: try await api.observation().jobs)) },
    APIRoute(
      method: "GET", path: "/api/jobs/{job}",
      summary: "One job, with its definition, limits and durations.", response: Job.self
    ) { api, call in
      let name = call.text(.job)
      guard let page = try await api.reading({ try await $0.job(name) }) else {
        throw Complaint.noJob(name)
      }
      return JSON.text(Job(job: page))
    },
    APIRoute(
      method: "GET", path: "/api/runs",
      summary: "A page of 50 runs. Without `state`, the page lists waiting and running runs.",
      fields: [.state, .job, .key, .group, .before], response: RunList.self
    ) { api, call in
      let filter = RunFilter(
        call.optional(.state).flatMap(RunState.init), job: call.optional(.job),
        key: call.optional(.key), group: call.optional(.group),
        cursor: call.optional(.before).flatMap { RunCursor($0) })
      return JSON.text(try await api.reading { try await $0.runs(filter) })
    },
    APIRoute(
      method: "GET", path: "/api/runs/{id}",
      summary: "The timeline of one run. With `job` and `key`, the search is faster.",
      fields: [.job, .key], response: RunLife.self
    ) { api, call in
      let (id, job, key) = (call.id, call.optional(.job), call.optional(.key))
      guard let life = try await api.reading({ try await $0.life(of: id, job: job, key: key) })
      else { throw Complaint.noRun(id) }
      return JSON.text(life)
    },
    APIRoute(
      method: "GET", path: "/api/dead", summary: "The dead runs, grouped by their errors.",
      response: DeadGroups.self
    ) { api, _ in JSON.text(try await api.reading { try await $0.deadGroups() }) },
    APIRoute(
      method: "GET", path: "/api/schedules", summary: "The schedules.", response: Schedules.self
    ) { api, _ in
      JSON.text(Schedules(schedules: try await api.reading { try await $0.schedules() }))
    },
    APIRoute(
      method: "GET", path: "/api/schedules/{job}",
      summary: "A schedule without a name, with its next and past occurrences.",
      response: SchedulePage.self
    ) { api, call in try await api.schedule(ScheduleID(job: call.text(.job))) },
    APIRoute(
      method: "GET", path: "/api/schedules/{job}/{name}",
      summary: "A schedule with a name, with its next and past occurrences.",
      response: SchedulePage.self
    ) { api, call in
      try await api.schedule(ScheduleID(job: call.text(.job), name: call.text(.name)))
    },
    APIRoute(
      method: "GET", path: "/api/workers", summary: "The registered workers.",
      response: Workers.self
    ) { api, _ in JSON.text(Workers(workers: try await api.observation().workers)) },
    APIRoute(
      method: "GET", path: "/api/database",
      summary: "The event log, tables, indexes, lock waits and open transactions.",
      response: DatabasePage.self
    ) { api, _ in JSON.text(try await api.reading { try await $0.database() }) },
  ]

  private func reading<R: Sendable>(
    _ body: @escaping @Sendable (Queue) async throws -> R
  ) async throws -> R {
    try await reader.read { try await body(Queue($0)) }
  }

  private func schedule(_ id: ScheduleID) async throws -> String {
    guard let page = try await reading({ try await $0.schedule(id) }) else {
      throw ScheduleProblem.missing(id)
    }
    return JSON.text(page)
  }

  /// Returns the last observation, which all requests share.
  private func observation() async throws -> Observation {
    guard let observation = await read().observation else { throw PageReader.Late() }
    return observation
  }

  // MARK: Responses

  struct Jobs: Codable { let jobs: [JobObservation] }
  struct Job: Codable { let job: JobPage }
  struct Schedules: Codable { let schedules: [ScheduleRow] }
  struct Workers: Codable { let workers: [WorkerObservation] }
}

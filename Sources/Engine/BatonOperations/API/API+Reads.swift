import Baton
import BatonJobs
import BatonPostgres
import JobRunner

extension API {
  static let reads = [
    APIRoute(
      method: "GET", path: "/api/jobs", summary: "The jobs with what waits, runs and is dead.",
      schema: "Jobs"
    ) { api, _ in JSON.text(Jobs(jobs: try await api.observation().jobs)) },
    APIRoute(
      method: "GET", path: "/api/jobs/{job}",
      summary: "One job: its definition, its limits, how long it took.", schema: "Job"
    ) { api, call in
      let name = call.text(.job)
      guard let page = try await api.reading({ try await $0.job(name) }) else {
        throw Complaint.noJob(name)
      }
      return JSON.text(Job(job: page, program: api.program(name)))
    },
    APIRoute(
      method: "GET", path: "/api/runs",
      summary: "Runs, 50 a page: without a state those that wait or run, by job and key.",
      fields: [.state, .job, .key, .group, .before], schema: "RunList"
    ) { api, call in
      let filter = RunFilter(
        call.optional(.state).flatMap(RunState.init), job: call.optional(.job),
        key: call.optional(.key), group: call.optional(.group),
        cursor: call.optional(.before).flatMap { RunCursor($0) })
      return JSON.text(try await api.reading { try await $0.runs(filter) })
    },
    APIRoute(
      method: "GET", path: "/api/runs/{id}",
      summary: "The life of one run; with its job and key it is found at once.",
      fields: [.job, .key], schema: "RunLife"
    ) { api, call in
      let (id, job, key) = (call.id, call.optional(.job), call.optional(.key))
      guard let life = try await api.reading({ try await $0.life(of: id, job: job, key: key) })
      else { throw Complaint.noRun(id) }
      return JSON.text(life)
    },
    APIRoute(
      method: "GET", path: "/api/dead", summary: "The dead runs by what they died of.",
      schema: "DeadGroups"
    ) { api, _ in JSON.text(try await api.reading { try await $0.deadGroups() }) },
    APIRoute(
      method: "GET", path: "/api/schedules", summary: "The schedules.", schema: "Schedules"
    ) { api, _ in
      JSON.text(Schedules(schedules: try await api.reading { try await $0.schedules() }))
    },
    APIRoute(
      method: "GET", path: "/api/schedules/{job}",
      summary: "The schedule of a job that has no name: what comes and what was.",
      schema: "SchedulePage"
    ) { api, call in try await api.schedule(ScheduleID(job: call.text(.job))) },
    APIRoute(
      method: "GET", path: "/api/schedules/{job}/{name}",
      summary: "A schedule with a name: what comes and what was.", schema: "SchedulePage"
    ) { api, call in
      try await api.schedule(ScheduleID(job: call.text(.job), name: call.text(.name)))
    },
    APIRoute(
      method: "GET", path: "/api/workers", summary: "The workers that have not said goodbye.",
      schema: "Workers"
    ) { api, _ in JSON.text(Workers(workers: try await api.observation().workers)) },
    APIRoute(
      method: "GET", path: "/api/database",
      summary: "The event log, tables, indexes, locks that are waited for, open transactions.",
      schema: "DatabasePage"
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

  /// What was read for everybody who looks.
  private func observation() async throws -> Observation {
    guard let observation = await look().observation else { throw PageReader.Late() }
    return observation
  }

  private func program(_ name: String) -> JobProgram? {
    subject.jobs.first { $0.definition.name == name }.map { JobProgram($0.definition) }
  }

  // MARK: Answers

  struct Jobs: Codable { let jobs: [JobObservation] }
  struct Job: Codable {
    let job: JobPage
    /// Nil: this program does not know it.
    let program: JobProgram?
  }
  struct Schedules: Codable { let schedules: [ScheduleRow] }
  struct Workers: Codable { let workers: [WorkerObservation] }
}

/// What only the program knows of a job that it has.
struct JobProgram: Codable, Sendable, Hashable {
  /// The most runs in one transaction.
  let batch: Int
  /// The longest that one transaction, or one effect, may take.
  let timeoutSeconds: Double
  /// All tries, the first included.
  let attempts: Int
  /// The wait after the first failed try, and the longest.
  let firstWaitSeconds, longestWaitSeconds: Double
  /// The tables whose writes wake it.
  let tables: [String]
  /// Whether its work is outside of the database.
  let isEffect: Bool
  /// Its limits in words.
  let limits: String
  /// The kind of the role that its work acts as; nil: the worker's.
  let role: String?

  init(_ job: JobDefinition) {
    batch = job.batch
    timeoutSeconds = job.timeout / .seconds(1)
    attempts = job.retry.attempts
    firstWaitSeconds = job.retry.first / .seconds(1)
    longestWaitSeconds = job.retry.longest / .seconds(1)
    tables = job.tables.map(\.name)
    isEffect = job.isEffect
    limits = "\(job.limits)"
    role = job.role
  }
}

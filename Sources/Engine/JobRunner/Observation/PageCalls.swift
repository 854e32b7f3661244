import BatonJobs
import BatonPostgres
import RunnerSQL

/// Statements that read the data of the pages about jobs and schedules.
enum PageCalls {
  /// A function that creates a job's page from its durations, schedules and ended runs.
  typealias Definition = @Sendable (JobPage.Durations?, [ScheduleRow], [RunRow]) -> JobPage

  /// Reads the definition of a job, or of all jobs.
  ///
  /// - Parameter name: the job's name, or nil for all jobs.
  static func job(_ name: String?) -> Call<[Definition]> {
    .rows(SQL.Observation.readJob, name) { (row) throws(PostgresError) in
      let (
        name, topics, quiet, atMost, every, history, needsKey, priority, paused, concurrency,
        perGroup,
        group, start, burst, groupStart, groupBurst, ran, runs, batches, program, kind, batch,
        timeout, attempts,
        firstWait, longestWait, atOnce, role, tables, retired, later
      ) =
        try row.decode(
          String.self, String.self, Int64.self, Int64.self, Int64?.self, Bool.self, Bool.self,
          Int32.self,
          Timestamp?.self, Int32?.self, Int32?.self, String?.self, Int64?.self, Int32?.self,
          Int64?.self, Int32?.self,
          Timestamp?.self, Int64.self, Int64.self, String?.self, String?.self, Int32?.self,
          Int64?.self, Int32?.self, Int64?.self, Int64?.self, Int32?.self, String?.self,
          String?.self, Timestamp?.self, String.self)
      let code = JobPage.JobCode(
        program: program, kind: kind, batch: batch.map { Int($0) },
        timeoutSeconds: timeout.seconds, attempts: attempts.map { Int($0) },
        firstWaitSeconds: firstWait.seconds, longestWaitSeconds: longestWait.seconds,
        effectConcurrency: atOnce.map { Int($0) }, role: role,
        tables: tables.map { $0.split(separator: "\n").map(String.init) })
      let limits = JobPage.LimitsRow(
        concurrency: concurrency.map { Int($0) }, groupConcurrency: perGroup.map { Int($0) },
        group: group, startSeconds: start.map { Double($0) / 1_000_000 },
        burst: burst.map { Int($0) },
        groupStartSeconds: groupStart.map { Double($0) / 1_000_000 },
        groupBurst: groupBurst.map { Int($0) })
      return { durations, schedules, ended in
        JobPage(
          name: name, laterNames: later.split(separator: "\n").map(String.init),
          topics: topics.split(separator: "\n").map(String.init),
          quietSeconds: quiet.seconds, atMostSeconds: atMost.seconds, everySeconds: every.seconds,
          keepsHistory: history, needsKey: needsKey, priority: Int(priority), limits: limits,
          code: code,
          pausedSince: paused, retiredSince: retired, lastRanAt: ran, runsDone: runs,
          batchesDone: batches,
          schedules: schedules.filter { $0.job == name }, durations: durations, ended: ended)
      }
    }
  }

  static func durations(of job: String) -> Call<JobPage.Durations?> {
    .row(SQL.Observation.measureDurations, job) { (row) throws(PostgresError) in
      let (runs, since, median, p90, p99, longest) = try row.decode(
        Int64.self, Timestamp?.self, Int64?.self, Int64?.self, Int64?.self, Int64?.self)
      guard let since, let median, let p90, let p99, let longest else { return nil }
      return JobPage.Durations(
        runs: Int(runs), since: since, median: Double(median) / 1_000_000,
        p90: Double(p90) / 1_000_000, p99: Double(p99) / 1_000_000,
        longest: Double(longest) / 1_000_000)
    }
  }

  /// Reads the schedules of a job, or of all jobs.
  ///
  /// - Parameters:
  ///   - job: the job's name, or nil for all jobs.
  ///   - name: the name of one schedule, or nil for all schedules.
  static func schedules(of job: String?, named name: String? = nil) -> Call<[ScheduleRow]> {
    .rows(SQL.Observation.readSchedules, job, name) { (row) throws(PostgresError) in
      let (job, name, expression, zone, missed, next, last, fired, paused, delay) =
        try row.decode(
          String.self, String.self, String.self, String?.self, String.self, Timestamp?.self,
          Timestamp?.self, Timestamp?.self, Timestamp?.self, Int64.self)
      let id = ScheduleID(job: job, column: name)
      return ScheduleRow(
        id: "\(id)", job: job, name: id.name, expression: expression, timeZone: zone,
        missed: missed, nextAt: next, lastAt: last, lastFiredAt: fired, pausedSince: paused,
        delaySeconds: delay.seconds)
    }
  }

  static func occurrences(of id: ScheduleID) -> Call<[SchedulePage.Occurrence]> {
    .rows(SQL.Observation.listOccurrences, id.job, id.column) { (row) throws(PostgresError) in
      let (at, fired, outcome) = try row.decode(Timestamp.self, Timestamp.self, String.self)
      return SchedulePage.Occurrence(at: at, firedAt: fired, outcome: outcome)
    }
  }
}

import ChallengesPostgres
import JobCore
import JobRunner
import Jobs

extension RegisteredJob {
  /// Every job of the jobs folder, with its stores in the work's transaction.
  static var all: [RegisteredJob] { Jobs.all.map { register($0) } }

  private static func register<Job: BatchJob<JobContext>>(_ type: Job.Type) -> RegisteredJob {
    RegisteredJob(type) { JobContext(leaderboards: PostgresLeaderboards($0)) }
  }
}

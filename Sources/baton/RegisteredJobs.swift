import ChallengeJobs
import ChallengesPostgres
import ChallengesSQL
import JobCore
import JobRunner
import Postgres

extension RegisteredJob {
  /// Every job of the jobs folder, with its stores in the work's transaction, and the runner's own.
  static var all: [RegisteredJob] { Jobs.all.map { register($0) } + ofRunner }
  /// What the jobs need of a schema beside the runner's part.
  static let parts = [SQL.challenges]

  /// The job of that name.
  ///
  /// - Throws: ``Complaint`` where there is none.
  static func named(_ name: some StringProtocol, place: String) throws -> RegisteredJob {
    guard let job = all.first(where: { $0.definition.name == name }) else {
      throw Complaint(
        .usage, what: "There is no job '\(name)'.", place: place,
        next: "`baton jobs` lists the jobs of this binary.")
    }
    return job
  }

  private static func register<J: Job<JobContext>>(_ type: J.Type) -> RegisteredJob {
    RegisteredJob(type) {
      JobContext(
        leaderboards: PostgresLeaderboards($0), weeks: PostgresWeeks($0),
        notices: PostgresNotices($0), expired: PostgresExpiredData($0))
    }
  }
}

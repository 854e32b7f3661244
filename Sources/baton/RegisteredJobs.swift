import ChallengesPostgres
import JobCore
import JobRunner
import Jobs

extension RegisteredJob {
  /// Every job of the jobs folder, with its stores in the work's transaction.
  static var all: [RegisteredJob] { Jobs.all.map { register($0) } }

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
        notices: PostgresNotices($0), retention: PostgresRetention($0))
    }
  }
}

import ChallengesPostgres
import Postgres

@testable import ChallengeJobs

extension JobContext {
  /// All stores in one transaction, as the executable makes them.
  init(_ transaction: Transaction) {
    self.init(
      leaderboards: PostgresLeaderboards(transaction), weeks: PostgresWeeks(transaction),
      notices: PostgresNotices(transaction), expired: PostgresExpiredData(transaction))
  }
}

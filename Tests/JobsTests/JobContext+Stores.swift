import ChallengesPostgres
import Postgres

@testable import ChallengeJobs

extension JobContext {
  /// All stores in one transaction, as the executable makes them.
  init(_ transaction: Transaction) {
    self.init(
      leaderboards: PostgresLeaderboards(transaction), weeks: PostgresWeeks(transaction),
      notifications: PostgresNotifications(transaction), expired: PostgresExpiredData(transaction))
  }
}

import ChallengesPostgres
import Postgres

@testable import Jobs

extension JobContext {
  /// All stores in one transaction, as the executable makes them.
  init(_ transaction: Transaction) {
    self.init(
      leaderboards: PostgresLeaderboards(transaction), weeks: PostgresWeeks(transaction),
      notices: PostgresNotices(transaction), retention: PostgresRetention(transaction))
  }
}

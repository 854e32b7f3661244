import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import TestSupport

extension Gym {
  /// Closes due weeks like the job, in one chunk and one transaction.
  @discardableResult
  func close(
    of groups: Int = 1000, after last: ClosedChunk? = nil, only week: String? = nil,
    on other: Connection? = nil
  ) async throws -> ClosedChunk {
    try await Session(other ?? connection, in: schema).transaction {
      transaction in
      try await PostgresWeeks(transaction).closeChunk(
        of: groups, after: last, only: week.flatMap { Week(monday: $0) })
    }
  }

  /// Notifies members of changed boards, like the job.
  @discardableResult
  func tell() async throws -> ToldBoards {
    try await Session(connection, in: schema).transaction { transaction in
      try await PostgresNotifications(transaction).tellNext(of: 1000, after: nil)
    }
  }

  /// Publishes every board and notifies its members.
  func publishAndTell() async throws {
    try await publishAll()
    try await tell()
  }

  /// Returns the notifications of ranks, oldest first: user, ranks, message.
  func told() async throws -> [String] {
    try await lines(
      """
      select concat_ws(' ', user_id, content ->> 'from', content ->> 'to') from notification
      where type = 'rank_change' order by id
      """)
  }

  /// Returns the notifications of ended weeks: user and Monday.
  func ended() async throws -> [String] {
    try await lines(
      """
      select user_id || ' ' || week_start from notification
      where type = 'week_ended' order by 1
      """)
  }

  /// Returns the distinct states of boards: group, Monday, state.
  func states() async throws -> [String] {
    try await lines(
      """
      select distinct concat_ws(' ', group_id, week_start, state) from challenge order by 1
      """)
  }
}

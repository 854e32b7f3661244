import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import TestSupport

extension Gym {
  /// Closes what is due, as the job does, in one chunk and one transaction.
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

  /// Tells members of boards that changed, as the job does.
  @discardableResult
  func tell() async throws -> ToldBoards {
    try await Session(connection, in: schema).transaction { transaction in
      try await PostgresNotifications(transaction).tellNext(of: 1000, after: nil)
    }
  }

  /// Publishes every board and tells its members.
  func publishAndTell() async throws {
    try await publishAll()
    try await tell()
  }

  /// What members were told of ranks, oldest first: user, ranks, message.
  func told() async throws -> [String] {
    try await lines(
      """
      select concat_ws(' ', user_id, content ->> 'from', content ->> 'to') from notification
      where type = 'rank_change' order by id
      """)
  }

  /// Who was told of a week's end: user and Monday.
  func ended() async throws -> [String] {
    try await lines(
      """
      select user_id || ' ' || week_start from notification
      where type = 'week_ended' order by 1
      """)
  }

  /// The states of boards: group, Monday, state, each once.
  func states() async throws -> [String] {
    try await lines(
      """
      select distinct concat_ws(' ', group_id, week_start, state) from challenge order by 1
      """)
  }
}

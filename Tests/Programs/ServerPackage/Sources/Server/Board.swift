import BatonLive
import BatonPostgres
import Challenges
import ChallengesPostgres

/// Returns the check-ins of a group in this week as a member sees them: rank, name and value.
func board(
  of group: String, for user: String, at configuration: ConnectionConfiguration, _ schema: Schema
) async throws -> [String] {
  var live = LiveOptions()
  live.poll = .seconds(1)
  let database = ChallengesDatabase(configuration, schema: schema, live: live)
  let boards = database.repositories(for: user).leaderboards
  let board = try await boards.leaderboard(groupId: group, type: ChallengeType.checkIns)
  // A stream begins with the board itself.
  var observed: LeaderboardSnapshot?
  for await update in boards.observeUpdates(groupId: group, type: .checkIns) {
    observed = try update.get()
    break
  }
  await database.close()
  guard observed?.entries == board.entries else { return ["the stream has another board"] }
  return board.entries.map { "\($0.rank) \($0.displayName) \($0.value)" }
}

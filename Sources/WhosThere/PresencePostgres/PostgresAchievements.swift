import BatonPostgres
import Presence
import PresenceSQL
import ProductPostgres

/// Reads the actor's statistics and achievements from PostgreSQL.
struct PostgresAchievements: AchievementRepository {
  let calls: ActorCalls

  func stats() async throws(AppError) -> UserStats {
    try await calls.run(
      .row(SQL.Api.getStats, try calls.signedIn) { (row) throws(PostgresError) in
        let (checkIns, firstArrivals, groups, current, longest, stay, messages) = try row.decode(
          Int64.self, Int64.self, Int64.self, Int64.self, Int64.self, Int64.self, Int64.self)
        return UserStats(
          checkIns: Int(checkIns), firstArrivals: Int(firstArrivals), groupsVisited: Int(groups),
          currentStreak: Int(current), longestStreak: Int(longest), longestStay: Int(stay),
          messagesSent: Int(messages))
      })
  }

  func earned() async throws(AppError) -> [UserAchievement] {
    try await calls.run(
      .rows(SQL.Api.earnedAchievements, try calls.signedIn) { (row) throws(PostgresError) in
        let (type, unlockedAt, points, isNew) = try row.decode(
          String.self, Timestamp.self, Int32.self, Bool.self)
        return UserAchievement(
          type: try Self.type(type), unlockedAt: unlockedAt.date, points: Int(points),
          isNew: isNew)
      })
  }

  func progress() async throws(AppError) -> [AchievementProgress] {
    try await calls.run(
      .rows(SQL.Api.achievementProgress, try calls.signedIn) { (row) throws(PostgresError) in
        let (type, value, goal) = try row.decode(String.self, Int64.self, Int64.self)
        return AchievementProgress(
          type: try Self.type(type), value: Int(value), goal: Int(goal))
      })
  }

  func acknowledge(_ types: [AchievementType]) async throws(AppError) {
    // The returned list of newly acknowledged achievements is not used.
    let _: [String] = try await calls.run(
      .rows(
        SQL.Api.acknowledge, try calls.signedIn, Set(types).map(\.rawValue).sorted()
      ) { (row) throws(PostgresError) in try row.decode(String.self) })
  }

  private static func type(_ text: String) throws(PostgresError) -> AchievementType {
    try known(AchievementType(rawValue: text), "achievement \(text)")
  }
}

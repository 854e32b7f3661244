import Foundation
import Presence
import ProductKit

extension InMemoryPresence {
  /// Computes a user's statistics from all of the user's visits, on each call.
  private func numbers(of user: User) -> UserStats {
    let zone = user.timeZone.flatMap(TimeZone.init(identifier:)) ?? .gmt
    return UserStats(
      visits: visits[user.id] ?? [], messagesSent: messagesSent[user.id] ?? 0,
      today: LocalDate(now, in: zone))
  }

  func stats(_ actor: String?) throws(AppError) -> UserStats {
    let user = try signedIn(actor)
    settle()
    return numbers(of: user)
  }

  /// Unlocks all locked achievements whose goals a user has reached.
  func award(_ userId: String) {
    guard let user = users[userId] else { return }
    let known = Set((unlocks[userId] ?? []).map(\.type))
    unlocks[userId, default: []] += numbers(of: user).achieved.filter { !known.contains($0) }.map {
      UserAchievement(type: $0, unlockedAt: now, points: $0.achievement.points)
    }
  }

  func earned(_ actor: String?) throws(AppError) -> [UserAchievement] {
    let user = try signedIn(actor)
    settle()
    return unlocks[user.id] ?? []
  }

  func progress(_ actor: String?) throws(AppError) -> [AchievementProgress] {
    AchievementProgress.all(of: try stats(actor))
  }

  func acknowledge(_ actor: String?, _ types: [AchievementType]) throws(AppError) {
    let user = try signedIn(actor)
    settle()
    unlocks[user.id] = unlocks[user.id]?.map { unlocked in
      var shown = unlocked
      if types.contains(shown.type) { shown.isNew = false }
      return shown
    }
  }

  /// Returns the actor's groups.
  ///
  /// The groups where the actor is present come before those where the actor is absent. Both parts
  /// of the list are ordered by name.
  func watchPayload(_ actor: String?) throws(AppError) -> WatchPayload {
    let user = try signedIn(actor)
    settle()
    let shown = try joinedGroups(actor).map { group in
      let own = presences[PlaceKey(groupId: group.id, userId: user.id)]
      return WatchGroup(
        id: group.id, name: group.name, presentCount: presentCount(of: group.id, seenBy: user.id),
        isPresent: own?.isPresent ?? false, version: own?.version ?? 0)
    }
    do {
      return try WatchPayload(fitting: shown.filter(\.isPresent) + shown.filter { !$0.isPresent })
    } catch { throw AppError(error) }
  }
}

import Challenges
import Foundation

extension RepositoryContract {
  private static let day: TimeInterval = 86_400

  static let boards: [ContractCheck] = [
    ContractCheck("an active group always has both challenges of the current week") {
      let contract = $0
      let (group, members) = try await contract.group("ana")
      let leaderboards = members[0].leaderboards
      let challenges = try await leaderboards.getCurrentWeekChallenges(groupId: group.id)
      try contract.expect(Set(challenges.map(\.type)), is: Set(ChallengeType.allCases))
      let now = try await contract.environment.now()
      try contract.expect(
        challenges.allSatisfy { $0.contains(now) && $0.isActive && $0.groupId == group.id },
        "\(challenges)")
      try await contract.environment.moveClock(to: challenges[0].week.endDate)
      let next = try await leaderboards.getCurrentWeekChallenges(groupId: group.id)
      try contract.expect(
        next.allSatisfy { $0.weekStartDate == challenges[0].week.endDate }, "\(next)")
      try contract.expect(Set(next.map(\.id)).isDisjoint(with: challenges.map(\.id)), "\(next)")
    },
    ContractCheck("equal values share a rank, and the viewer's own entry is marked") {
      let (group, members) = try await $0.group("ana", "ben", "cem", "dan")
      for (member, count) in zip(members, [3, 2, 2, 1]) {
        for number in 0..<count { try await $0.record("w\(number)", by: member) }
      }
      try $0.expect(
        try await $0.lines(of: group, .checkIns, seenBy: members[1]),
        is: ["ana 3 1", "ben 2 2", "cem 2 2", "dan 1 4"])
      let snapshot = try await members[2].leaderboards.leaderboard(
        groupId: group.id, type: .checkIns)
      try $0.expect(snapshot.currentUserEntry?.id, is: "cem")
      try $0.expect(snapshot.sortedEntries, is: snapshot.entries)
    },
    ContractCheck("a member without a workout is not on the board") {
      let (group, members) = try await $0.group("ana", "ben")
      try await $0.record("w", by: members[0])
      let snapshot = try await members[1].leaderboards.leaderboard(
        groupId: group.id, type: .checkIns)
      try $0.expect(snapshot.currentUserEntry, is: nil)
      try $0.expect(
        try await $0.lines(of: group, .checkIns, seenBy: members[1]), is: ["ana 1 1"])
    },
    ContractCheck("a streak counts consecutive days in any order of arrival, and a gap ends it") {
      let contract = $0
      let (group, members) = try await contract.group("ana")
      let joined = try await contract.environment.now()
      try await contract.advance(by: 3.5 * day)
      for offset in [3.2, 1.2, 1.3] {
        try await contract.record(
          "w\(offset)", by: members[0], at: joined.addingTimeInterval(offset * day))
      }
      try contract.expect(
        try await contract.lines(of: group, .streak, seenBy: members[0]), is: ["ana 1 1"])
      try await contract.record("late", by: members[0], at: joined.addingTimeInterval(2.1 * day))
      try contract.expect(
        try await contract.lines(of: group, .streak, seenBy: members[0]), is: ["ana 3 1"])
    },
    ContractCheck("a version increases only with a visible change") {
      let (group, members) = try await $0.group("ana")
      try await $0.record("w", by: members[0])
      _ = try await $0.lines(of: group, .checkIns, seenBy: members[0])
      let first = try await $0.version(of: group, seenBy: members[0])
      try await $0.record("w", by: members[0])
      _ = try await $0.lines(of: group, .checkIns, seenBy: members[0])
      try $0.expect(try await $0.version(of: group, seenBy: members[0]), is: first)
      try await $0.record("v", by: members[0])
      _ = try await $0.lines(of: group, .checkIns, seenBy: members[0])
      try $0.expect(
        try await $0.version(of: group, seenBy: members[0]) > first, "no higher version")
    },
    ContractCheck(
      "a member without sharing is hidden, and workouts of this time never count"
    ) {
      let contract = $0
      let (group, members) = try await contract.group("ana", "ben")
      try await contract.record("w", by: members[0])
      try await members[0].users.updatePrivacySettings(
        userId: "ana", settings: PrivacySettings(shareWorkoutData: false))
      try contract.expect(
        try await contract.lines(of: group, .checkIns, seenBy: members[1]), is: [])
      try await contract.advance(by: 60)
      let meanwhile = try await contract.environment.now()
      try contract.expect(
        try await contract.record("v", by: members[0]).outcome, is: .ignoredPrivacy)
      try await contract.advance(by: 60)
      try await members[0].users.updatePrivacySettings(
        userId: "ana", settings: PrivacySettings(shareWorkoutData: true))
      _ = try await contract.record("v", by: members[0], at: meanwhile)
      try contract.expect(
        try await contract.lines(of: group, .checkIns, seenBy: members[1]), is: ["ana 1 1"])
    },
    ContractCheck(
      "a check-in is counted once per key, and a reported streak is refused"
    ) {
      let (group, members) = try await $0.group("ana", "ben")
      let challenges = try await members[0].leaderboards.getCurrentWeekChallenges(
        groupId: group.id)
      guard let checkIns = challenges.first(where: { $0.type == .checkIns }),
        let streak = challenges.first(where: { $0.type == .streak })
      else { return try $0.expect(false, "\(challenges)") }
      for key in ["k", "k", "l"] {
        try await members[0].leaderboards.incrementCheckIn(
          challengeId: checkIns.id, userId: "ana", key: key)
      }
      try $0.expect(
        try await $0.lines(of: group, .checkIns, seenBy: members[0]), is: ["ana 2 1"])
      try await $0.expectRefusal(.invalidChallengeType) {
        try await members[0].leaderboards.incrementCheckIn(challengeId: streak.id, userId: "ana")
      }
      try await $0.expectRefusal(.challengeNotFound) {
        try await members[0].leaderboards.incrementCheckIn(
          challengeId: "00000000-0000-8000-8000-000000000000", userId: "ana")
      }
      try await $0.expectRefusal(.streakIsDerived) {
        try await members[0].leaderboards.updateStreak(
          challengeId: streak.id, userId: "ana", streakDays: 5)
      }
    },
    ContractCheck("a challenge of a past week accepts no changes") {
      let (group, members) = try await $0.group("ana")
      let challenge = try await members[0].leaderboards.getCurrentWeekChallenges(
        groupId: group.id
      ).first { $0.type == .checkIns }
      guard let challenge else { return try $0.expect(false, "no challenge") }
      try await $0.environment.moveClock(to: challenge.week.endDate)
      try await $0.expectRefusal(.challengeExpired) {
        try await members[0].leaderboards.incrementCheckIn(
          challengeId: challenge.id, userId: "ana")
      }
    },
  ]

  // MARK: Streams

  static let streams: [ContractCheck] = [
    ContractCheck(
      "a stream sends the board and its changes, until the membership ends"
    ) {
      let contract = $0
      let (group, members) = try await contract.group("ana", "ben")
      let updates = members[1].leaderboards.observeUpdates(groupId: group.id, type: .checkIns)
      var iterator = updates.makeAsyncIterator()
      try contract.expect(
        try await iterator.next()?.get().entries.map(\.id), is: [])
      try await contract.record("w", by: members[0])
      try await contract.environment.settle()
      var seen = try await iterator.next()?.get()
      try contract.expect(seen?.entries.map(\.id), is: ["ana"])
      guard let week = seen?.challenge.week else { return }
      try await contract.environment.moveClock(to: week.endDate)
      seen = try await iterator.next()?.get()
      try contract.expect(seen?.challenge.weekStartDate, is: week.endDate)
      try await members[0].groups.removeMember(groupId: group.id, userId: "ben")
      try await contract.environment.settle()
      guard case .failure(let error)? = await iterator.next() else {
        return try contract.expect(false, "no error after the end of a membership")
      }
      try contract.expect(error == .notAMember || error == .groupNotFound, "\(error)")
      try contract.expect(await iterator.next() == nil, "another element after the last error")
    },
    ContractCheck("a slow reader misses snapshots, but never gets an older one") {
      let contract = $0
      let (group, members) = try await contract.group("ana", "ben")
      var updates = members[1].leaderboards.observeUpdates(groupId: group.id, type: .checkIns)
        .makeAsyncIterator()
      var last = try await updates.next()?.get()
      try contract.expect(last?.currentUserEntry, is: nil)
      for (number, member) in [members[0], members[0], members[1]].enumerated() {
        try await contract.record("w\(number)", by: member)
        try await contract.environment.settle()
      }
      while last?.currentUserEntry == nil {
        guard let next = try await updates.next()?.get() else { break }
        try contract.expect(next.replaces(last), "\(next) after \(String(describing: last))")
        last = next
      }
      try contract.expect(last?.entries.map { "\($0.id) \($0.value)" }, is: ["ana 2", "ben 1"])
      try contract.expect(last?.currentUserEntry?.rank, is: 2)
    },
    ContractCheck("the stream of a non-member contains only the reason") {
      let contract = $0
      let (group, _) = try await contract.group("ana")
      let eve = try await contract.user("eve")
      let nobody = try await contract.environment.repositories(for: nil)
      for (repositories, groupId, error) in [
        (eve, group.id, DomainError.notAMember), (eve, "none", .groupNotFound),
        (nobody, group.id, .notAuthenticated),
      ] {
        var updates = repositories.leaderboards.observeUpdates(groupId: groupId, type: .streak)
          .makeAsyncIterator()
        try contract.expect(await updates.next() == .failure(error), "no \(error)")
        try contract.expect(await updates.next() == nil, "another element after the last error")
      }
    },
  ]

  // MARK: Notifications

  static let notifications: [ContractCheck] = [
    ContractCheck("the other members are notified once of a new member who was away for an hour") {
      let contract = $0
      let (group, members) = try await contract.group("ana", "ben")
      let told = try await members[0].notifications.fetchNotifications(after: nil, limit: 10)
      try contract.expect(told.map(\.type), is: [.newMember])
      try contract.expect(
        try await members[1].notifications.fetchNotifications(after: nil, limit: 10), is: [])
      try await members[1].groups.leaveGroup(groupId: group.id, userId: "ben")
      try await contract.advance(by: 3_600)
      let invite = try await members[0].invites.createInvite(groupId: group.id)
      _ = try await members[1].invites.joinGroup(invite.code)
      try contract.expect(try await members[0].notifications.badgeCount(), is: 1)
    },
    ContractCheck("only the recipient marks a notification as read, within a week") {
      let contract = $0
      let (_, members) = try await contract.group("ana", "ben")
      let told = try await members[0].notifications.fetchNotifications(after: nil, limit: 10)
      try await members[1].notifications.markAsRead(told.map(\.id))
      try contract.expect(try await members[0].notifications.badgeCount(), is: 1)
      for _ in 0..<2 { try await members[0].notifications.markAsRead(told.map(\.id)) }
      try contract.expect(try await members[0].notifications.badgeCount(), is: 0)
      try contract.expect(
        try await members[0].notifications.fetchNotifications(after: nil, limit: 10)
          .map(\.isRead), is: [true])
      try await contract.advance(by: 7 * day)
      try contract.expect(
        try await members[0].notifications.fetchNotifications(after: nil, limit: 10), is: [])
    },
    ContractCheck("no notification is missing between two pages") {
      let contract = $0
      let (group, members) = try await contract.group("ana")
      for number in 0..<5 {
        let now = try await contract.environment.now()
        try await contract.environment.server.createNotification(
          GroupNotification(
            id: "5b0f7a3e-0000-4000-9000-00000000000\(number)", userId: "ana", groupId: group.id,
            type: .newMember, message: "\(number)", isRead: false, createdAt: now))
      }
      var seen: [String] = []
      var last: GroupNotification?
      for _ in 0..<3 {
        let page = try await members[0].notifications.fetchNotifications(after: last, limit: 2)
        seen += page.map(\.message)
        last = page.last
      }
      try contract.expect(seen.sorted(), is: ["0", "1", "2", "3", "4"])
    },
    ContractCheck("an id creates one notification, and types of jobs are refused") {
      let contract = $0
      let (group, members) = try await contract.group("ana")
      let now = try await contract.environment.now()
      func telling(_ type: NotificationType, _ userId: String) -> GroupNotification {
        GroupNotification(
          id: "one", userId: userId, groupId: group.id, type: type, message: "hello",
          isRead: false, createdAt: now)
      }
      let server = contract.environment.server
      for _ in 0..<2 { try await server.createNotification(telling(.newMember, "ana")) }
      try contract.expect(try await members[0].notifications.badgeCount(), is: 1)
      for told in [telling(.rankChange, "ana"), telling(.newMember, "nobody")] {
        try await contract.expectRefusal(.invalidInput) {
          try await server.createNotification(told)
        }
      }
    },
  ]
}

import Foundation
import Presence

extension PresenceContract {
  /// The rules for blocks and reports.
  public static let safety: [Promise<any PresenceEnvironment>] = [
    Promise("a user blocks members and former members, and lists and ends the blocks") {
      try await $0.group("g", of: "ana", "ben", "cem")
      try await $0.groups(for: "cem").leaveGroup("g")
      let safety = try await $0.safety(for: "ana")
      for (hour, user) in ["ben", "ben", "cem"].enumerated() {
        try await $0.moveClock(to: $0.hours(Double(hour)))
        try await safety.block(userId: user)
      }
      let blocked = try await safety.blockedUsers()
      try expect(blocked.map(\.id), is: ["cem", "ben"])
      try expect(blocked[1].blockedAt, is: beginning)
      try expect(try await $0.safety(for: "ben").blockedUsers(), is: [])
      for user in ["ben", "ben", "nobody"] { try await safety.unblock(userId: user) }
      try expect(try await safety.blockedUsers().map(\.id), is: ["cem"])
    },
    Promise("only a user of a common group can be blocked, and unknown ids are not revealed") {
      try await $0.group("g", of: "ana")
      try await $0.addUser("eve")
      let safety = try await $0.safety(for: "ana")
      for user in ["eve", "nobody", "", String(repeating: "x", count: 300)] {
        try await expectRefusal("notAMember") { try await safety.block(userId: user) }
      }
      try await expectRefusal("invalidInput") { try await safety.block(userId: "ana") }
      for nobody in [try await $0.safety(for: nil), try await $0.safety(for: "nobody")] {
        try await expectRefusal("notAuthenticated") { try await nobody.block(userId: "ana") }
        try await expectRefusal("notAuthenticated") { try await nobody.unblock(userId: "ana") }
        try await expectRefusal("notAuthenticated") { _ = try await nobody.blockedUsers() }
        try await expectRefusal("notAuthenticated") {
          try await nobody.report(UserReport(groupId: "g", userId: "ana", reason: .other))
        }
      }
    },
    Promise("a blocked user and the blocker do not see each other at the place") {
      try await $0.group("g", of: "ana", "ben", "cem")
      for (hour, user) in ["ana", "ben"].enumerated() {
        try await $0.stay(user, at: "g", from: $0.hours(Double(hour)), for: nil)
      }
      try await $0.safety(for: "ana").block(userId: "ben")
      try await $0.settle()
      for (viewer, present, first) in [
        ("ana", ["ana"], "ana"), ("ben", ["ben"], nil), ("cem", ["ben", "ana"], "ana"),
      ] {
        let snapshot = try await $0.presences(for: viewer).presences(of: "g")
        try expect(snapshot.presences.map(\.userId), is: present)
        try expect(snapshot.summary.latest, is: present)
        try expect(snapshot.summary.presentCount, is: present.count)
        try expect(snapshot.summary.firstToday, is: first)
        let watch = try await $0.watch(for: viewer).payload()
        try expect(watch.groups.map(\.presentCount), is: [present.count])
        try expect(
          try await $0.groups(for: viewer).getMembers(groupId: "g").map(\.userId),
          is: ["ana", "ben", "cem"])
      }
      try await $0.safety(for: "ana").unblock(userId: "ben")
      try await $0.settle()
      let after = try await $0.presences(for: "ben").presences(of: "g")
      try expect(after.summary.presentCount, is: 2)
      try expect(after.summary.firstToday, is: "ana")
    },
    Promise("an invite of the blocker is invalid for the blocked user, and a block outlives a stay")
    {
      try await $0.group("g", of: "ana", "ben")
      let code = try await $0.groups(for: "ana").currentInvite(groupId: "g").code
      try await $0.groups(for: "ben").leaveGroup("g")
      try await $0.safety(for: "ana").block(userId: "ben")
      let ben = try await $0.groups(for: "ben")
      try await expectRefusal("inviteInvalid") { _ = try await ben.redeemInvite(code) }
      // Blocking a user does not exclude the user from the group.
      _ = try await ben.joinPublicGroup("g")
      try await $0.stay("ana", at: "g", from: $0.hours(1), for: nil)
      try await $0.settle()
      try expect(try await $0.presences(for: "ben").presences(of: "g").presences, is: [])
      try await ben.leaveGroup("g")
      try await $0.safety(for: "ana").unblock(userId: "ben")
      try expect(try await ben.redeemInvite(code).id, is: "g")
    },
    Promise("a report names two users of one group, is stored once, and is limited per hour") {
      try await $0.group("g", of: "ana", "ben")
      try await $0.addUser("eve")
      try await $0.groups(for: "ben").leaveGroup("g")
      let safety = try await $0.safety(for: "ana")
      let report = UserReport(groupId: "g", userId: "ben", reason: .spam, note: "Again")
      for _ in 0..<2 { try await safety.report(report) }
      try await expectRefusal("conflictingRepeat") {
        try await safety.report(
          UserReport(groupId: "g", userId: "ben", reason: .other, id: report.id))
      }
      for (user, group, other, refusal) in [
        ("ana", "g", "eve", "notAMember"), ("eve", "g", "ben", "notAMember"),
        ("ana", "g", "ana", "invalidInput"), ("ana", "nowhere", "ben", "groupNotFound"),
      ] {
        let repository = try await $0.safety(for: user)
        try await expectRefusal(refusal) {
          try await repository.report(UserReport(groupId: group, userId: other, reason: .other))
        }
      }
      let other = UserReport(groupId: "g", userId: "ben", reason: .other)
      try await expectRefusal("invalidInput") {
        try await safety.report(
          UserReport(
            groupId: "g", userId: "ben", reason: .other, note: String(repeating: "ä", count: 1_001)
          ))
      }
      for _ in 0..<19 {
        try await safety.report(UserReport(groupId: "g", userId: "ben", reason: .other))
      }
      try await expectRefusal("limitReached") { try await safety.report(other) }
      try await $0.moveClock(to: $0.hours(1.1))
      try await safety.report(other)
    },
  ]
}

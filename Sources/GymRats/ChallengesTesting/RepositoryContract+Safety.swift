import Challenges
import Foundation

extension RepositoryContract {
  static let safety: [ContractCheck] = [
    ContractCheck("a user blocks members and former members, and lists and ends the blocks") {
      let (group, members) = try await $0.group("ana", "ben", "cem")
      try await members[2].groups.leaveGroup(groupId: group.id, userId: "cem")
      for user in ["ben", "ben", "cem"] {
        try await members[0].safety.block(userId: user)
        try await $0.advance(by: 1)
      }
      let blocked = try await members[0].safety.blockedUsers()
      try $0.expect(blocked.map(\.id), is: ["cem", "ben"])
      try $0.expect(blocked.map(\.displayName), is: ["Cem", "Ben"])
      try $0.expect(blocked[1].blockedAt, is: RepositoryContract.beginning)
      try $0.expect(try await members[1].safety.blockedUsers(), is: [])
      for user in ["ben", "ben", "nobody"] { try await members[0].safety.unblock(userId: user) }
      try $0.expect(try await members[0].safety.blockedUsers().map(\.id), is: ["cem"])
    },
    ContractCheck("only a user of a common group can be blocked, and unknown ids are not revealed")
    {
      let (_, members) = try await $0.group("ana")
      _ = try await $0.user("eve")
      for user in ["eve", "nobody", "", String(repeating: "x", count: 300)] {
        try await $0.expectRefusal(.notAMember) {
          try await members[0].safety.block(userId: user)
        }
      }
      try await $0.expectRefusal(.invalidInput) { try await members[0].safety.block(userId: "ana") }
      for nobody in [
        try await $0.environment.repositories(for: nil),
        try await $0.environment.repositories(for: "nobody"),
      ] {
        try await $0.expectRefusal(.notAuthenticated) {
          try await nobody.safety.block(userId: "ana")
        }
        try await $0.expectRefusal(.notAuthenticated) {
          try await nobody.safety.unblock(userId: "ana")
        }
        try await $0.expectRefusal(.notAuthenticated) { _ = try await nobody.safety.blockedUsers() }
        try await $0.expectRefusal(.notAuthenticated) {
          try await nobody.safety.report(
            UserReport(groupId: "g", userId: "ana", reason: .other))
        }
      }
    },
    ContractCheck("an invite of the blocker is invalid for the blocked user, like an unknown code")
    {
      let (group, members) = try await $0.group("ana", "ben", "cem")
      let ana = try await members[0].invites.createInvite(groupId: group.id)
      let cem = try await members[2].invites.createInvite(groupId: group.id)
      try await members[1].groups.leaveGroup(groupId: group.id, userId: "ben")
      try await members[0].safety.block(userId: "ben")
      for code in [ana.code, .random()] {
        try await $0.expectRefusal(.inviteInvalid) {
          _ = try await members[1].invites.previewInvite(code)
        }
        try await $0.expectRefusal(.inviteInvalid) {
          _ = try await members[1].invites.joinGroup(code)
        }
      }
      // A block does not exclude the blocked user from a group: another member's invite still
      // works.
      try $0.expect(try await members[1].invites.joinGroup(cem.code).id, is: group.id)
      try await members[1].groups.leaveGroup(groupId: group.id, userId: "ben")
      try await members[0].safety.unblock(userId: "ben")
      try $0.expect(try await members[1].invites.joinGroup(ana.code).id, is: group.id)
    },
    ContractCheck("the blocked user's attempts with invites of the blocker are counted") {
      let contract = $0
      let (group, members) = try await contract.group("ana", "ben")
      let invite = try await members[0].invites.createInvite(groupId: group.id)
      try await members[1].groups.leaveGroup(groupId: group.id, userId: "ben")
      try await members[0].safety.block(userId: "ben")
      for _ in 0..<20 {
        try await contract.expectRefusal(.inviteInvalid) {
          _ = try await members[1].invites.joinGroup(invite.code)
        }
      }
      try await contract.expectRefusal(.tooManyAttempts) {
        _ = try await members[1].invites.joinGroup(invite.code)
      }
    },
    ContractCheck("the blocker is not notified of the blocked user, and all other data is the same")
    {
      let (group, members) = try await $0.group("ana", "ben", "cem")
      let cem = try await members[2].invites.createInvite(groupId: group.id)
      try await $0.record("w", by: members[1])
      try await members[0].safety.block(userId: "ben")
      let seen = try await members[0].groups.getMembers(groupId: group.id)
      try $0.expect(seen.map(\.id), is: ["ana", "ben", "cem"])
      for member in members {
        try $0.expect(
          try await $0.lines(of: group, .checkIns, seenBy: member), is: ["ben 1 1"])
        try $0.expect(try await member.groups.getMembers(groupId: group.id), is: seen)
      }
      // If a user returns after more than a day, the other members are notified of the return.
      try await members[1].groups.leaveGroup(groupId: group.id, userId: "ben")
      try await $0.advance(by: 86_401)
      let before = (
        try await members[0].notifications.badgeCount(),
        try await members[2].notifications.badgeCount()
      )
      _ = try await members[1].invites.joinGroup(cem.code)
      try $0.expect(try await members[0].notifications.badgeCount(), is: before.0)
      try $0.expect(try await members[2].notifications.badgeCount(), is: before.1 + 1)
    },
    ContractCheck("a report is stored once, and names two users of one group") {
      let (group, members) = try await $0.group("ana", "ben")
      _ = try await $0.user("eve")
      let report = UserReport(groupId: group.id, userId: "ben", reason: .cheating, note: "So fast")
      try await members[1].groups.leaveGroup(groupId: group.id, userId: "ben")
      for _ in 0..<2 { try await members[0].safety.report(report) }
      try await $0.expectRefusal(.conflictingRepeat) {
        try await members[0].safety.report(
          UserReport(groupId: group.id, userId: "ben", reason: .spam, id: report.id))
      }
      for (user, other, refusal) in [
        ("ana", "eve", DomainError.notAMember), ("eve", "ben", .notAMember),
        ("ana", "ana", .invalidInput),
      ] {
        let repositories = try await $0.environment.repositories(for: user)
        try await $0.expectRefusal(refusal) {
          try await repositories.safety.report(
            UserReport(groupId: group.id, userId: other, reason: .other))
        }
      }
      try await $0.expectRefusal(.groupNotFound) {
        try await members[0].safety.report(
          UserReport(groupId: "nowhere", userId: "ben", reason: .other))
      }
      try await $0.expectRefusal(.invalidInput) {
        try await members[0].safety.report(
          UserReport(
            groupId: group.id, userId: "ben", reason: .other,
            note: String(repeating: "ä", count: 1_001)))
      }
    },
    ContractCheck("a user sends at most 20 reports an hour") {
      let contract = $0
      let (group, members) = try await contract.group("ana", "ben")
      func report() async throws {
        try await members[0].safety.report(
          UserReport(groupId: group.id, userId: "ben", reason: .other))
      }
      for _ in 0..<20 { try await report() }
      try await contract.expectRefusal(.limitReached) { try await report() }
      try await contract.advance(by: 3_601)
      try await report()
    },
  ]
}

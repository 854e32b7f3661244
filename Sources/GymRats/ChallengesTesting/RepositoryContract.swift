import Challenges
public import Foundation

/// The rules that every repository implementation must follow.
///
/// Each rule has one check.
///
/// Each check runs in an environment whose clock starts on a Wednesday at noon UTC.
public enum RepositoryContract {
  /// The time when each check starts: 2026-01-14 12:00 UTC.
  public static let beginning = Date(timeIntervalSince1970: 1_768_392_000)

  /// All contract checks.
  public static var checks: [ContractCheck] {
    groups + invites + boards + workouts + streams + notifications + analytics + settings + safety
      + wholeWay
  }

  // MARK: Groups

  static let groups: [ContractCheck] = [
    ContractCheck("the creator of a group is its admin, and a repeated call returns the same group")
    {
      let (group, members) = try await $0.group("ana")
      try $0.expect(group.memberCount, is: 1)
      try $0.expect(group.isActive && group.createdBy == "ana", "\(group)")
      let again = try await members[0].groups.createGroup(
        id: group.id, name: "Gym", ownerId: "ana")
      try $0.expect(again, is: group)
      try $0.expect(
        try await members[0].groups.getMembers(groupId: group.id).map(\.role), is: [.admin])
      try $0.expect(try await members[0].users.getUser("ana")?.currentGroupId, is: group.id)
    },
    ContractCheck("a user is in one group at most, and the refusal names this group") {
      let (group, members) = try await $0.group("ana")
      try await $0.expectRefusal(.alreadyInGroup(groupId: group.id)) {
        _ = try await members[0].groups.createGroup(
          id: "5b0f7a3e-0000-4000-8000-000000000002", name: "Other", ownerId: "ana")
      }
    },
    ContractCheck("the id of a different group is a conflict, and an invalid name is refused") {
      let (group, _) = try await $0.group("ana")
      let ben = try await $0.user("ben")
      try await $0.expectRefusal(.conflictingRepeat) {
        _ = try await ben.groups.createGroup(id: group.id, name: "Gym", ownerId: "ben")
      }
      for name in ["", "  ", "a\u{7}", String(repeating: "x", count: 101)] {
        try await $0.expectRefusal(.invalidInput) {
          _ = try await ben.groups.createGroup(name: name, ownerId: "ben")
        }
      }
    },
    ContractCheck("a user cannot act for another user, and an anonymous caller for none") {
      let (group, members) = try await $0.group("ana", "ben")
      try await $0.expectRefusal(.notAuthenticated) {
        try await members[1].groups.leaveGroup(groupId: group.id, userId: "ana")
      }
      try await $0.expectRefusal(.notAuthenticated) {
        try await members[1].users.updatePrivacySettings(
          userId: "ana", settings: PrivacySettings(shareWorkoutData: false))
      }
      try $0.expect(try await members[1].users.getUser("ana"), is: nil)
      let nobody = try await $0.environment.repositories(for: nil)
      try await $0.expectRefusal(.notAuthenticated) {
        _ = try await nobody.groups.getGroup(group.id)
      }
    },
    ContractCheck("only members see a group") {
      let (group, _) = try await $0.group("ana")
      let eve = try await $0.user("eve")
      try $0.expect(try await eve.groups.getGroup(group.id), is: nil)
      try await $0.expectRefusal(.groupNotFound, .notAMember) {
        _ = try await eve.groups.getMembers(groupId: group.id)
      }
      try await $0.expectRefusal(.groupNotFound, .notAMember) {
        _ = try await eve.leaderboards.leaderboard(groupId: group.id, type: .streak)
      }
    },
    ContractCheck("only an admin can remove other members, and a member cannot remove itself") {
      let (group, members) = try await $0.group("ana", "ben", "cem")
      try await $0.expectRefusal(.notGroupAdmin) {
        try await members[1].groups.removeMember(groupId: group.id, userId: "cem")
      }
      try await $0.expectRefusal(.invalidInput) {
        try await members[0].groups.removeMember(groupId: group.id, userId: "ana")
      }
      try await members[0].groups.removeMember(groupId: group.id, userId: "cem")
      try $0.expect(
        try await members[0].groups.getMembers(groupId: group.id).map(\.id), is: ["ana", "ben"])
      try $0.expect(try await members[2].users.getUser("cem")?.currentGroupId, is: nil)
      try $0.expect(try await members[2].groups.getGroup(group.id), is: nil)
    },
    ContractCheck("a repeated leave or removal succeeds") {
      let (group, members) = try await $0.group("ana", "ben", "cem")
      for _ in 0..<2 {
        try await members[1].groups.leaveGroup(groupId: group.id, userId: "ben")
        try await members[0].groups.removeMember(groupId: group.id, userId: "cem")
      }
      try await $0.expectRefusal(.notAMember) {
        try await members[0].groups.removeMember(groupId: group.id, userId: "ben")
      }
      try await $0.expectRefusal(.notAMember) {
        try await members[0].groups.removeMember(groupId: group.id, userId: "nobody")
      }
      try $0.expect(try await members[0].groups.getGroup(group.id)?.memberCount, is: 1)
    },
    ContractCheck("only an admin can promote, and only a member can become an admin") {
      let (group, members) = try await $0.group("ana", "ben")
      try await $0.expectRefusal(.notGroupAdmin) {
        try await members[1].groups.promote(groupId: group.id, userId: "ben")
      }
      try await members[0].groups.promote(groupId: group.id, userId: "ben")
      try await members[1].groups.removeMember(groupId: group.id, userId: "ana")
      try await $0.expectRefusal(.notAMember) {
        try await members[1].groups.promote(groupId: group.id, userId: "ana")
      }
    },
    ContractCheck("if the last admin leaves, the longest-standing member becomes admin") {
      let contract = $0
      let (group, members) = try await contract.group("ana")
      for id in ["zoe", "ben"] {
        try await contract.advance(by: 60)
        let user = try await contract.user(id)
        let invite = try await members[0].invites.createInvite(groupId: group.id)
        _ = try await user.invites.joinGroup(invite.code)
      }
      try await members[0].groups.leaveGroup(groupId: group.id, userId: "ana")
      let zoe = try await contract.environment.repositories(for: "zoe")
      let roles = try await zoe.groups.getMembers(groupId: group.id)
        .map { "\($0.id) \($0.role)" }
      try contract.expect(roles, is: ["zoe admin", "ben member"])
    },
    ContractCheck("a group is inactive after its last member has left, or after its deletion") {
      let (group, members) = try await $0.group("ana", "ben")
      let invite = try await members[1].invites.createInvite(groupId: group.id)
      try await $0.expectRefusal(.notGroupAdmin) {
        try await members[1].groups.deleteGroup(group.id)
      }
      try await members[0].groups.deleteGroup(group.id)
      try await members[0].groups.deleteGroup(group.id)
      for (member, id) in zip(members, ["ana", "ben"]) {
        try $0.expect(try await member.users.getUser(id)?.currentGroupId, is: nil)
        try $0.expect(try await member.groups.getGroup(group.id), is: nil)
      }
      try await $0.expectRefusal(.inviteInvalid) {
        _ = try await members[1].invites.joinGroup(invite.code)
      }
    },
    ContractCheck("the current group follows from the membership and cannot be set") {
      let (group, members) = try await $0.group("ana")
      try await members[0].users.updateCurrentGroup(userId: "ana", groupId: group.id)
      try await $0.expectRefusal(.alreadyInGroup(groupId: group.id)) {
        try await members[0].users.updateCurrentGroup(userId: "ana", groupId: nil)
      }
      try await $0.expectRefusal(.notAMember) {
        try await members[0].users.updateCurrentGroup(userId: "ana", groupId: "another")
      }
    },
  ]

  // MARK: Invites

  static let invites: [ContractCheck] = [
    ContractCheck("a user with an invite sees the group's name and size, and can join") {
      let (group, members) = try await $0.group("ana")
      let invite = try await members[0].invites.createInvite(groupId: group.id)
      let ben = try await $0.user("ben")
      let seen = try await ben.invites.previewInvite(invite.code)
      try $0.expect(
        seen, is: InvitePreview(groupName: "Gym", memberCount: 1, isFull: false))
      let joined = try await ben.invites.joinGroup(invite.code)
      try $0.expect(joined.id, is: group.id)
      try $0.expect(joined.memberCount, is: 2)
      try await $0.expectRefusal(.alreadyInGroup(groupId: group.id)) {
        _ = try await ben.invites.joinGroup(invite.code)
      }
    },
    ContractCheck("a group has ten members at most, even if twenty users join at once") {
      let contract = $0
      let (group, members) = try await contract.group("ana")
      let invite = try await members[0].invites.createInvite(groupId: group.id)
      var others: [ActorRepositories] = []
      for number in 10..<30 { others.append(try await contract.user("u\(number)")) }
      let joined = await withTaskGroup(of: Bool.self) { tasks in
        for other in others {
          tasks.addTask { (try? await other.invites.joinGroup(invite.code)) != nil }
        }
        return await tasks.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      try contract.expect(joined, is: 9)
      try contract.expect(try await members[0].groups.getGroup(group.id)?.memberCount, is: 10)
      let late = try await contract.user("late")
      try contract.expect(try await late.invites.previewInvite(invite.code).isFull, is: true)
      try await contract.expectRefusal(.groupFull) {
        _ = try await late.invites.joinGroup(invite.code)
      }
    },
    ContractCheck("unknown, expired and revoked invites cause the same refusal") {
      let contract = $0
      let (group, members) = try await contract.group("ana")
      let revoked = try await members[0].invites.createInvite(groupId: group.id)
      try await members[0].invites.revokeInvite(revoked.id)
      let expired = try await members[0].invites.createInvite(groupId: group.id)
      try await contract.environment.moveClock(to: expired.expiresAt)
      let ben = try await contract.user("ben")
      for code in [revoked.code, expired.code, InviteCode("0123456789abcdef0123456789abcdef")] {
        guard let code else { continue }
        try await contract.expectRefusal(.inviteInvalid) {
          _ = try await ben.invites.previewInvite(code)
        }
        try await contract.expectRefusal(.inviteInvalid) {
          _ = try await ben.invites.joinGroup(code)
        }
      }
    },
    ContractCheck("a code creates one invite, and a different call with this code is a conflict") {
      let (group, members) = try await $0.group("ana", "ben")
      let code = InviteCode.random()
      let first = try await members[0].invites.createInvite(groupId: group.id, code: code)
      let again = try await members[0].invites.createInvite(groupId: group.id, code: code)
      try $0.expect(again, is: first)
      try $0.expect(first.code, is: code)
      try await $0.expectRefusal(.conflictingRepeat) {
        _ = try await members[1].invites.createInvite(groupId: group.id, code: code)
      }
      guard let guess = InviteCode("abc123") else { return }
      try await $0.expectRefusal(.invalidInput) {
        _ = try await members[0].invites.createInvite(groupId: group.id, code: guess)
      }
    },
    ContractCheck("only the creator of an invite or an admin can revoke the invite") {
      let (group, members) = try await $0.group("ana", "ben", "cem")
      let invite = try await members[1].invites.createInvite(groupId: group.id)
      try await $0.expectRefusal(.notGroupAdmin) {
        try await members[2].invites.revokeInvite(invite.id)
      }
      for member in members.prefix(2) { try await member.invites.revokeInvite(invite.id) }
      let dan = try await $0.user("dan")
      try await $0.expectRefusal(.inviteInvalid) {
        _ = try await dan.invites.joinGroup(invite.code)
      }
    },
    ContractCheck("a user who guesses codes is blocked for an hour") {
      let contract = $0
      let (group, members) = try await contract.group("ana")
      let invite = try await members[0].invites.createInvite(groupId: group.id)
      let eve = try await contract.user("eve")
      for _ in 0..<20 {
        try await contract.expectRefusal(.inviteInvalid) {
          _ = try await eve.invites.joinGroup(.random())
        }
      }
      try await contract.expectRefusal(.tooManyAttempts) {
        _ = try await eve.invites.joinGroup(invite.code)
      }
      try await contract.advance(by: 3_601)
      try contract.expect(try await eve.invites.joinGroup(invite.code).id, is: group.id)
    },
    ContractCheck("the maximum number of members also applies to add_member") {
      let (group, members) = try await $0.group("ana")
      _ = try await $0.user("ben")
      try await $0.environment.server.addMember(
        groupId: group.id, userId: "ben", displayName: "Ben", photoURL: nil)
      try $0.expect(
        try await members[0].groups.getMembers(groupId: group.id).map(\.id), is: ["ana", "ben"])
      try await $0.expectRefusal(.alreadyInGroup(groupId: group.id)) {
        [environment = $0.environment] in
        try await environment.server.addMember(
          groupId: group.id, userId: "ben", displayName: "Ben", photoURL: nil)
      }
    },
  ]
}

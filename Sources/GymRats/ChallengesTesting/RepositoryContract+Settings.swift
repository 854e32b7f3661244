import Challenges
import Foundation

extension RepositoryContract {
  /// The checks for changing names, deleting accounts, listing invites, and reading boards of ended
  /// weeks.
  static let settings: [ContractCheck] = [
    ContractCheck("a new name is on the open board, and an invalid name is refused") {
      let (group, members) = try await $0.group("ana", "ben")
      try await $0.record("w", by: members[0])
      try await $0.environment.settle()
      let photo = URL(string: "https://photos.example.com/ana")
      try await members[0].users.updateProfile(
        userId: "ana", displayName: "Anna Ö.", photoURL: photo)
      let user = try await members[0].users.getUser("ana")
      try $0.expect(user?.displayName, is: "Anna Ö.")
      try $0.expect(user?.photoURL, is: photo)
      try $0.expect(user?.asksForName, is: false)
      try await $0.environment.settle()
      let board = try await members[1].leaderboards.leaderboard(groupId: group.id, type: .checkIns)
      try $0.expect(board.entries.map(\.displayName), is: ["Anna Ö."])
      let names = try await members[1].groups.getMembers(groupId: group.id).map(\.displayName)
      try $0.expect(names, is: ["Anna Ö.", "Ben"])
      for name in ["", "  ", "a\nb", String(repeating: "x", count: 257)] {
        try await $0.expectRefusal(.invalidInput) {
          try await members[0].users.updateProfile(
            userId: "ana", displayName: name, photoURL: nil)
        }
      }
      try await $0.expectRefusal(.notAuthenticated) {
        try await members[1].users.updateProfile(userId: "ana", displayName: "X", photoURL: nil)
      }
    },
    ContractCheck("only an admin renames a group, and each member sees the new name") {
      let (group, members) = try await $0.group("ana", "ben")
      for _ in 0..<2 {
        try $0.expect(
          try await members[0].groups.updateGroup(group.id, name: "Club").name, is: "Club")
      }
      try $0.expect(try await members[1].groups.getGroup(group.id)?.name, is: "Club")
      for name in ["", "  ", "a\u{7}", String(repeating: "x", count: 101)] {
        try await $0.expectRefusal(.invalidInput) {
          _ = try await members[0].groups.updateGroup(group.id, name: name)
        }
      }
      try await $0.expectRefusal(.notGroupAdmin) {
        _ = try await members[1].groups.updateGroup(group.id, name: "Ben's")
      }
      let eve = try await $0.user("eve")
      try await $0.expectRefusal(.notAMember) {
        _ = try await eve.groups.updateGroup(group.id, name: "Eve's")
      }
      try await $0.expectRefusal(.groupNotFound) {
        _ = try await members[0].groups.updateGroup("none", name: "None")
      }
    },
    ContractCheck("a deleted account has left its group, and can make no more calls") {
      let (group, members) = try await $0.group("ana", "ben")
      try await $0.record("w", by: members[0])
      try await $0.expectRefusal(.notAuthenticated) {
        try await members[1].users.deleteAccount("ana")
      }
      try await members[0].users.deleteAccount("ana")
      for _ in 0..<2 {
        try await $0.expectRefusal(.notAuthenticated) {
          try await members[0].users.deleteAccount("ana")
        }
        try await $0.expectRefusal(.notAuthenticated) {
          _ = try await members[0].users.getUser("ana")
        }
      }
      try $0.expect(
        try await members[1].groups.getMembers(groupId: group.id).map { "\($0.id) \($0.role)" },
        is: ["ben admin"])
      try $0.expect(try await members[1].groups.getGroup(group.id)?.createdBy, is: nil)
      try $0.expect(try await $0.lines(of: group, .checkIns, seenBy: members[1]), is: [])
    },
    ContractCheck("a member lists the valid invites, newest first and without codes") {
      let contract = $0
      let (group, members) = try await contract.group("ana", "ben")
      let before = try await members[1].invites.listInvites(groupId: group.id)
      try contract.expect(before.map(\.createdBy), is: ["ana"])
      try await contract.advance(by: 60)
      let created = try await contract.environment.now()
      let invite = try await members[1].invites.createInvite(groupId: group.id)
      let listed = ListedInvite(
        id: invite.id, createdBy: "ben", createdAt: created, expiresAt: invite.expiresAt)
      try contract.expect(
        try await members[0].invites.listInvites(groupId: group.id), is: [listed] + before)
      try await members[0].invites.revokeInvite(before[0].id)
      try contract.expect(
        try await members[0].invites.listInvites(groupId: group.id), is: [listed])
      try await contract.environment.moveClock(to: invite.expiresAt)
      try contract.expect(try await members[0].invites.listInvites(groupId: group.id), is: [])
      let eve = try await contract.user("eve")
      try await contract.expectRefusal(.notAMember) {
        _ = try await eve.invites.listInvites(groupId: group.id)
      }
    },
    ContractCheck("only a member mutes a group, and a repeated call succeeds") {
      let (group, members) = try await $0.group("ana")
      for isMuted in [true, true, false] {
        try await members[0].groups.muteGroup(group.id, isMuted: isMuted)
      }
      let eve = try await $0.user("eve")
      try await $0.expectRefusal(.notAMember) {
        try await eve.groups.muteGroup(group.id, isMuted: true)
      }
      try await $0.expectRefusal(.groupNotFound) {
        try await members[0].groups.muteGroup("none", isMuted: true)
      }
    },
    ContractCheck("members read the board of an ended week, also after a member was deleted") {
      let contract = $0
      let (group, members) = try await contract.group("ana", "ben")
      for member in members { try await contract.record("w", by: member) }
      try await contract.record("v", by: members[0])
      try await contract.environment.settle()
      let week = Week(containing: try await contract.environment.now())
      try await contract.environment.moveClock(to: week.endDate.addingTimeInterval(3_600))
      try await contract.environment.settle()
      let boards = members[0].leaderboards
      func lines() async throws -> [String] {
        try await boards.entries(groupId: group.id, week: week, type: .checkIns)
          .map { "\($0.displayName) \($0.value) \($0.rank)" }
      }
      try contract.expect(try await lines(), is: ["Ana 2 1", "Ben 1 2"])
      try await members[1].users.deleteAccount("ben")
      try contract.expect(try await lines(), is: ["Ana 2 1", "Former member 1 2"])
      let next = Week(containing: week.endDate.addingTimeInterval(14 * 86_400))
      try await contract.expectRefusal(.challengeNotFound) {
        _ = try await boards.entries(groupId: group.id, week: next, type: .checkIns)
      }
      let eve = try await contract.user("eve")
      try await contract.expectRefusal(.notAMember) {
        _ = try await eve.leaderboards.entries(groupId: group.id, week: week, type: .streak)
      }
    },
  ]
}

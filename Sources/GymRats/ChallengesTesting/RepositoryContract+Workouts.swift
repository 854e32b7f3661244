import Challenges
import Foundation

extension RepositoryContract {
  private static let day: TimeInterval = 86_400

  static let workouts: [ContractCheck] = [
    ContractCheck("a repeated call gets its first answer, and counts once") {
      let (group, members) = try await $0.group("ana")
      let now = try await $0.environment.now()
      let first = try await $0.record("w", by: members[0], at: now)
      let again = try await $0.record("w", by: members[0], at: now)
      try $0.expect(first.outcome, is: .accepted)
      try $0.expect(
        again, is: WorkoutAnswer(outcome: .accepted, week: first.week, isReplayed: true))
      try $0.expect(
        try await $0.lines(of: group, .checkIns, seenBy: members[0]), is: ["ana 1 1"])
    },
    ContractCheck(
      "revisions decide: another payload conflicts, a higher one edits, a lower one is late"
    ) {
      let contract = $0
      let (_, members) = try await contract.group("ana")
      try await contract.advance(by: 3_600)
      let now = try await contract.environment.now()
      let ana = members[0]
      try contract.expect(
        try await contract.record("w", by: ana, at: now, revision: 1).outcome, is: .accepted)
      let earlier = now.addingTimeInterval(-60)
      try contract.expect(
        try await contract.record("w", by: ana, at: earlier, revision: 1).outcome,
        is: .rejected(reason: "idempotencyConflict"))
      try contract.expect(
        try await contract.record("w", by: ana, at: earlier, revision: 2).outcome, is: .accepted)
      try contract.expect(
        try await contract.record("w", by: ana, at: now, revision: 1).outcome, is: .duplicate)
    },
    ContractCheck("a workout that was taken back counts nowhere") {
      let (group, members) = try await $0.group("ana")
      try await $0.record("w", by: members[0])
      let answer = try await members[0].workouts.deleteWorkout("w", revision: 1)
      try $0.expect(answer.outcome, is: .accepted)
      try $0.expect(
        try await members[0].workouts.deleteWorkout("w", revision: 1).isReplayed, is: true)
      try $0.expect(try await $0.lines(of: group, .checkIns, seenBy: members[0]), is: [])
      try $0.expect(
        try await members[0].workouts.deleteWorkout("unknown", revision: 1).outcome.name,
        is: "rejected")
    },
    ContractCheck("time decides: the future, last week and last year") {
      let contract = $0
      let (_, members) = try await contract.group("ana")
      let joined = try await contract.environment.now()
      try await contract.advance(by: 100 * day)
      let now = try await contract.environment.now()
      let ana = members[0]
      try contract.expect(
        try await contract.record("a", by: ana, at: now.addingTimeInterval(301)).outcome,
        is: .rejected(reason: "futureTimestamp"))
      try contract.expect(
        try await contract.record("b", by: ana, at: now.addingTimeInterval(299)).outcome,
        is: .accepted)
      try contract.expect(
        try await contract.record("c", by: ana, at: now.addingTimeInterval(-7 * day - 1)).outcome,
        is: .rejected(reason: "tooOld"))
      try contract.expect(try await contract.record("d", by: ana, at: joined).outcome, is: .expired)
    },
    ContractCheck(
      "what was done before joining, or between leaving and coming back, does not count"
    ) {
      let contract = $0
      let early = try await contract.environment.now()
      try await contract.advance(by: 60)
      let (group, members) = try await contract.group("ana", "ben")
      try contract.expect(
        try await contract.record("a", by: members[1], at: early).outcome,
        is: .notCounted(reason: "beforeJoining"))
      try await contract.advance(by: 60)
      try await contract.record("b", by: members[1])
      try await contract.advance(by: 60)
      try await members[1].groups.leaveGroup(groupId: group.id, userId: "ben")
      try contract.expect(
        try await contract.lines(of: group, .checkIns, seenBy: members[0]), is: [])
      try await contract.advance(by: 60)
      let between = try await contract.environment.now()
      try contract.expect(
        try await contract.record("c", by: members[1]).outcome, is: .noActiveGroup)
      try await contract.advance(by: 60)
      let invite = try await members[0].invites.createInvite(groupId: group.id)
      _ = try await members[1].invites.joinGroup(invite.code)
      try contract.expect(
        try await contract.record("d", by: members[1], at: between).outcome,
        is: .notCounted(reason: "notAMember"))
      try contract.expect(
        try await contract.lines(of: group, .checkIns, seenBy: members[0]), is: ["ben 1 1"])
    },
    ContractCheck("a week takes what was performed in it until its grace is over") {
      let contract = $0
      let (_, members) = try await contract.group("ana")
      let week = Week(containing: try await contract.environment.now())
      let inside = week.endDate.addingTimeInterval(-60)
      try await contract.environment.moveClock(to: week.endDate.addingTimeInterval(300))
      let settling = try await contract.record("a", by: members[0], at: inside)
      try contract.expect(settling.outcome, is: .accepted)
      try contract.expect(settling.week, is: week)
      try await contract.environment.moveClock(to: week.endDate.addingTimeInterval(3_600))
      try await contract.environment.settle()
      try contract.expect(
        try await contract.record("b", by: members[0], at: inside).outcome, is: .acceptedLate)
    },
  ]
}

import Challenges
import ChallengesApp
import Foundation

extension InMemoryChallenges {
  private static let day: TimeInterval = 86_400

  /// Performs the checks of the `record_workout` SQL function in the same order, and records the
  /// workout.
  func recordWorkout(_ actor: String?, _ entry: WorkoutHistoryEntry) throws -> WorkoutAnswer {
    let user = try signedIn(actor)
    guard InputLimits.isIdentifier(entry.id), 0...Int(Int32.max) ~= entry.revision else {
      throw DomainError.invalidInput
    }
    let known = ledger[user.id]?[entry.id]
    if let known, let answer = answer(user.id, known, to: entry, isDeletion: false) {
      return answer
    }
    let received = now
    let effective = entry.performedAt ?? received
    let instant = min(effective, received)
    let isPaused = users[user.id]?.pauses.contains { $0.contains(instant) } == true
    guard user.privacySettings.shareWorkoutData, !isPaused else {
      return WorkoutAnswer(outcome: .ignoredPrivacy, week: nil, isReplayed: false)
    }
    guard -43_200...50_400 ~= entry.utcOffsetSeconds ?? 0 else {
      return WorkoutAnswer(
        outcome: .rejected(reason: "utcOffsetOutOfRange"), week: nil, isReplayed: false)
    }
    guard effective >= received.addingTimeInterval(-90 * Self.day) else {
      return WorkoutAnswer(outcome: .expired, week: nil, isReplayed: false)
    }
    let week = Week(containing: instant)
    let outcome = outcome(of: effective, receivedAt: received, user, week)
    let isCounted = outcome == .accepted || outcome == .acceptedLate
    if let known, let reason = refusal(of: outcome, known, user.currentGroupId, week, isCounted) {
      return refuse(user.id, entry, known, reason, isDeletion: false)
    }
    let staysInWeek = known.map { $0.isCounted && $0.week == week } ?? false
    let answer = WorkoutAnswer(outcome: outcome, week: week, isReplayed: false)
    ledger[user.id, default: [:]][entry.id] = StoredWorkout(
      sent: entry, groupId: user.currentGroupId, instant: instant,
      utcOffset: entry.utcOffsetSeconds ?? 0, isCounted: isCounted,
      hasMissedBoard: outcome == .acceptedLate
        && (staysInWeek ? known?.hasMissedBoard ?? true : true),
      isDeleted: false, answer: answer)
    refresh()
    return answer
  }

  func deleteWorkout(
    _ actor: String?, _ workoutId: String, _ revision: Int
  ) throws -> WorkoutAnswer {
    let user = try signedIn(actor)
    let call = WorkoutHistoryEntry(id: workoutId, performedAt: nil, revision: revision)
    guard InputLimits.isIdentifier(workoutId), 0...Int(Int32.max) ~= revision else {
      throw DomainError.invalidInput
    }
    guard let known = ledger[user.id]?[workoutId] else {
      return WorkoutAnswer(
        outcome: .rejected(reason: "workoutNotFound"), week: nil, isReplayed: false)
    }
    if let answer = answer(user.id, known, to: call, isDeletion: true) { return answer }
    if known.isCounted, isClosed(known.week), !known.hasMissedBoard {
      return refuse(user.id, call, known, "weekClosed", isDeletion: true)
    }
    let isLate = known.isCounted && isClosed(known.week)
    let answer = WorkoutAnswer(
      outcome: isLate ? .acceptedLate : .accepted, week: known.week, isReplayed: false)
    ledger[user.id]?[workoutId] = StoredWorkout(
      sent: call, groupId: known.groupId, instant: known.instant, utcOffset: known.utcOffset,
      isCounted: false, hasMissedBoard: false, isDeleted: true, answer: answer)
    refresh()
    return answer
  }

  /// Returns the response to a repeated call or to an outdated revision, or nil for a new revision.
  private func answer(
    _ user: String, _ known: StoredWorkout, to call: WorkoutHistoryEntry, isDeletion: Bool
  ) -> WorkoutAnswer? {
    if call.revision < known.sent.revision {
      return WorkoutAnswer(outcome: .duplicate, week: known.answer.week, isReplayed: false)
    }
    if call == known.sent, isDeletion == known.isDeleted { return known.answerAgain }
    if let refused = refusedEdits.first(where: {
      $0.user == user && $0.sent == call && $0.isDeletion == isDeletion
    }) {
      return refused.answer
    }
    guard call.revision == known.sent.revision else { return nil }
    return WorkoutAnswer(
      outcome: .rejected(reason: "idempotencyConflict"), week: known.answer.week,
      isReplayed: false)
  }

  private func outcome(
    of effective: Date, receivedAt received: Date, _ user: SocialUser, _ week: Week
  ) -> WorkoutOutcome {
    if effective < received.addingTimeInterval(-7 * Self.day) { return .rejected(reason: "tooOld") }
    if effective > received.addingTimeInterval(300) {
      return .rejected(reason: "futureTimestamp")
    }
    guard let groupId = user.currentGroupId, let member = groups[groupId]?.members[user.id] else {
      return .noActiveGroup
    }
    if effective < member.member.joinedAt { return .notCounted(reason: "beforeJoining") }
    guard member.stays.contains(where: { $0.contains(effective) }) else {
      return .notCounted(reason: "notAMember")
    }
    return isClosed(week) ? .acceptedLate : .accepted
  }

  private func refusal(
    of outcome: WorkoutOutcome, _ known: StoredWorkout, _ groupId: String?, _ week: Week,
    _ isCounted: Bool
  ) -> String? {
    if case .rejected(let reason) = outcome { return reason }
    if known.groupId != groupId { return "otherGroup" }
    let leavesItsWeek = known.week != week || !isCounted
    return known.isCounted && !known.hasMissedBoard && leavesItsWeek && isClosed(known.week)
      ? "weekClosed" : nil
  }

  private func refuse(
    _ user: String, _ call: WorkoutHistoryEntry, _ known: StoredWorkout, _ reason: String,
    isDeletion: Bool
  ) -> WorkoutAnswer {
    let outcome = WorkoutOutcome.rejected(reason: reason)
    refusedEdits.insert(
      RefusedEdit(
        user: user, sent: call, isDeletion: isDeletion,
        answer: WorkoutAnswer(outcome: outcome, week: known.answer.week, isReplayed: true)))
    return WorkoutAnswer(outcome: outcome, week: known.answer.week, isReplayed: false)
  }
}

extension ChallengeModel {
  /// Rule 27: what a deletion is answered; the ledger and the boards follow.
  public mutating func delete(_ deletion: ModelDeletion) -> ModelAnswer {
    guard let known = ledger[deletion.key] else {
      return ModelAnswer(outcome: "rejected", reason: "workoutNotFound")
    }
    if let answer = answerOfRecorded(known, to: deletion) { return answer }
    var answer = ModelAnswer(outcome: "accepted", week: known.answer.week)
    if known.isCounted, let group = known.group,
      let board = boards[GroupWeek(group: group, week: known.week)], board.state != .open
    {
      if board.state == .closed, board.shown.contains(known.call.key) {
        answer = ModelAnswer(outcome: "rejected", reason: "weekClosed", week: known.answer.week)
        if let revision = deletion.revision {
          var remembered = answer
          remembered.isAgain = true
          ledger[deletion.key]?.refusedDeletions[revision] = remembered
        }
        return answer
      }
      answer.outcome = "acceptedLate"
    }
    ledger[deletion.key]?.deletedAt = deletion.revision ?? known.revision + 1
    ledger[deletion.key]?.isCounted = false
    ledger[deletion.key]?.answer = answer
    if let group = known.group { derive(deletion.key.user, in: group) }
    return answer
  }

  /// The answer to a deletion of a workout that is recorded, unless it is carried out.
  private func answerOfRecorded(_ known: Workout, to deletion: ModelDeletion) -> ModelAnswer? {
    var again = known.answer
    again.isAgain = true
    guard let revision = deletion.revision else { return known.deletedAt == nil ? nil : again }
    if revision < known.revision {
      return ModelAnswer(outcome: "duplicate", week: known.answer.week)
    }
    if known.deletedAt == revision { return again }
    if let refused = known.refusedDeletions[revision] { return refused }
    if revision > known.revision { return nil }
    return ModelAnswer(
      outcome: "rejected", reason: "idempotencyConflict", week: known.answer.week)
  }

  /// Rules 88 and 89: a user shares workouts or does not, and open boards follow.
  public mutating func share(_ user: String, _ shares: Bool) {
    guard let who = users[user], who.sharesWorkouts != shares else { return }
    if shares {
      users[user]?.pauses[who.pauses.count - 1].to = now
    } else {
      users[user]?.pauses.append((from: now, to: nil))
    }
    for (place, board) in boards
    where board.state == .open && who.joinedAt[place.group] != nil {
      // Who left is not seen again by this.
      if shares, who.left.contains(place.group), who.group != place.group { continue }
      for type in BoardRow.Kind.allCases {
        guard let entry = board.entries[type]?[user] else { continue }
        boards[place]?.entries[type]?[user]?.isHidden = !shares
        if shares, entry.isHidden, entry.value > 0 {
          boards[place]?.back[type, default: []].append((user: user, value: entry.value))
        }
      }
    }
  }
}

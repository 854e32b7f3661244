extension ChallengeModel {
  /// Applies a deletion to the ledger and the boards, and returns the response (rule 27).
  package mutating func delete(_ deletion: ModelDeletion) -> ModelAnswer {
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

  /// Returns the response to the deletion of a recorded workout, or nil if the deletion is
  /// executed.
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

  /// Changes whether a user shares workouts, and updates the open boards (rules 88 and 89).
  package mutating func share(_ user: String, _ shares: Bool) {
    guard let who = users[user], who.sharesWorkouts != shares else { return }
    if shares {
      users[user]?.pauses[who.pauses.count - 1].to = now
    } else {
      users[user]?.pauses.append((from: now, to: nil))
    }
    for (place, board) in boards
    where board.state == .open && who.joinedAt[place.group] != nil {
      if !shares {
        for type in BoardRow.Kind.allCases { boards[place]?.entries[type]?[user]?.isHidden = true }
      } else if !who.left.contains(place.group) {
        show(user, on: place)
      }
    }
  }

  /// Makes a former member a member again, and shows the member on the open boards (rules 80 and
  /// 81).
  package mutating func rejoin(_ user: String, _ group: String) {
    guard let who = users[user], who.group == nil, let leftAt = who.leftAt[group] else { return }
    users[user]?.left.remove(group)
    users[user]?.leftAt[group] = nil
    users[user]?.gaps[group, default: []].append((from: leftAt, to: now))
    users[user]?.group = group
    guard who.sharesWorkouts else { return }
    for (place, board) in boards where place.group == group && board.state == .open {
      show(user, on: place)
    }
  }

  /// Makes hidden entries visible again, without notifications to the other members.
  private mutating func show(_ user: String, on place: GroupWeek) {
    for type in BoardRow.Kind.allCases {
      guard let entry = boards[place]?.entries[type]?[user], entry.isHidden else { continue }
      boards[place]?.entries[type]?[user]?.isHidden = false
      if entry.value > 0 {
        boards[place]?.back[type, default: []].append((user: user, value: entry.value))
      }
    }
  }
}

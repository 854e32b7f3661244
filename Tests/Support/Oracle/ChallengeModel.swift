import Foundation

/// A model that applies the rules for calls, closes and notifications by brute force.
///
/// The model stores a ledger, and derives every open board from the whole ledger after each call.
/// The content of a board does not change after the close. The model shares neither code nor data
/// structures with the SQL.
package struct ChallengeModel: Sendable {
  struct User: Sendable {
    var group: String?
    /// The instants at which the user joined each group.
    var joinedAt: [String: Int64] = [:]
    var left: Set<String> = []
    var leftAt: [String: Int64] = [:]
    /// The time ranges between leaving a group and returning to the group.
    var gaps: [String: [(from: Int64, to: Int64)]] = [:]
    var zone: TimeZone?
    /// The time ranges in which the user did not share workouts.
    ///
    /// The last range has no end if the user still does not share workouts.
    var pauses: [(from: Int64, to: Int64?)] = []
    var mutedGroups: Set<String> = []

    var sharesWorkouts: Bool { pauses.allSatisfy { $0.to != nil } }

    /// Returns whether the user did not share workouts at an instant (rule 89).
    func isPaused(at instant: Int64) -> Bool {
      pauses.contains { $0.from <= instant && instant < $0.to ?? .max }
    }
  }

  /// A workout in the ledger.
  struct Workout: Sendable {
    var call: ModelCall
    var group: String?
    var instant: Int64
    var offset: Int
    var isCounted: Bool
    var answer: ModelAnswer
    /// The refused edits of the workout, with the responses.
    var refused: [ModelCall: ModelAnswer] = [:]
    /// The revision that deleted the workout.
    ///
    /// The value is nil if the workout was not deleted or if a later revision restored the workout.
    var deletedAt: Int?
    /// The responses to refused deletions, by revision.
    var refusedDeletions: [Int: ModelAnswer] = [:]

    /// The recorded revision.
    var revision: Int { deletedAt ?? call.revision }
    var week: OracleDate { OracleDate(at: instant, utcOffset: 0).monday }
  }

  struct GroupWeek: Hashable, Comparable, Sendable {
    let group: String
    let week: OracleDate

    var end: Int64 { week.adding(7).midnightUTC }

    static func < (left: GroupWeek, right: GroupWeek) -> Bool {
      (left.week, left.group) < (right.week, right.group)
    }
  }

  /// The settings of the model.
  package let settings: ModelSettings
  /// The current time of the domain clock, in microseconds since 1970.
  package internal(set) var now: Int64
  var users: [String: User] = [:]
  var ledger: [ModelCall.Key: Workout] = [:]
  var boards: [GroupWeek: ModelBoard] = [:]
  var notifications: [ModelNotification] = []
  /// The number of deleted accounts.
  var erased = 0

  /// Creates a model of a database without users, whose clock starts at `now`.
  package init(at now: Int64, _ settings: ModelSettings) {
    self.now = now
    self.settings = settings
  }

  static let day: Int64 = 86_400_000_000

  // MARK: Who there is

  /// Adds a user to a group.
  ///
  /// The group is the user's only active group.
  package mutating func join(_ user: String, _ group: String, at time: Int64, zone: String? = nil) {
    var who = users[user] ?? User(zone: zone.flatMap { TimeZone(identifier: $0) })
    if let old = who.group {
      who.left.insert(old)
      who.leftAt[old] = now
      withdraw(user, from: old)
    }
    who.group = group
    who.joinedAt[group] = time
    users[user] = who
  }

  /// Removes a user from the user's group.
  package mutating func leave(_ user: String) {
    guard let group = users[user]?.group else { return }
    users[user]?.left.insert(group)
    users[user]?.leftAt[group] = now
    users[user]?.group = nil
    withdraw(user, from: group)
  }

  /// Deletes an account with all its workouts and notifications (rule 87).
  ///
  /// The ranks on closed boards are kept.
  package mutating func erase(_ user: String) {
    leave(user)
    erased += 1
    let tombstone = "former-\(erased)"
    ledger = ledger.filter { $0.key.user != user }
    for (place, board) in boards {
      for type in BoardRow.Kind.allCases {
        let entry = boards[place]?.entries[type]?.removeValue(forKey: user)
        guard board.state == .closed else { continue }
        boards[place]?.entries[type]?[tombstone] = entry
        let standing = boards[place]?.standings[type]?.removeValue(forKey: user)
        boards[place]?.standings[type]?[tombstone] = standing
      }
    }
    for number in notifications.indices where notifications[number].user == user {
      notifications[number].isTakenBack = true
    }
    users[user] = nil
  }

  /// Enables or disables a user's notifications about changed ranks.
  package mutating func mute(_ user: String, _ isMuted: Bool) {
    guard let group = users[user]?.group else { return }
    if isMuted {
      users[user]?.mutedGroups.insert(group)
    } else {
      users[user]?.mutedGroups.remove(group)
    }
  }

  /// Moves the clock forward.
  ///
  /// An earlier time is ignored.
  package mutating func advance(to time: Int64) { now = max(now, time) }

  // MARK: Workouts

  /// Applies a call to the ledger and the boards, and returns the response.
  package mutating func record(_ call: ModelCall) -> ModelAnswer {
    let known = ledger[call.key]
    if let known, let answer = answerOfRecorded(known, to: call) { return answer }
    guard let user = users[call.key.user] else { return ModelAnswer(outcome: "nobody") }
    guard user.sharesWorkouts else { return ModelAnswer(outcome: "ignoredPrivacy") }
    if let offset = call.offset, !(-43_200...50_400).contains(offset) {
      return ModelAnswer(outcome: "rejected", reason: "utcOffsetOutOfRange")
    }
    let sent = call.time ?? now
    if sent < now - 90 * Self.day { return ModelAnswer(outcome: "expired") }
    var workout = self.workout(call, sent, of: user)
    if user.isPaused(at: workout.instant) { return ModelAnswer(outcome: "ignoredPrivacy") }
    judge(&workout, sent, of: user)
    if let known {
      if let reason = refusal(of: workout, after: known) {
        let answer = ModelAnswer(outcome: "rejected", reason: reason, week: known.answer.week)
        var remembered = answer
        remembered.isAgain = true
        ledger[call.key]?.refused[call] = remembered
        return answer
      }
      workout.refused = known.refused
      workout.refusedDeletions = known.refusedDeletions
    }
    ledger[call.key] = workout
    if let group = user.group { derive(call.key.user, in: group) }
    return workout.answer
  }

  /// Returns the response to a call for a recorded workout, or nil if the call is an edit (rule
  /// 15).
  private func answerOfRecorded(_ known: Workout, to call: ModelCall) -> ModelAnswer? {
    if call.revision < known.revision {
      return ModelAnswer(outcome: "duplicate", week: known.answer.week)
    }
    if call == known.call, known.deletedAt == nil {
      var answer = known.answer
      answer.isAgain = true
      return answer
    }
    if let answer = known.refused[call] { return answer }
    if call.revision > known.revision { return nil }
    return ModelAnswer(
      outcome: "rejected", reason: "idempotencyConflict", week: known.answer.week)
  }

  /// Creates the workout of a call (rules 7, 37 and 38).
  private func workout(_ call: ModelCall, _ sent: Int64, of user: User) -> Workout {
    let instant = min(sent, now)
    let seconds = Double(instant / 1_000_000) - (instant % 1_000_000 < 0 ? 1 : 0)
    let offset =
      call.offset ?? user.zone?.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)) ?? 0
    var workout = Workout(
      call: call, group: user.group, instant: instant, offset: offset, isCounted: false,
      answer: ModelAnswer(outcome: "accepted"))
    workout.answer.week = workout.week
    return workout
  }

  /// Determines the outcome of a workout (rules 7, 15, 31, 32 and 80).
  private mutating func judge(_ workout: inout Workout, _ sent: Int64, of user: User) {
    if sent < now - 7 * Self.day {
      workout.answer.outcome = "rejected"
      workout.answer.reason = "tooOld"
    } else if sent > now + 300_000_000 {
      workout.answer.outcome = "rejected"
      workout.answer.reason = "futureTimestamp"
    } else if let group = user.group, let joinedAt = user.joinedAt[group] {
      guard sent >= joinedAt else {
        workout.answer.outcome = "notCounted"
        workout.answer.reason = "beforeJoining"
        return
      }
      if user.gaps[group]?.contains(where: { $0.from <= sent && sent < $0.to }) == true {
        workout.answer.outcome = "notCounted"
        workout.answer.reason = "notAMember"
        return
      }
      workout.isCounted = true
      let place = GroupWeek(group: group, week: workout.week)
      if boards[place, default: ModelBoard()].state != .open {
        workout.answer.outcome = "acceptedLate"
      } else if boards[place] == nil {
        boards[place] = ModelBoard()
      }
    } else {
      workout.answer.outcome = "noActiveGroup"
    }
  }

  /// Returns the reason why an edit is refused, or nil if the edit is executed (rule 15).
  private func refusal(of edit: Workout, after known: Workout) -> String? {
    if edit.answer.outcome == "rejected" { return edit.answer.reason }
    if edit.group != known.group { return "otherGroup" }
    guard known.isCounted, let group = known.group,
      let board = boards[GroupWeek(group: group, week: known.week)], board.state != .open,
      board.shown.contains(known.call.key)
    else { return nil }
    return edit.isCounted && edit.week == known.week ? nil : "weekClosed"
  }
}

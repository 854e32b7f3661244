/// One call of `record_workout`, for the model of the rules.
package struct ModelCall: Hashable, Sendable {
  /// The user and the workout of a call.
  package struct Key: Hashable, Sendable {
    /// The user's id.
    package let user: String
    /// The id that the client chose for the workout.
    package let workout: String

    /// Creates a key from its parts.
    package init(user: String, workout: String) {
      self.user = user
      self.workout = workout
    }
  }

  /// The user and the workout.
  package var key: Key
  /// The instant at which the workout was performed, in microseconds since 1970, or nil if the call
  /// contains no instant.
  package var time: Int64?
  /// The UTC offset of the client's clock, in seconds east of UTC, or nil if the call contains no
  /// offset.
  package var offset: Int?
  /// The revision, which is 0 for a new workout and greater for an edit.
  package var revision: Int

  /// Creates a call from its parts.
  package init(key: Key, time: Int64?, offset: Int?, revision: Int = 0) {
    self.key = key
    self.time = time
    self.offset = offset
    self.revision = revision
  }
}

/// One call of `delete_workout`.
package struct ModelDeletion: Hashable, Sendable {
  /// The user and the workout.
  package var key: ModelCall.Key
  /// The revision of the deletion, or nil for the revision after the recorded revision.
  package var revision: Int?

  /// Creates a call from its parts.
  package init(key: ModelCall.Key, revision: Int?) {
    self.key = key
    self.revision = revision
  }
}

/// The response to a call.
package struct ModelAnswer: Hashable, Sendable, CustomStringConvertible {
  /// The name of the outcome (rule 16).
  package var outcome: String
  /// The reason, or nil if the outcome has no reason.
  package var reason: String?
  /// The Monday of the workout's week.
  var week: OracleDate?
  /// Whether an earlier call already received the same response.
  package var isAgain = false

  /// The response as text of the form `outcome reason week again`.
  ///
  /// Missing parts are omitted.
  package var description: String {
    ([outcome, reason, week?.text, isAgain ? "again" : nil] as [String?]).compactMap(\.self)
      .joined(separator: " ")
  }
}

/// The settings of the model's database.
package struct ModelSettings: Sendable {
  /// The maximum number of check-ins that count on one local date, or 0 for no limit.
  package var limit = 0
  /// The grace period after the end of a week, in microseconds.
  package var grace: Int64 = 600_000_000
  /// The rule for equal values on both boards: `competition`, `unique` or `dense`.
  package var ranks = "competition"
  /// The rule for streaks: `peak`, `lastRun` or `weekOnly`.
  package var streak = "peak"
  /// The minimum time between two notifications about one board, in microseconds, or 0 for no
  /// minimum.
  package var cooldown: Int64 = 0
  /// The maximum number of rank notifications to one member in 24 hours, or 0 for no limit.
  package var dailyCap = 0
  /// The time for which a closed board is kept, in microseconds.
  package var boardAge: Int64 = 90 * 86_400_000_000

  /// Creates the settings of a new database.
  package init() {}
}

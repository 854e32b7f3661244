/// One call of `record_workout`, as the model of the rules takes it.
package struct ModelCall: Hashable, Sendable {
  /// Who records which workout.
  package struct Key: Hashable, Sendable {
    /// The user's id.
    package let user: String
    /// The client's id of the workout.
    package let workout: String

    /// A key of its parts.
    package init(user: String, workout: String) {
      self.user = user
      self.workout = workout
    }
  }

  /// Which workout.
  package var key: Key
  /// When it was performed, microseconds since 1970; nil: not said.
  package var time: Int64?
  /// Seconds that the client's clock is ahead of UTC; nil: not said.
  package var offset: Int?
  /// 0 for a new workout, more for an edit.
  package var revision: Int

  /// A call of its parts.
  package init(key: Key, time: Int64?, offset: Int?, revision: Int = 0) {
    self.key = key
    self.time = time
    self.offset = offset
    self.revision = revision
  }
}

/// One call of `delete_workout`.
package struct ModelDeletion: Hashable, Sendable {
  /// Which workout.
  package var key: ModelCall.Key
  /// Nil: the one behind what is recorded.
  package var revision: Int?

  /// A call of its parts.
  package init(key: ModelCall.Key, revision: Int?) {
    self.key = key
    self.revision = revision
  }
}

/// What a call is answered.
package struct ModelAnswer: Hashable, Sendable, CustomStringConvertible {
  /// The word of rule 16.
  package var outcome: String
  /// Why, where the outcome has a reason.
  package var reason: String?
  /// The Monday of the workout's week.
  var week: OracleDate?
  /// Whether it was given before.
  package var isAgain = false

  /// `outcome reason week again`, without what there is not.
  package var description: String {
    ([outcome, reason, week?.text, isAgain ? "again" : nil] as [String?]).compactMap(\.self)
      .joined(separator: " ")
  }
}

/// How a database of the model is set up.
package struct ModelSettings: Sendable {
  /// Check-ins that count on one local date; 0: all.
  package var limit = 0
  /// Microseconds after its end in which a week still counts.
  package var grace: Int64 = 600_000_000
  /// `competition`, `unique` or `dense`, for both boards.
  package var ranks = "competition"
  /// `peak`, `lastRun` or `weekOnly`.
  package var streak = "peak"
  /// Microseconds between two notifications about one board; 0: none.
  package var cooldown: Int64 = 0
  /// Notifications of changed ranks to one member in 24 hours; 0: any number.
  package var dailyCap = 0
  /// Microseconds that a closed board is kept.
  package var boardAge: Int64 = 90 * 86_400_000_000

  /// As a new database has them.
  package init() {}
}

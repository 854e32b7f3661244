package import BatonPostgres

/// The life of one run, without what it carries: no payload, no output, and no mail address in key or error.
package struct RunLife: Sendable, Codable {
  /// The id that it has now; it may have been asked for under one of ``earlierIds``.
  package let id: Int64
  /// Runs of the key that were merged into it, and calls that asked for it.
  package let earlierIds: [Int64]
  /// The job's name.
  package let job: String
  /// What it is debounced by; `[address]` stands for mail addresses.
  package let key: String
  /// `ready`, `running` or `dead`; `unfolded`: asked for and not a run yet; of one that has ended `done`, `dead` or
  /// `cancelled`, and `ended` where nobody knows how.
  package let state: String
  /// Attempts so far; nil: none is known.
  package let attempt: Int?
  /// 1 goes first, 9 last.
  package let priority: Int?
  /// Who works it.
  package let worker: String?
  /// The last error.
  package let error: String?
  /// Whether it carries a payload, which only an operator may ask for.
  package let hasPayload: Bool
  /// When it was first asked for.
  package let madeAt: Timestamp?
  /// The last event that it stands for.
  package let lastEventAt: Timestamp?
  /// When it is due.
  package let due: Timestamp?
  /// The earliest domain time that was asked for.
  package let runAt: Timestamp?
  /// Until when no event hurries it.
  package let backoffUntil: Timestamp?
  /// When somebody asked for its end.
  package let cancelRequestedAt: Timestamp?
  /// When it died.
  package let diedAt: Timestamp?
  /// When it ended.
  package let endedAt: Timestamp?
  /// The attempts that failed and, of what has a history, the last one; in order.
  package let attempts: [Attempt]
  /// What was done to it by hand, in order, of the newest 10,000 such actions of the schema.
  package let actions: [Action]

  /// One try.
  package struct Attempt: Sendable, Codable {
    /// The id that the run had then, where that is another.
    package let run: Int64?
    /// Which one, from 1.
    package let attempt: Int
    /// `failed`, `done` or `cancelled`.
    package let outcome: String
    /// Who worked it.
    package let worker: String?
    /// When it began; nil: its worker died.
    package let beganAt: Timestamp?
    /// When it ended.
    package let endedAt: Timestamp
    /// Why it failed.
    package let error: String?
    /// What it did, by name.
    package let report: [String: Int]?
  }

  /// One row of the audit.
  package struct Action: Sendable, Codable {
    /// When.
    package let at: Timestamp
    /// What: `runs retry`.
    package let action: String
    /// Who, as the program said it; else who was logged in.
    package let by: String
  }
}

public import BatonPostgres

/// The life of one run, without what it carries: no payload, no output, and no mail address in key or error.
public struct RunLife: Sendable, Codable {
  /// The id that it has now; it may have been asked for under one of ``earlierIds``.
  public let id: Int64
  /// Runs of the key that were merged into it, and calls that asked for it.
  public let earlierIds: [Int64]
  /// The job's name.
  public let job: String
  /// What it is debounced by; `[address]` stands for mail addresses.
  public let key: String
  /// `ready`, `running` or `dead`; `unfolded`: asked for and not a run yet; of one that has ended `done`, `dead` or
  /// `cancelled`, and `ended` where nobody knows how.
  public let state: String
  /// Attempts so far; nil: none is known.
  public let attempt: Int?
  /// 1 goes first, 9 last.
  public let priority: Int?
  /// Who works it.
  public let worker: String?
  /// The last error.
  public let error: String?
  /// Whether it carries a payload, which only an operator may ask for.
  public let hasPayload: Bool
  /// When it was first asked for.
  public let madeAt: Timestamp?
  /// The last event that it stands for.
  public let lastEventAt: Timestamp?
  /// When it is due.
  public let due: Timestamp?
  /// The earliest domain time that was asked for.
  public let runAt: Timestamp?
  /// Until when no event hurries it.
  public let backoffUntil: Timestamp?
  /// When somebody asked for its end.
  public let cancelRequestedAt: Timestamp?
  /// When it died.
  public let diedAt: Timestamp?
  /// When it ended.
  public let endedAt: Timestamp?
  /// The attempts that failed and, of what has a history, the last one; in order.
  public let attempts: [Attempt]
  /// What was done to it by hand, in order, of the newest 10,000 such actions of the schema.
  public let actions: [Action]

  /// One try.
  public struct Attempt: Sendable, Codable {
    /// The id that the run had then, where that is another.
    public let run: Int64?
    /// Which one, from 1.
    public let attempt: Int
    /// `failed`, `done` or `cancelled`.
    public let outcome: String
    /// Who worked it.
    public let worker: String?
    /// When it began; nil: its worker died.
    public let beganAt: Timestamp?
    /// When it ended.
    public let endedAt: Timestamp
    /// Why it failed.
    public let error: String?
    /// What it did, by name.
    public let report: [String: Int]?
  }

  /// One row of the audit.
  public struct Action: Sendable, Codable {
    /// When.
    public let at: Timestamp
    /// What: `runs retry`.
    public let action: String
    /// Who, as the program said it; else who was logged in.
    public let by: String
  }
}

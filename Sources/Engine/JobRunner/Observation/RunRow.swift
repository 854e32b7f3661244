public import BatonPostgres

/// What a run does, as somebody who looks on sees it.
public enum RunState: String, Sendable, Codable, CaseIterable {
  /// It is due and waits for a worker.
  case ready
  /// It is due later: by a debounce, a backoff, or because somebody asked for that.
  case delayed
  /// Somebody works it.
  case running
  /// It failed for good, and is kept.
  case dead
  /// It has ended, of a job that keeps history: see ``RunRow/outcome``.
  case ended
}

/// One run as a list shows it, without what it carries: no payload, no output, and no mail address in key or error.
public struct RunRow: Sendable, Codable, Hashable {
  /// Stays the same through retries.
  public let id: Int64
  /// The job's name.
  public let job: String
  /// What the run is debounced by; `[address]` stands for mail addresses.
  public let key: String
  /// What it does.
  public let state: RunState
  /// Attempts so far.
  public let attempt: Int
  /// When it is or was due, died or ended; nil: it is due at no time, as a clock stands that it waits for.
  public let at: Timestamp?
  /// The first event that it stands for; nil: nobody knows.
  public let firstEventAt: Timestamp?
  /// Of one that has ended `done`, `dead` or `cancelled`; else nil.
  public let outcome: String?
  /// How long its last attempt took, of one that has ended.
  public let durationSeconds: Double?
  /// Who works it, or worked it last; nil: nobody, or nobody knows him any more.
  public let worker: String?
  /// The first 500 characters of the last error; `[address]` stands for mail addresses.
  public let error: String?
}

/// Which runs are listed.
public struct RunFilter: Sendable, Hashable {
  /// What they do; nil: ready, delayed or running, by job and key.
  public var state: RunState?
  /// The one job.
  public var job: String?
  /// What their keys begin with; mail addresses are not found.
  ///
  /// Of runs that have ended among the newest 10,000 of each job.
  public var key: String?
  /// Of dead runs those of one group: ``DeadGroup/id``.
  public var group: String?
  /// Behind which page: ``RunList/next``.
  public var cursor: RunCursor?

  /// Runs that do something.
  public init(
    _ state: RunState?, job: String? = nil, key: String? = nil, group: String? = nil,
    cursor: RunCursor? = nil
  ) {
    self.state = state
    self.job = job
    self.key = key
    self.group = group
    self.cursor = cursor
  }
}

/// A page of runs.
public struct RunList: Sendable, Codable {
  /// The runs: of those that wait the ones due first, of dead and ended ones the newest ahead.
  public let runs: [RunRow]
  /// Where the next page begins; nil: this is the last one.
  ///
  /// The next one may hold fewer runs than a page has, and even none: a page looks at so much and no more.
  public let next: RunCursor?
  /// Whether there are more that no page shows: say more of the key.
  public let isCut: Bool

  /// A page has so many runs at most.
  public static let most = 50
}

/// Where a page of runs ends: a text of digits and `-` that says nothing of anybody.
public struct RunCursor: Sendable, Hashable, Codable, LosslessStringConvertible {
  /// The numbers that it is made of.
  let parts: [Int64]

  init(_ parts: Int64...) { self.parts = parts }

  /// From ``description``; nil for anything else.
  public init?(_ text: String) {
    guard text.wholeMatch(of: /[0-9]{1,19}(-[0-9]{1,19}){0,2}/) != nil else { return nil }
    let parts = text.split(separator: "-").compactMap { Int64($0) }
    guard parts.count == text.split(separator: "-").count else { return nil }
    self.parts = parts
  }

  /// The numbers with `-` between them.
  public var description: String { parts.map(String.init).joined(separator: "-") }

  /// From a text.
  ///
  /// - Throws: `DecodingError` for one that is no cursor.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let cursor = RunCursor(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no cursor")
    }
    self = cursor
  }

  /// As a text.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

package import BatonPostgres

/// What a run does, as somebody who looks on sees it.
package enum RunState: String, Sendable, Codable, CaseIterable {
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
package struct RunRow: Sendable, Codable, Hashable {
  /// Stays the same through retries.
  package let id: Int64
  /// The job's name.
  package let job: String
  /// What the run is debounced by; `[address]` stands for mail addresses.
  package let key: String
  /// What it does.
  package let state: RunState
  /// Attempts so far.
  package let attempt: Int
  /// When it is or was due, died or ended; nil: it is due at no time, as a clock stands that it waits for.
  package let at: Timestamp?
  /// The first event that it stands for; nil: nobody knows.
  package let firstEventAt: Timestamp?
  /// Of one that has ended `done`, `dead` or `cancelled`; else nil.
  package let outcome: String?
  /// How long its last attempt took, of one that has ended.
  package let durationSeconds: Double?
  /// Who works it, or worked it last; nil: nobody, or nobody knows him any more.
  package let worker: String?
  /// The first 500 characters of the last error; `[address]` stands for mail addresses.
  package let error: String?
}

/// Which runs are listed.
package struct RunFilter: Sendable, Hashable {
  /// What they do; nil: ready, delayed or running, by job and key.
  package var state: RunState?
  /// The one job.
  package var job: String?
  /// What their keys begin with; mail addresses are not found.
  ///
  /// Of runs that have ended among the newest 10,000 of each job.
  package var key: String?
  /// Of dead runs those of one group: ``DeadGroup/id``.
  package var group: String?
  /// Behind which page: ``RunList/next``.
  package var cursor: RunCursor?

  /// Runs that do something.
  package init(
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
package struct RunList: Sendable, Codable {
  /// The runs: of those that wait the ones due first, of dead and ended ones the newest ahead.
  package let runs: [RunRow]
  /// Where the next page begins; nil: this is the last one.
  ///
  /// The next one may hold fewer runs than a page has, and even none: a page looks at so much and no more.
  package let next: RunCursor?
  /// Whether there are more that no page shows: say more of the key.
  package let isCut: Bool

  /// A page has so many runs at most.
  package static let most = 50
}

/// Where a page of runs ends: a text of digits and `-` that says nothing of anybody.
package struct RunCursor: Sendable, Hashable, Codable, LosslessStringConvertible {
  /// The numbers that it is made of.
  let parts: [Int64]

  init(_ parts: Int64...) { self.parts = parts }

  /// From ``description``; nil for anything else.
  package init?(_ text: String) {
    guard text.wholeMatch(of: /[0-9]{1,19}(-[0-9]{1,19}){0,2}/) != nil else { return nil }
    let parts = text.split(separator: "-").compactMap { Int64($0) }
    guard parts.count == text.split(separator: "-").count else { return nil }
    self.parts = parts
  }

  /// The numbers with `-` between them.
  package var description: String { parts.map(String.init).joined(separator: "-") }

  /// From a text.
  ///
  /// - Throws: `DecodingError` for one that is no cursor.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let cursor = RunCursor(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no cursor")
    }
    self = cursor
  }

  /// As a text.
  ///
  /// - Throws: what the encoder throws.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

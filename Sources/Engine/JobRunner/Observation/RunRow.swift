package import BatonPostgres

/// The state of a run, as an observer sees it.
package enum RunState: String, Sendable, Codable, CaseIterable {
  /// It is due and waits for a worker.
  case ready
  /// It is due later, because of a debounce, a backoff or a requested time.
  case delayed
  /// A worker is working it.
  case running
  /// It failed permanently, and is stored.
  case dead
  /// It has ended, and its job has a history: see ``RunRow/outcome``.
  case ended
}

/// One run as a list shows it: no payload, no output, and no mail address in key or error.
package struct RunRow: Sendable, Codable, Hashable {
  /// The id, which stays the same through retries.
  package let id: Int64
  /// The job's name.
  package let job: String
  /// The key by which the run is debounced; `[address]` replaces mail addresses.
  package let key: String
  /// The state of the run.
  package let state: RunState
  /// The number of attempts so far.
  package let attempt: Int
  /// When it is or was due, died or ended; nil if it waits for a frozen clock.
  package let at: Timestamp?
  /// The time of its first event; nil if it is not recorded.
  package let firstEventAt: Timestamp?
  /// `done`, `dead` or `cancelled` for a run that has ended; otherwise nil.
  package let outcome: String?
  /// How long the last attempt of an ended run took.
  package let durationSeconds: Double?
  /// The worker that works it, or worked it last; nil if no worker is recorded.
  package let worker: String?
  /// The first 500 characters of the last error; `[address]` replaces mail addresses.
  package let error: String?
}

/// Selects the runs of a list.
package struct RunFilter: Sendable, Hashable {
  /// The state; nil: ready, delayed or running, by job and key.
  package var state: RunState?
  /// Only runs of this job.
  package var job: String?
  /// The beginning of their keys; mail addresses cannot be found.
  ///
  /// For ended runs only the newest 10,000 of each job are searched.
  package var key: String?
  /// For dead runs, only those of this group: ``DeadGroup/id``.
  package var group: String?
  /// The end of the previous page: ``RunList/next``.
  package var cursor: RunCursor?

  /// Selects runs in this state.
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
  /// The runs: waiting ones by due time, dead and ended ones newest first.
  package let runs: [RunRow]
  /// Where the next page begins; nil if this is the last one.
  ///
  /// The next page may hold fewer runs than a full page, or none, because one page reads only a limited part of the
  /// table.
  package let next: RunCursor?
  /// Whether more runs match than any page can show; a longer beginning of the key then finds them.
  package let isCut: Bool

  /// The most runs on a page.
  package static let most = 50
}

/// The end of a page of runs: a text of digits and `-` that contains no personal data.
package struct RunCursor: Sendable, Hashable, Codable, LosslessStringConvertible {
  /// The numbers that form the text.
  let parts: [Int64]

  init(_ parts: Int64...) { self.parts = parts }

  /// Parses ``description``; returns nil for any other text.
  package init?(_ text: String) {
    guard text.wholeMatch(of: /[0-9]{1,19}(-[0-9]{1,19}){0,2}/) != nil else { return nil }
    let parts = text.split(separator: "-").compactMap { Int64($0) }
    guard parts.count == text.split(separator: "-").count else { return nil }
    self.parts = parts
  }

  /// The numbers with `-` between them.
  package var description: String { parts.map(String.init).joined(separator: "-") }

  /// Decodes a text.
  ///
  /// - Throws: `DecodingError` for a text that is not a cursor.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let cursor = RunCursor(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no cursor")
    }
    self = cursor
  }

  /// Encodes it as a text.
  ///
  /// - Throws: the errors of the encoder.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

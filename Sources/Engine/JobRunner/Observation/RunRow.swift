package import BatonPostgres

/// The state of a run, as displayed in lists of runs.
package enum RunState: String, Sendable, Codable, CaseIterable {
  /// The run is due and is waiting for a worker.
  case ready
  /// The run is not due yet, because of a debounce, a backoff or a requested time.
  case delayed
  /// A worker is processing the run.
  case running
  /// The run failed permanently and is stored.
  case dead
  /// The run has ended, and its job has a history.
  ///
  /// ``RunRow/outcome`` contains the outcome.
  case ended
}

/// One run in a list of runs.
///
/// Payloads and outputs are omitted, and email addresses in the key and the error are redacted.
package struct RunRow: Sendable, Codable, Hashable {
  /// The run's id.
  ///
  /// A retry keeps the id, unless the run is merged with another run or gets a new payload.
  package let id: Int64
  /// The job's name.
  package let job: String
  /// The run's key, in which `[address]` replaces email addresses.
  package let key: String
  /// The run's state.
  package let state: RunState
  /// The number of attempts so far.
  package let attempt: Int
  /// The run's due time, time of death or end time, depending on the state.
  ///
  /// The time is nil if the run has no due time, because the clock is frozen.
  package let at: Timestamp?
  /// The time of the run's first event, or nil if it is not recorded.
  package let firstEventAt: Timestamp?
  /// The outcome of an ended run (`done`, `dead` or `cancelled`), or nil for any other run.
  package let outcome: String?
  /// The duration of an ended run's last attempt, in seconds.
  package let durationSeconds: Double?
  /// The run's current or last worker, or nil if none is recorded.
  package let worker: String?
  /// The first 500 characters of the last error, in which `[address]` replaces email addresses.
  package let error: String?
}

/// A filter for a list of runs.
package struct RunFilter: Sendable, Hashable {
  /// The state of the runs to select.
  ///
  /// If the state is nil, the filter selects ready, delayed and running runs, ordered by job and
  /// key.
  package var state: RunState?
  /// The job whose runs are selected.
  package var job: String?
  /// The key prefix of the runs to select.
  ///
  /// Email addresses in keys are redacted before the comparison, so a key prefix cannot match an
  /// email address.
  ///
  /// A search for a prefix among ended runs reads only the 10,000 most recent ended runs per job.
  package var key: String?
  /// The group of dead runs to select, as ``DeadGroup/id``.
  package var group: String?
  /// The cursor from ``RunList/next`` of the previous page.
  package var cursor: RunCursor?

  /// Creates a filter for runs in the given state.
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
  /// The runs on the page.
  ///
  /// Waiting runs are sorted by due time. Dead and ended runs are sorted newest first.
  package let runs: [RunRow]
  /// The cursor for the next page, or nil on the last page.
  ///
  /// The next page may contain fewer runs than ``most``, or none at all.
  package let next: RunCursor?
  /// Whether more runs match the filter, although the list has no next page.
  ///
  /// To find the runs that are missing from the list, use a filter with a longer key prefix.
  package let isCut: Bool

  /// The maximum number of runs on a page.
  package static let most = 50
}

/// The position where the next page of runs starts.
///
/// The cursor's string consists of digits and `-`, and contains no personal data.
package struct RunCursor: Sendable, Hashable, Codable, LosslessStringConvertible {
  /// The numbers from which the cursor's string is formed.
  let parts: [Int64]

  /// The strings that the parser accepts, as a regular expression that is valid in Swift and
  /// ECMAScript.
  package static let pattern = "^[0-9]{1,19}(-[0-9]{1,19}){0,2}$"
  /// The maximum length of a string that the parser accepts.
  package static let longest = 3 * 19 + 2

  init(_ parts: Int64...) { self.parts = parts }

  /// Creates a cursor from its string, or returns nil if the string does not match ``pattern``.
  ///
  /// A number that is greater than `Int64.max` is replaced with `Int64.max` and does not cause an
  /// error.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest, let pattern = try? Regex(Self.pattern),
      text.wholeMatch(of: pattern) != nil
    else { return nil }
    parts = text.split(separator: "-").map { Int64($0) ?? .max }
  }

  /// The cursor as a string: its numbers, separated by `-`.
  package var description: String { parts.map(String.init).joined(separator: "-") }

  /// Decodes a cursor from a string.
  ///
  /// - Throws: `DecodingError` if the string is not a cursor.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let cursor = RunCursor(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no cursor")
    }
    self = cursor
  }

  /// Encodes the cursor as a string.
  ///
  /// - Throws: any error that the encoder throws.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

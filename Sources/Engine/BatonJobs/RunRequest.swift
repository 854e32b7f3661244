public import Foundation

/// A run that is asked for: of which job, under which key, with which payload, and when.
///
/// A plain value. `Queue.enqueue` sends it, `Transaction.enqueue` sends it with what else a transaction does, and
/// `sql(in:)` says what another client sends.
public struct RunRequest: Sendable, Equatable {
  /// The job's name.
  public let job: String
  /// What is debounced by: requests of one key that wait are one run; nil: this request is a run of its own.
  public let key: String?
  /// The payload as JSON; nil: none.
  public let payload: String?
  /// When it shall run at the earliest, in domain time; nil: as soon as the job's debounce lets it.
  public let runAt: Date?
  /// 1 goes first, 9 last, and of several requests the most urgent holds; nil: as the job says.
  public let priority: Int?
  /// Whether this takes the place of all that was asked for under the key before it: time, priority and payload.
  public let replaces: Bool

  /// A run of a job by its name.
  public init(
    job: String, key: String? = nil, payload: String? = nil, at runAt: Date? = nil,
    priority: Int? = nil, replacing: Bool = false
  ) {
    self.job = job
    self.key = key
    self.payload = payload
    self.runAt = runAt
    self.priority = priority
    replaces = replacing
  }

  /// A run of a job with this payload, under a key.
  ///
  /// - Throws: `EncodingError` where the payload cannot be written as JSON.
  public init<J: JobPayload>(
    _ payload: J, key: J.Key, at runAt: Date? = nil, priority: Int? = nil,
    replacing: Bool = false
  ) throws {
    self.init(
      job: J.name, key: key.description, payload: try Self.json(payload), at: runAt,
      priority: priority, replacing: replacing)
  }

  /// A run of a job with this payload, of its own: no other request is part of it.
  ///
  /// - Throws: `EncodingError` where the payload cannot be written as JSON.
  public init<J: JobPayload>(
    _ payload: J, at runAt: Date? = nil, priority: Int? = nil
  ) throws where J.Key == String {
    self.init(job: J.name, payload: try Self.json(payload), at: runAt, priority: priority)
  }

  /// Nil for a job without properties: `{}` would be one more payload to keep.
  private static func json<J: JobPayload>(_ payload: J) throws -> String? {
    guard MemoryLayout<J>.size > 0 else { return nil }
    return try payload.json()
  }
}

extension JobPayload {
  /// The payload as JSON that every run of it can be read from.
  ///
  /// - Throws: `EncodingError`.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

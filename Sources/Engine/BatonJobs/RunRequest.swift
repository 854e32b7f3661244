public import Foundation

/// A request to enqueue a run: its job, key, payload and time.
///
/// It is a plain value. `Queue.enqueue` sends it, `Transaction.enqueue` sends it in a transaction with other writes,
/// and `sql(in:)` returns the SQL that another client can send.
///
/// ```swift
/// let request = try RunRequest(SendDigest(language: "en"), key: "user-1")
/// ```
public struct RunRequest: Sendable, Equatable {
  /// The job's name.
  public let job: String
  /// The key: waiting requests of one key are merged into one run; nil: this request is a run of its own.
  public let key: String?
  /// The payload as JSON; nil: none.
  public let payload: String?
  /// The earliest time to run, in domain time; nil: as soon as the job's debounce allows.
  public let runAt: Date?
  /// 1 is the most urgent, 9 the least; of merged requests the most urgent counts; nil: the job's priority.
  public let priority: Int?
  /// Whether it replaces the time, priority and payload of all waiting requests of the key.
  public let replaces: Bool

  /// Creates a request for a job by its name.
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

  /// Creates a request for a run of a job with this payload, under a key.
  ///
  /// - Throws: `EncodingError` if the payload cannot be encoded as JSON.
  public init<J: JobPayload>(
    _ payload: J, key: J.Key, at runAt: Date? = nil, priority: Int? = nil,
    replacing: Bool = false
  ) throws {
    self.init(
      job: J.name, key: key.description, payload: try Self.json(payload), at: runAt,
      priority: priority, replacing: replacing)
  }

  /// Creates a request for a run of its own, which is not merged with other requests.
  ///
  /// - Throws: `EncodingError` if the payload cannot be encoded as JSON.
  public init<J: JobPayload>(
    _ payload: J, at runAt: Date? = nil, priority: Int? = nil
  ) throws where J.Key == String {
    self.init(job: J.name, payload: try Self.json(payload), at: runAt, priority: priority)
  }

  /// Nil for a job without properties, so that the queue does not store `{}` for each run.
  private static func json<J: JobPayload>(_ payload: J) throws -> String? {
    guard MemoryLayout<J>.size > 0 else { return nil }
    return try payload.json()
  }
}

extension JobPayload {
  /// The payload as JSON from which every run can be decoded.
  ///
  /// - Throws: `EncodingError`.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

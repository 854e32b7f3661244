public import Foundation

/// A request to enqueue a run: its job, key, payload and time.
///
/// A request is a plain value. `Queue.enqueue` sends a request in a separate transaction, and
/// `Transaction.enqueue` sends a request in a transaction with other writes. `sql(in:)` returns SQL
/// that any other client can send.
///
/// ```swift
/// let request = try RunRequest(SendDigest(language: "en"), key: "user-1")
/// ```
public struct RunRequest: Sendable, Equatable {
  /// The job's name.
  public let job: String
  /// The key by which pending requests are merged into one run, or nil for a separate run.
  public let key: String?
  /// The payload as JSON, or nil for no payload.
  public let payload: String?
  /// The earliest start time of the run, in domain time, which the `domain_now` SQL function
  /// returns.
  ///
  /// If the value is nil, the run starts as soon as the job's debounce allows.
  public let runAt: Date?
  /// The priority from 1 (most urgent) to 9, or nil for the job's priority.
  ///
  /// If requests are merged, the run gets the most urgent of their priorities.
  public let priority: Int?
  /// Whether the request replaces the time, priority and payload of all pending requests with the
  /// same key.
  public let replaces: Bool

  /// Creates a request for the job with the given name.
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

  /// Creates a request for a run of a job, with the given payload and key.
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

  /// Creates a request for a separate run, which is never merged with other requests.
  ///
  /// - Throws: `EncodingError` if the payload cannot be encoded as JSON.
  public init<J: JobPayload>(
    _ payload: J, at runAt: Date? = nil, priority: Int? = nil
  ) throws where J.Key == String {
    self.init(job: J.name, payload: try Self.json(payload), at: runAt, priority: priority)
  }

  /// Returns the payload as JSON, or nil for a job without properties.
  private static func json<J: JobPayload>(_ payload: J) throws -> String? {
    guard MemoryLayout<J>.size > 0 else { return nil }
    return try payload.json()
  }
}

/// The strings for numbers that JSON cannot represent.
///
/// PostgreSQL writes these strings if a column of a declared table contains NaN or an infinite
/// number.
enum NonFinite {
  static let positive = "Infinity"
  static let negative = "-Infinity"
  static let nan = "NaN"
}

extension JobPayload {
  /// Returns the payload as JSON that the job can decode, even if a property is NaN or infinite.
  ///
  /// - Throws: `EncodingError`.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: NonFinite.positive, negativeInfinity: NonFinite.negative,
      nan: NonFinite.nan)
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

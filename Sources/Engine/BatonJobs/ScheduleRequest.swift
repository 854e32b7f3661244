public import Foundation

/// A request to create a schedule for a job at run time, for example one for each tenant.
///
/// `Transaction.schedule(_:)` sends the request in a transaction with other writes. If a schedule
/// with the same job and name already exists, the request replaces that schedule.
///
/// ```swift
/// let request = try ScheduleRequest(
///   SendReport(tenant: 7), named: "tenant-7", at: .cron("0 6 1 * *", timeZone: "Asia/Tokyo"))
/// ```
public struct ScheduleRequest: Sendable, Equatable {
  /// The times when a schedule fires.
  ///
  /// The enumeration is frozen, because no other case is possible.
  @frozen
  public enum Times: Sendable, Equatable {
    /// A cron expression in a named time zone.
    case cron(String, timeZone: String = "UTC")
    /// The multiples of an interval since 1970-01-01 00:00 UTC.
    case every(Duration)
  }

  /// The job's name.
  public let job: String
  /// The schedule's name: lower-case letters, digits and -.
  public let name: String
  /// The times when the schedule fires.
  public let times: Times
  /// The payload of each run as JSON, or nil for no payload.
  public let payload: String?
  /// The key of all runs, or nil if the key is derived from the schedule's name.
  public let key: String?
  /// The policy for occurrences that did not fire in time.
  public let missed: MissedOccurrences
  /// The last possible time for an occurrence, or nil if the schedule does not end.
  public let until: Date?

  /// Creates a request for a schedule for the job with the given name.
  public init(
    job: String, named name: String, at times: Times, payload: String? = nil, key: String? = nil,
    missed: MissedOccurrences = .once, until: Date? = nil
  ) {
    self.job = job
    self.name = name
    self.times = times
    self.payload = payload
    self.key = key
    self.missed = missed
    self.until = until
  }

  /// Creates a request for a schedule whose runs have the given payload and key.
  ///
  /// - Throws: `EncodingError` if the payload cannot be encoded as JSON.
  public init<J: JobPayload>(
    _ payload: J, named name: String, at times: Times, key: J.Key,
    missed: MissedOccurrences = .once, until: Date? = nil
  ) throws {
    self.init(
      job: J.name, named: name, at: times, payload: try payload.json(), key: key.description,
      missed: missed, until: until)
  }

  /// Creates a request for a schedule whose runs have the given payload.
  ///
  /// The runs' key is `scheduled/NAME`. If `missed` is ``MissedOccurrences/all``, the key consists
  /// of the occurrence's time and the schedule's name.
  ///
  /// - Throws: `EncodingError` if the payload cannot be encoded as JSON.
  public init<J: JobPayload>(
    _ payload: J, named name: String, at times: Times, missed: MissedOccurrences = .once,
    until: Date? = nil
  ) throws where J.Key == String {
    self.init(
      job: J.name, named: name, at: times, payload: try payload.json(), missed: missed,
      until: until)
  }
}

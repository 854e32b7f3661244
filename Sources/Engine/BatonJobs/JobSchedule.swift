/// A job's schedule, together with the payload for its runs.
package struct JobSchedule: Sendable, Hashable {
  /// The name that distinguishes several schedules of a job, or nil for the schedule without a
  /// name.
  package let name: String?
  /// The schedule that determines the occurrences.
  package let schedule: Schedule
  /// The JSON payload of the schedule's runs, or nil if the runs have no payload.
  package let payload: String?

  init(name: String?, schedule: Schedule, payload: String?) {
    precondition(
      payload.map { $0.utf8.count <= 1_000_000 } ?? true,
      "the payload of a schedule has 1 MB at most")
    // Each firing adds a field to the payload.
    precondition(
      payload?.hasPrefix("{") ?? true,
      "the payload of a schedule is a JSON object, such as a structure with properties")
    self.name = name
    self.schedule = schedule
    self.payload = payload
  }

  /// Returns the key of the run that an occurrence creates.
  package func key(of occurrence: Int64) -> String {
    schedule.key(of: occurrence, named: name).description
  }

  /// The key that all occurrences of the schedule share, or nil if each occurrence creates a
  /// separate run.
  package var sharedKey: String? {
    schedule.missed == .all ? nil : ScheduleKey(occurrence: nil, schedule: name).description
  }
}

/// The identity of a schedule, which consists of its job and its name.
package struct ScheduleID: Sendable, Hashable, Comparable, LosslessStringConvertible {
  /// The job's name.
  package let job: String
  /// The schedule's name, or nil for the schedule without a name.
  package let name: String?

  /// Creates the identity of a job's schedule.
  package init(job: String, name: String? = nil) {
    self.job = job
    self.name = name
  }

  /// Parses a string such as `close-week`, or `digest/weekly` for the `digest` job's `weekly`
  /// schedule.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    job = String(parts[0])
    name = parts.count == 2 ? String(parts[1]) : nil
  }

  /// The identity as text that ``init(_:)`` can parse, such as `digest/weekly`.
  package var description: String { name.map { "\(job)/\($0)" } ?? job }

  /// Orders schedules by job and then by name.
  ///
  /// A schedule without a name comes first.
  package static func < (one: ScheduleID, other: ScheduleID) -> Bool {
    (one.job, one.name ?? "") < (other.job, other.name ?? "")
  }
}

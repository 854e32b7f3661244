/// A schedule of a job: its occurrences, and the payload of its runs.
package struct JobSchedule: Sendable, Hashable {
  /// The name that distinguishes it from other schedules of the job; nil for the one without a name.
  package let name: String?
  /// The occurrences.
  package let schedule: Schedule
  /// The payload of its runs as JSON; nil: none.
  package let payload: String?

  /// Created by a job's triggers.
  init(name: String?, schedule: Schedule, payload: String?) {
    self.name = name
    self.schedule = schedule
    self.payload = payload
  }

  /// The key of the run that an occurrence makes.
  package func key(of occurrence: Int64) -> String {
    schedule.key(of: occurrence, named: name).description
  }

  /// The key that all of its occurrences share; nil if each occurrence makes a run.
  package var sharedKey: String? {
    schedule.missed == .all ? nil : ScheduleKey(occurrence: nil, schedule: name).description
  }
}

/// The identity of a schedule: its job and its name.
package struct ScheduleID: Sendable, Hashable, Comparable, LosslessStringConvertible {
  /// The job's name.
  package let job: String
  /// The schedule's name; nil for the one without a name.
  package let name: String?

  /// Creates the id of a schedule of a job.
  package init(job: String, name: String? = nil) {
    self.job = job
    self.name = name
  }

  /// Parses `close-week`, or `digest/weekly` for the schedule `weekly` of the job `digest`.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    job = String(parts[0])
    name = parts.count == 2 ? String(parts[1]) : nil
  }

  /// The text that ``init(_:)`` parses.
  package var description: String { name.map { "\(job)/\($0)" } ?? job }

  /// Sorts by job, then by name; the schedule without a name comes first.
  package static func < (one: ScheduleID, other: ScheduleID) -> Bool {
    (one.job, one.name ?? "") < (other.job, other.name ?? "")
  }
}

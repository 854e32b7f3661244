/// A schedule of a job: when time wakes it, and what its runs carry then.
package struct JobSchedule: Sendable, Hashable {
  /// What tells it from others of the job; nil for the one that has no name.
  package let name: String?
  /// The instants.
  package let schedule: Schedule
  /// The payload of its runs as JSON; nil: none.
  package let payload: String?

  /// Made by a job's triggers.
  init(name: String?, schedule: Schedule, payload: String?) {
    self.name = name
    self.schedule = schedule
    self.payload = payload
  }

  /// The key of the run that an occurrence makes.
  package func key(of occurrence: Int64) -> String {
    schedule.key(of: occurrence, named: name).description
  }

  /// The key that all of its occurrences share; nil where each of them counts.
  package var sharedKey: String? {
    schedule.missed == .all ? nil : ScheduleKey(occurrence: nil, schedule: name).description
  }
}

/// Which schedule: of which job, and which of its schedules.
package struct ScheduleID: Sendable, Hashable, Comparable, LosslessStringConvertible {
  /// The job's name.
  package let job: String
  /// The schedule's; nil for the one that has none.
  package let name: String?

  /// One of a job.
  package init(job: String, name: String? = nil) {
    self.job = job
    self.name = name
  }

  /// `close-week`, or `digest/weekly` for the schedule `weekly` of the job `digest`.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    job = String(parts[0])
    name = parts.count == 2 ? String(parts[1]) : nil
  }

  /// As ``init(_:)`` reads it.
  package var description: String { name.map { "\(job)/\($0)" } ?? job }

  /// By job, then the one without a name first.
  package static func < (one: ScheduleID, other: ScheduleID) -> Bool {
    (one.job, one.name ?? "") < (other.job, other.name ?? "")
  }
}

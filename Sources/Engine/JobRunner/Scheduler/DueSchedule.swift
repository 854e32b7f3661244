import BatonJobs
import BatonPostgres

/// A due schedule whose row is locked.
struct DueSchedule: Sendable {
  let id: ScheduleID
  let stored: StoredSchedule
  let next: Timestamp
  /// The delay in microseconds between the time of an occurrence and its firing.
  let delay: Int64
  let now: Timestamp
  /// The key of the runs, or nil for a key that is derived from the schedule.
  let key: String?
  let until: Timestamp?
  let payloadBytes: Int
}

/// The occurrences of a due schedule that fire now.
struct FiredSchedule: Sendable {
  let id: ScheduleID
  let schedule: Schedule
  let firing: Schedule.Firing
  let now: Timestamp
  /// How much the firing counts towards the maximum cost of a piece.
  let cost: Int
  private let key: String?

  init?(_ due: DueSchedule, _ schedule: Schedule) {
    let (now, until) = (due.now.microseconds, due.until?.floorSeconds)
    let firing = schedule.firing(
      from: due.next.ceilingSeconds, delay: due.delay, at: now, until: until)
    guard let firing else { return nil }
    self.id = due.id
    self.schedule = schedule
    self.firing = firing
    self.now = due.now
    key = due.key
    cost =
      1 + firing.skipped.count + firing.fired.count * (1 + due.payloadBytes / 2048)
  }

  /// Returns the key of the run that an occurrence creates.
  func key(of occurrence: Int64) -> String {
    key ?? schedule.key(of: occurrence, named: id.name).description
  }
}

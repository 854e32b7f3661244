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
  /// Whether `next` is not an occurrence, but the time of the call that created the schedule.
  let isNew: Bool
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
    let firing =
      due.isNew
      ? schedule.firstFiring(
        after: due.next.floorSeconds, delay: due.delay, at: now, until: until)
      : schedule.firing(
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

/// A schedule that will fire.
struct WaitingSchedule: Sendable {
  let id: ScheduleID
  let stored: StoredSchedule
  /// The time at which the schedule fires.
  ///
  /// For a new schedule, the value is the time of the call that created the schedule, plus the
  /// delay.
  let at: Timestamp
  /// The delay in microseconds.
  let delay: Int64
  let isNew: Bool
  let until: Timestamp?

  /// Returns the time when the schedule fires next, or nil for a new schedule without occurrences.
  func fireTime(of schedule: Schedule?) -> Scheduler.FireTime? {
    guard isNew else { return Scheduler.FireTime(id: id, at: at, interval: schedule?.interval) }
    let called = Timestamp(microseconds: at.microseconds - delay).floorSeconds
    guard let schedule, let first = schedule.next(after: called),
      first <= until?.floorSeconds ?? .max
    else { return nil }
    return Scheduler.FireTime(
      id: id, at: Timestamp(microseconds: first * 1_000_000 + delay),
      interval: schedule.interval)
  }
}

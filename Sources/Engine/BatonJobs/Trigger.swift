/// What wakes a job of this type.
public struct Trigger<J: Job>: Sendable {
  /// The topic of the events that wake it, if events do.
  package let topic: Topic?
  /// The table whose writes wake it, if they do.
  package let table: TableTrigger?
  /// When it is woken, if time does it.
  package let schedule: JobSchedule?

  /// An event with this topic, recorded by a table's trigger or by `append_events`; its key is the run's.
  public static func event(_ topic: Topic) -> Trigger { Trigger(topic: topic) }

  /// Writes of a table: `migrate` makes the triggers that record them, and removes them where the job
  /// declares them no longer.
  ///
  /// ```swift
  /// .table("orders", on: .insert, .update(of: "status"), .delete, key: "customer_id")
  /// ```
  /// A NULL key is no event; a key that changes wakes both; an update that changes nothing of what is
  /// watched records nothing. A name that cannot be one of a table or column stops the program.
  ///
  /// - Parameters:
  ///   - name: the table, in the program's schema or with another's name and a dot before it.
  ///   - operations: the writes, each kind once.
  ///   - key: the column whose value is the key of a run.
  ///   - payload: what a run carries of the row.
  public static func table(
    _ name: String, on operations: TableOperation..., key: String, payload: TablePayload = .none
  ) -> Trigger {
    Trigger(table: TableTrigger(name, on: operations, key: key, payload: payload))
  }

  /// The occurrences of a cron expression; ``Schedule/cron(_:timeZone:missed:)`` says what it may be.
  ///
  /// - Parameters:
  ///   - name: tells it from other schedules of the job; one may be without.
  ///   - payload: what each run of the schedule carries; nil: nothing.
  public static func cron(
    _ expression: String, timeZone: String = "UTC", missed: MissedOccurrences = .once,
    named name: String? = nil, payload: J? = nil
  ) -> Trigger {
    schedule(
      .cron(expression, timeZone: timeZone, missed: missed), named: name, payload: payload)
  }

  /// Every so many whole seconds, at the multiples of the interval since 1970-01-01 00:00 UTC.
  ///
  /// - Parameters:
  ///   - name: tells it from other schedules of the job; one may be without.
  ///   - payload: what each run of the schedule carries; nil: nothing.
  public static func every(
    _ interval: Duration, missed: MissedOccurrences = .once, named name: String? = nil,
    payload: J? = nil
  ) -> Trigger {
    schedule(.every(interval, missed: missed), named: name, payload: payload)
  }

  /// A schedule.
  ///
  /// - Parameters:
  ///   - name: tells it from other schedules of the job; one may be without.
  ///   - payload: what each run of the schedule carries; nil: nothing.
  package static func schedule(
    _ schedule: Schedule, named name: String? = nil, payload: J? = nil
  ) -> Trigger {
    Trigger(
      schedule: JobSchedule(name: name, schedule: schedule, payload: payload.map(json)))
  }

  private init(
    topic: Topic? = nil, table: TableTrigger? = nil, schedule: JobSchedule? = nil
  ) {
    self.topic = topic
    self.table = table
    self.schedule = schedule
  }

  /// A value that cannot be encoded is a bug in the job and stops the program.
  private static func json(_ payload: J) -> String {
    do {
      return try payload.json()
    } catch {
      preconditionFailure("the payload of a schedule cannot be encoded: \(error)")
    }
  }
}

/// The kind of an event: a noun and a past participle, for example `parcel.sent`.
public struct Topic: Sendable, Hashable {
  /// As the trigger that records it writes it.
  public let name: String

  /// The queue's own: the event log begins anew, in another cluster.
  ///
  /// Recorded once after the database was restored or moved. Jobs on it make up for events that a dump may lack.
  public static let logRestarted = Topic("log.restarted")

  /// The queue's own: a run is dead.
  ///
  /// The payload is a ``DeadRun`` as `died`, the key its id. Recorded in the transaction in which it dies, if some job is on this topic by then. The death of a job that
  /// is on it is told to nobody.
  public static let runDied = Topic("run.died")

  /// A topic by its name.
  public init(_ name: String) { self.name = name }
}

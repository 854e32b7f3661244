/// What makes runs of a job: an event, a write of a table, or time.
public struct Trigger<J: Job>: Sendable {
  /// The topic of the events that trigger it; nil for other triggers.
  package let topic: Topic?
  /// The table whose writes trigger it; nil for other triggers.
  package let table: TableTrigger?
  /// The schedule that triggers it; nil for other triggers.
  package let schedule: JobSchedule?

  /// An event of this topic, recorded by a table's trigger or by `append_events`; its key is the run's key.
  public static func event(_ topic: Topic) -> Trigger { Trigger(topic: topic) }

  /// Writes of a table.
  ///
  /// `migrate` creates the table's triggers, and drops them when the job no longer declares them.
  ///
  /// ```swift
  /// .table("orders", on: .insert, .update(of: "status"), .delete, key: "customer_id")
  /// ```
  /// A row whose key is NULL makes no event. If an update changes the key, the old and the new key both get an event.
  /// An update that changes no watched column makes no event. An invalid name of a table or column stops the program.
  ///
  /// - Parameters:
  ///   - name: the table, in the program's schema or with the name of another schema and a dot before it.
  ///   - operations: the kinds of writes, each once.
  ///   - key: the column whose value is the key of a run.
  ///   - payload: what a run gets of the row.
  public static func table(
    _ name: String, on operations: TableOperation..., key: String, payload: TablePayload = .none
  ) -> Trigger {
    Trigger(table: TableTrigger(name, on: operations, key: key, payload: payload))
  }

  /// The occurrences of a cron expression in a named time zone.
  ///
  /// ```swift
  /// .cron("0 7 * * mon", timeZone: "Europe/Berlin")
  /// ```
  /// An expression has five fields (minute, hour, day of month, month, day of week) or is `@hourly`, `@daily`,
  /// `@weekly`, `@monthly` or `@yearly`. An invalid expression or time zone is a bug and stops the program.
  ///
  /// - Parameters:
  ///   - missed: what happens to occurrences that were not fired in time.
  ///   - name: distinguishes it from other schedules of the job; one schedule may have no name.
  ///   - payload: the payload of each run of the schedule; nil: none.
  public static func cron(
    _ expression: String, timeZone: String = "UTC", missed: MissedOccurrences = .once,
    named name: String? = nil, payload: J? = nil
  ) -> Trigger {
    schedule(
      .cron(expression, timeZone: timeZone, missed: missed), named: name, payload: payload)
  }

  /// Fires at the multiples of an interval since 1970-01-01 00:00 UTC.
  ///
  /// - Parameters:
  ///   - interval: a whole number of seconds, at least 1; any other interval stops the program.
  ///   - missed: what happens to occurrences that were not fired in time.
  ///   - name: distinguishes it from other schedules of the job; one schedule may have no name.
  ///   - payload: the payload of each run of the schedule; nil: none.
  public static func every(
    _ interval: Duration, missed: MissedOccurrences = .once, named name: String? = nil,
    payload: J? = nil
  ) -> Trigger {
    schedule(.every(interval, missed: missed), named: name, payload: payload)
  }

  /// The occurrences of a schedule.
  ///
  /// - Parameters:
  ///   - name: distinguishes it from other schedules of the job; one schedule may have no name.
  ///   - payload: the payload of each run of the schedule; nil: none.
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

  /// Stops the program if the value cannot be encoded, which is a bug in the job.
  private static func json(_ payload: J) -> String {
    do {
      return try payload.json()
    } catch {
      preconditionFailure("the payload of a schedule cannot be encoded: \(error)")
    }
  }
}

/// The topic of an event: a noun and a past participle, for example `parcel.sent`.
public struct Topic: Sendable, Hashable {
  /// The name that the event log stores.
  public let name: String

  /// An event of the queue itself: the event log started again in another cluster.
  ///
  /// It is recorded once after the database was restored or moved. A job on this topic repairs what events that are
  /// missing in a dump would have triggered.
  public static let logRestarted = Topic("log.restarted")

  /// An event of the queue itself: a run died.
  ///
  /// The payload is a ``DeadRun`` in the field `died`; the key is the run's id. The event is recorded in the
  /// transaction in which the run dies, if a job has this topic at that time. If a run of such a job dies, no event
  /// is recorded.
  public static let runDied = Topic("run.died")

  /// Creates a topic from its name.
  public init(_ name: String) { self.name = name }
}

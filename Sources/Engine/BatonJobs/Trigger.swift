/// A trigger for a job: an event, a write to a table, or a schedule.
public struct Trigger<J: Job>: Sendable {
  /// The topic of the events that trigger the job, or nil for another kind of trigger.
  package let topic: Topic?
  /// The table whose writes trigger the job, or nil for another kind of trigger.
  package let table: TableTrigger?
  /// The schedule that triggers the job, or nil for another kind of trigger.
  package let schedule: JobSchedule?

  /// Returns a trigger for events of the given topic.
  ///
  /// The events' keys become the runs' keys.
  ///
  /// A topic's events are recorded by SQL trigger functions and by callers of `append_events`.
  public static func event(_ topic: Topic) -> Trigger { Trigger(topic: topic) }

  /// Returns a trigger for writes to a table.
  ///
  /// `migrate` creates the table's triggers, and drops the triggers that the job no longer
  /// declares.
  ///
  /// ```swift
  /// .table("orders", on: .insert, .update(of: "status"), .delete, key: "customer_id")
  /// ```
  /// A row whose key is NULL does not create an event. If an update changes the key, an event is
  /// recorded for the old key and for the new key. If an update does not change any watched column,
  /// no event is created. An invalid table or column name stops the program.
  ///
  /// ```swift
  /// .table("invoice", on: .insert, .update, key: "id", when: "status = 'issued'")
  /// ```
  /// If the trigger has a condition, an insert or an update creates an event only if the new row
  /// satisfies the condition. If the trigger has a condition, a delete creates an event only if the
  /// deleted row satisfied the condition. If a row satisfies the condition only after an update,
  /// the update creates an event even if no watched column changes. `migrate` rejects an invalid
  /// condition.
  ///
  /// - Parameters:
  ///   - name: the table's name in the program's schema, or a qualified name such as `shop.orders`.
  ///   - operations: the kinds of writes, without duplicates.
  ///   - key: the column whose value becomes the key of a run.
  ///   - condition: a boolean SQL expression over the columns of one row, or nil for all rows. The
  ///     expression must use only immutable functions and must not contain subqueries.
  ///   - payload: the part of the row that a run gets.
  public static func table(
    _ name: String, on operations: TableOperation..., key: String, when condition: String? = nil,
    payload: TablePayload = .none
  ) -> Trigger {
    Trigger(
      table: TableTrigger(name, on: operations, key: key, when: condition, payload: payload))
  }

  /// Returns a trigger for a cron expression in a named time zone.
  ///
  /// ```swift
  /// .cron("0 7 * * mon", timeZone: "Europe/Berlin")
  /// ```
  /// An expression has five fields: minute, hour, day of month, month and day of week. The
  /// shortcuts `@hourly`, `@daily`, `@weekly`, `@monthly` and `@yearly` are also accepted. An
  /// invalid expression or time zone is a bug and stops the program.
  ///
  /// - Parameters:
  ///   - missed: the policy for occurrences that did not fire in time.
  ///   - name: the name that distinguishes this schedule from the job's other schedules. At most
  ///     one of a job's schedules can be unnamed.
  ///   - payload: the payload of each of the schedule's runs, or nil if the runs have no payload.
  ///     If the payload's JSON is not an object, the program stops.
  public static func cron(
    _ expression: String, timeZone: String = "UTC", missed: MissedOccurrences = .once,
    named name: String? = nil, payload: J? = nil
  ) -> Trigger {
    schedule(
      .cron(expression, timeZone: timeZone, missed: missed), named: name, payload: payload)
  }

  /// Returns a trigger that fires at the multiples of an interval since 1970-01-01 00:00 UTC.
  ///
  /// - Parameters:
  ///   - interval: a whole number of seconds, at least 1. If the interval is shorter than one
  ///     second or not a whole number of seconds, the program stops.
  ///   - missed: the policy for occurrences that did not fire in time.
  ///   - name: the name that distinguishes this schedule from the job's other schedules. At most
  ///     one of a job's schedules can be unnamed.
  ///   - payload: the payload of each of the schedule's runs, or nil if the runs have no payload.
  ///     If the payload's JSON is not an object, the program stops.
  public static func every(
    _ interval: Duration, missed: MissedOccurrences = .once, named name: String? = nil,
    payload: J? = nil
  ) -> Trigger {
    schedule(.every(interval, missed: missed), named: name, payload: payload)
  }

  /// Returns a trigger for the occurrences of a schedule.
  ///
  /// - Parameters:
  ///   - name: the name that distinguishes this schedule from the job's other schedules. At most
  ///     one of a job's schedules can be unnamed.
  ///   - payload: the payload of each of the schedule's runs, or nil if the runs have no payload.
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

  /// Encodes the payload.
  ///
  /// A payload that cannot be encoded is a bug in the job and stops the program.
  private static func json(_ payload: J) -> String {
    do {
      return try payload.json()
    } catch {
      preconditionFailure("the payload of a schedule cannot be encoded: \(error)")
    }
  }
}

/// The topic of an event, named with a noun and a past participle, for example `parcel.sent`.
public struct Topic: Sendable, Hashable {
  /// The name as stored in the event log.
  public let name: String

  /// The topic of the event that the queue records after the database has been restored or moved to
  /// another cluster.
  ///
  /// The event is recorded once after each restoration or move of the database. A restored dump may
  /// lack some events. A job with this trigger should repair the data that depends on missing
  /// events.
  public static let logRestarted = Topic("log.restarted")

  /// The topic of the event that the queue records when a run dies.
  ///
  /// The payload contains a ``DeadRun`` in the `died` field, and the key is the run's id. The event
  /// is recorded in the transaction in which the run dies. No event is recorded if no job
  /// subscribes to this topic, or if the dead run's job subscribes to this topic.
  public static let runDied = Topic("run.died")

  /// Creates a topic from its name.
  public init(_ name: String) { self.name = name }
}

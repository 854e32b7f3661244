import JobRunner

extension Shape {
  /// All that the API answers.
  static let all = common + runs + jobs + server

  private static let common = [
    Shape("Object", [:]),
    Shape("Error", ["error": .text], ["where": .text, "next": .text]),
    Shape("Unread", [:]),
    Shape("Count", ["value": .integer, "isEstimate": .flag]),
    Shape(
      "ActionResult", ["text": .text, "count": .integer],
      [
        "left": .integer, "run": .integer, "occurrences": .list(.instant),
        "changes": .list(.one("TableChange")), "report": .map(.integer), "before": .text,
        "after": .text, "payloads": .list(.text),
      ]),
    Shape(
      "TableChange",
      ["table": .text, "inserted": .integer, "updated": .integer, "deleted": .integer]),
  ]

  private static let runs = [
    Shape(
      "RunList", ["runs": .list(.one("RunRow")), "isCut": .flag], ["next": .text]),
    Shape(
      "RunRow",
      [
        "id": .integer, "job": .text, "key": .text,
        "state": .word(RunState.allCases.map(\.rawValue)), "attempt": .integer,
      ],
      [
        "at": .instant, "firstEventAt": .instant, "outcome": .word(["done", "dead", "cancelled"]),
        "durationSeconds": .number, "worker": .text, "error": .text,
      ]),
    Shape(
      "RunLife",
      [
        "id": .integer, "earlierIds": .list(.integer), "job": .text, "key": .text,
        "state": .word([
          "ready", "running", "dead", "unfolded", "done", "cancelled", "ended",
        ]), "hasPayload": .flag, "attempts": .list(.one("Attempt")),
        "actions": .list(.one("Action")),
      ],
      [
        "attempt": .integer, "priority": .integer, "worker": .text, "error": .text,
        "madeAt": .instant, "lastEventAt": .instant, "due": .instant, "runAt": .instant,
        "backoffUntil": .instant, "cancelRequestedAt": .instant, "diedAt": .instant,
        "endedAt": .instant,
      ]),
    Shape(
      "Attempt",
      [
        "attempt": .integer, "outcome": .word(["failed", "done", "cancelled"]),
        "endedAt": .instant,
      ],
      [
        "run": .integer, "worker": .text, "beganAt": .instant, "error": .text,
        "report": .map(.integer),
      ]),
    Shape("Action", ["at": .instant, "action": .text, "by": .text]),
    Shape(
      "DeadGroups",
      ["groups": .list(.one("DeadGroup")), "dead": .one("Count"), "isSample": .flag]),
    Shape(
      "DeadGroup",
      [
        "id": .text, "job": .text, "error": .text, "count": .integer, "newestAt": .instant,
        "oldestAt": .instant, "newestRun": .integer,
      ]),
  ]

  private static let jobs = [
    Shape("Jobs", ["jobs": .list(.one("JobObservation"))]),
    Shape(
      "JobObservation",
      [
        "name": .text, "isPaused": .flag, "ready": .one("Count"), "running": .one("Count"),
        "delayed": .one("Count"), "dead": .one("Count"), "debounceSeconds": .number,
        "runsDone": .integer, "batchesDone": .integer, "retrying": .one("Count"),
        "failedAttempts": .integer,
      ],
      [
        "oldestDueSeconds": .number, "oldestUnfinishedWriteSeconds": .number,
        "oldestRetriedWriteSeconds": .number, "concurrency": .integer,
      ]),
    Shape("Job", ["job": .one("JobPage")], ["program": .one("JobProgram")]),
    Shape(
      "JobPage",
      [
        "name": .text, "topics": .list(.text), "quietSeconds": .number, "atMostSeconds": .number,
        "keepsHistory": .flag, "needsKey": .flag, "priority": .integer, "limits": .one("Limits"),
        "runsDone": .integer, "batchesDone": .integer, "schedules": .list(.one("ScheduleRow")),
        "ended": .list(.one("RunRow")),
      ],
      [
        "everySeconds": .number, "pausedSince": .instant, "lastRanAt": .instant,
        "durations": .one("Durations"),
      ]),
    Shape(
      "Limits", [:],
      [
        "concurrency": .integer, "groupConcurrency": .integer, "group": .text,
        "startSeconds": .number, "burst": .integer,
      ]),
    Shape(
      "Durations",
      [
        "runs": .integer, "since": .instant, "median": .number, "p90": .number, "p99": .number,
        "longest": .number,
      ]),
    Shape(
      "JobProgram",
      [
        "batch": .integer, "timeoutSeconds": .number, "attempts": .integer,
        "firstWaitSeconds": .number, "longestWaitSeconds": .number, "tables": .list(.text),
        "isEffect": .flag, "limits": .text,
      ], ["role": .text]),
    Shape("Schedules", ["schedules": .list(.one("ScheduleRow"))]),
    Shape(
      "ScheduleRow",
      ["id": .text, "job": .text, "expression": .text, "missed": .text, "delaySeconds": .number],
      [
        "name": .text, "timeZone": .text, "nextAt": .instant, "lastAt": .instant,
        "lastFiredAt": .instant, "pausedSince": .instant,
      ]),
    Shape(
      "SchedulePage",
      [
        "schedule": .one("ScheduleRow"), "now": .instant, "next": .list(.instant),
        "past": .list(.one("Occurrence")),
      ]),
    Shape(
      "Occurrence",
      [
        "at": .instant, "firedAt": .instant,
        "outcome": .word(["fired", "skipped", "backfilled"]),
      ]),
  ]
}

extension Shape {
  /// What is told of the server, and all that health is told from.
  static let server = [
    Shape("Workers", ["workers": .list(.one("Worker"))]),
    Shape(
      "Worker",
      [
        "id": .text, "name": .text, "pid": .integer, "startedSeconds": .number,
        "heartbeatSeconds": .number, "isLost": .flag,
      ]),
    Shape(
      "Status", ["health": .one("Health"), "observation": .one("Observation")],
      ["gauges": .list(.one("Gauge"))]),
    Shape("Health", ["status": .word(["ready", "not ready"]), "checks": .map(.text)]),
    Shape(
      "Gauge", ["name": .text, "help": .text, "value": .number, "next": .text], ["limit": .number]),
    Shape(
      "Observation",
      [
        "at": .instant, "jobs": .list(.one("JobObservation")), "folding": .one("Folding"),
        "schedules": .list(.one("ScheduleObservation")), "workers": .list(.one("Worker")),
        "connections": .one("Connections"), "isOldestTransactionSeen": .flag,
        "tables": .list(.one("TableObservation")),
      ], ["oldestTransaction": .one("Transaction")]),
    Shape(
      "Folding", ["events": .one("Count"), "isOfThisServer": .flag],
      ["oldestUnfoldedSeconds": .number]),
    Shape(
      "ScheduleObservation", ["name": .text, "isPaused": .flag],
      ["next": .instant, "lateSeconds": .number]),
    Shape("Connections", ["used": .integer, "allowed": .integer]),
    Shape(
      "Transaction",
      [
        "seconds": .number, "pid": .integer, "user": .text, "applicationName": .text,
        "state": .text,
      ]),
    Shape(
      "TableObservation",
      [
        "name": .text, "rows": .integer, "bytes": .integer, "deadRows": .integer,
        "inserted": .integer, "deleted": .integer,
      ]),
    Shape(
      "DatabasePage",
      [
        "at": .instant, "version": .text, "bytes": .integer, "segments": .list(.one("Segment")),
        "tables": .list(.one("Table")), "indexes": .list(.one("Index")),
        "waits": .list(.one("LockWait")), "holders": .list(.one("Holder")), "isAllSeen": .flag,
      ]),
    Shape(
      "Segment",
      [
        "number": .integer, "isCurrent": .flag, "rows": .integer, "bytes": .integer,
        "rotatedAt": .instant,
      ]),
    Shape(
      "Table",
      [
        "name": .text, "rows": .integer, "deadRows": .integer, "bytes": .integer,
        "indexBytes": .integer, "totalBytes": .integer,
      ], ["vacuumedAt": .instant]),
    Shape(
      "Index", ["name": .text, "table": .text, "bytes": .integer, "scans": .integer]),
    Shape(
      "LockWait",
      ["pid": .integer, "blockedBy": .list(.integer), "lock": .text, "mode": .text],
      ["seconds": .number, "user": .text, "applicationName": .text]),
    Shape(
      "Holder",
      ["kind": .text, "name": .text, "user": .text, "applicationName": .text, "state": .text],
      ["seconds": .integer]),
  ]
}

import BatonJobs
import Testing

/// The instants at which a schedule fires.
@Suite struct ScheduleTests {
  /// An expression, a zone, the instant of the search, and the next occurrences.
  typealias Line = (String, String, String, [String])

  @Test(arguments: [
    ("0 0 * * 1", "UTC", "2024-05-15T12:00:00Z", ["2024-05-20T00:00:00Z", "2024-05-27T00:00:00Z"]),
    // The next occurrence is strictly after the instant, by at least one second.
    ("0 0 * * 1", "UTC", "2024-05-19T23:59:59Z", ["2024-05-20T00:00:00Z"]),
    ("0 0 * * 1", "UTC", "2024-05-20T00:00:00Z", ["2024-05-27T00:00:00Z"]),
    ("@hourly", "UTC", "2024-12-31T23:30:00Z", ["2025-01-01T00:00:00Z", "2025-01-01T01:00:00Z"]),
    ("@daily", "UTC", "2023-12-31T00:00:00Z", ["2024-01-01T00:00:00Z"]),
    ("@weekly", "UTC", "2024-05-15T12:00:00Z", ["2024-05-19T00:00:00Z"]),
    ("@monthly", "UTC", "2024-01-31T12:00:00Z", ["2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"]),
    ("@yearly", "UTC", "2024-02-29T00:00:00Z", ["2025-01-01T00:00:00Z"]),
    // Leap days, including a century year without a leap day.
    ("0 0 29 2 *", "UTC", "2024-02-29T00:00:00Z", ["2028-02-29T00:00:00Z"]),
    ("0 0 29 2 *", "UTC", "2096-03-01T00:00:00Z", ["2104-02-29T00:00:00Z"]),
    (
      "0 0 31 * *", "UTC", "2024-03-31T00:00:00Z", ["2024-05-31T00:00:00Z", "2024-07-31T00:00:00Z"]
    ),
    // If both kinds of day are restricted, one matching day is sufficient. A star alone restricts
    // nothing.
    (
      "0 0 13 * fri", "UTC", "2024-09-10T00:00:00Z",
      ["2024-09-13T00:00:00Z", "2024-09-20T00:00:00Z"]
    ),
    (
      "0 0 13 9 1", "UTC", "2024-09-03T00:00:00Z", ["2024-09-09T00:00:00Z", "2024-09-13T00:00:00Z"]
    ),
    ("0 0 */10 * mon", "UTC", "2024-05-01T00:00:00Z", ["2024-07-01T00:00:00Z"]),
    // Sunday has two numbers. The expressions also contain ranges, lists, steps and names.
    ("0 12 * * 7", "UTC", "2024-05-15T12:00:00Z", ["2024-05-19T12:00:00Z"]),
    (
      "0 12 * * sat-sun", "UTC", "2024-05-15T12:00:00Z",
      ["2024-05-18T12:00:00Z", "2024-05-19T12:00:00Z"]
    ),
    (
      "5,50-59/5 8 * Jan,feb MON-FRI", "UTC", "2024-02-29T08:51:00Z",
      ["2024-02-29T08:55:00Z", "2025-01-01T08:05:00Z"]
    ),
    // Dates far in the past and in the future.
    ("0 0 1 1 *", "UTC", "1899-06-01T00:00:00Z", ["1900-01-01T00:00:00Z"]),
    ("0 0 1 1 *", "Europe/Berlin", "2399-06-01T00:00:00Z", ["2399-12-31T23:00:00Z"]),
  ])
  func `an expression means these instants`(line: Line) throws {
    try expect(line)
  }

  @Test(arguments: [
    // In New York, 2:00 EST becomes 3:00 EDT on 10 March 2024 at 07:00Z.
    (
      "30 2 * * *", "America/New_York", "2024-03-09T08:00:00Z",
      ["2024-03-10T07:00:00Z", "2024-03-11T06:30:00Z"]
    ),
    // Three skipped times fire once. The time 3:00 is the same instant.
    (
      "0,20,40 2,3 * * *", "America/New_York", "2024-03-10T06:00:00Z",
      ["2024-03-10T07:00:00Z", "2024-03-10T07:20:00Z"]
    ),
    ("0 3 * * *", "America/New_York", "2024-03-10T06:00:00Z", ["2024-03-10T07:00:00Z"]),
    // Hourly and half-hourly expressions follow real time: 3:00 EDT follows 1:30 EST.
    (
      "*/30 * * * *", "America/New_York", "2024-03-10T06:00:00Z",
      ["2024-03-10T06:30:00Z", "2024-03-10T07:00:00Z", "2024-03-10T07:30:00Z"]
    ),
    // On 3 November 2024, 2:00 EDT becomes 1:00 EST at 06:00Z. Clocks show 1:30 at 05:30Z and at
    // 06:30Z.
    (
      "30 1 * * *", "America/New_York", "2024-11-02T12:00:00Z",
      ["2024-11-03T05:30:00Z", "2024-11-04T06:30:00Z"]
    ),
    ("30 1 * * *", "America/New_York", "2024-11-03T06:00:00Z", ["2024-11-04T06:30:00Z"]),
    ("0 2 * * *", "America/New_York", "2024-11-02T12:00:00Z", ["2024-11-03T07:00:00Z"]),
    (
      "30 * * * *", "America/New_York", "2024-11-03T04:30:00Z",
      ["2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z", "2024-11-03T07:30:00Z"]
    ),
    // In Berlin, 2:00 becomes 3:00 on 31 March 2024 at 01:00Z, and 3:00 becomes 2:00 on 27 October
    // at 01:00Z.
    (
      "15 2 * * 0", "Europe/Berlin", "2024-03-25T00:00:00Z",
      ["2024-03-31T01:00:00Z", "2024-04-07T00:15:00Z"]
    ),
    (
      "15 2 * * 0", "Europe/Berlin", "2024-10-21T00:00:00Z",
      ["2024-10-27T00:15:00Z", "2024-11-03T01:15:00Z"]
    ),
    (
      "15 * 27 10 *", "Europe/Berlin", "2024-10-26T23:30:00Z",
      ["2024-10-27T00:15:00Z", "2024-10-27T01:15:00Z", "2024-10-27T02:15:00Z"]
    ),
    // On Lord Howe, clocks change by half an hour. On 6 October 2024, 2:00 becomes 2:30, at 15:30Z
    // of the day before.
    (
      "15 2 * * *", "Australia/Lord_Howe", "2024-10-05T00:00:00Z",
      ["2024-10-05T15:30:00Z", "2024-10-06T15:15:00Z"]
    ),
    // On 7 April 2024, 2:00 becomes 1:30, at 15:00Z of the day before. Clocks show 1:45 at 14:45Z
    // and 15:15Z.
    (
      "45 1 * * *", "Australia/Lord_Howe", "2024-04-06T00:00:00Z",
      ["2024-04-06T14:45:00Z", "2024-04-07T15:15:00Z"]
    ),
    (
      "45 * * * *", "Australia/Lord_Howe", "2024-04-06T14:00:00Z",
      ["2024-04-06T14:45:00Z", "2024-04-06T15:15:00Z", "2024-04-06T16:15:00Z"]
    ),
    // Samoa skipped 30 December 2011.
    (
      "0 12 30 12 *", "Pacific/Apia", "2011-12-29T00:00:00Z",
      ["2011-12-30T10:00:00Z", "2012-12-29T22:00:00Z"]
    ),
    // In Sao Paulo, clocks skipped midnight on 4 November 2018.
    (
      "0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z",
      ["2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"]
    ),
    // The expression fires every hour on one day a year. The search begins long before that day,
    // and must ignore the clock changes in between.
    (
      "0 * 3 11 *", "America/New_York", "2023-11-04T12:00:00Z",
      ["2024-11-03T04:00:00Z", "2024-11-03T05:00:00Z", "2024-11-03T06:00:00Z"]
    ),
  ])
  func `where clocks are set, times keep to the wall and hours to real time`(line: Line) throws {
    try expect(line)
  }

  private func expect(_ line: Line) throws {
    let (expression, zone, after, expected) = line
    let schedule = try Schedule.parse(cron: expression, timeZone: zone, missed: .once)
    let found = schedule.occurrences(
      after: Wall.instant(after), through: .max, limit: expected.count)
    #expect(found.map(Wall.text) == expected, "\(expression) \(zone)")
  }

  @Test func `an interval means its multiples, whoever asks and whenever`() {
    let schedule = Schedule.every(.seconds(30), missed: .once)
    #expect(schedule.next(after: 0) == 30)
    #expect(schedule.next(after: -1) == 0)
    #expect(schedule.next(after: -31) == -30)
    #expect(schedule.occurrences(after: 59, through: 120, limit: 10) == [60, 90, 120])
    #expect(schedule.newest(after: 0, through: 119) == 90)
    #expect(schedule.newest(after: 90, through: 119) == nil)
    #expect(schedule.interval == .seconds(30) && schedule.timeZone == nil)
  }

  @Test func `the newest is the last of all, for a day and for a century`() {
    for expression in ["0 0 * * 1", "*/5 * * * *", "0 0 29 2 *", "30 2 * * *"] {
      let schedule = Schedule.cron(expression, timeZone: "America/New_York", missed: .once)
      let start = Wall.instant("2024-01-01T00:00:00Z")
      for days: Int64 in [0, 1, 3, 70, 800] {
        let end = start + days * 86_400 + 7
        let all = schedule.occurrences(after: start, through: end, limit: .max)
        #expect(schedule.newest(after: start, through: end) == all.last, "\(expression) \(days)")
      }
    }
  }

  @Test func `there is nothing beyond what a database can hold`() {
    let schedule = Schedule.cron("@yearly", missed: .once)
    #expect(schedule.next(after: .max) == nil && schedule.next(after: .min) == nil)
  }

  @Test func `what is stored is what is read`() throws {
    let schedules: [Schedule] = [
      .cron("0  0 * *   mon", timeZone: "Europe/Berlin", missed: .skip),
      .cron("@weekly", missed: .all), .every(.seconds(90), missed: .once),
    ]
    for schedule in schedules {
      let read = try Schedule.parse(
        stored: schedule.expression, timeZone: schedule.timeZone, missed: schedule.missed.rawValue)
      #expect(read == schedule)
    }
    #expect(schedules.map(\.expression) == ["0 0 * * mon", "@weekly", "every 90 s"])
  }

  @Test(arguments: [
    ("", "fields", "0 of 5"), ("* * * *", "fields", "4 of 5"), ("@often", "shortcut", "@weekly"),
    ("61 * * * *", "minute", "61 is not in 0-59"), ("* 24 * * *", "hour", "0-23"),
    ("* * 0 * *", "day of month", "1-31"), ("* * * 13 *", "month", "1-12"),
    ("* * * * 8", "day of week", "0-7"), ("* * * * funday", "day of week", "funday"),
    ("5-1 * * * *", "minute", "backwards"), ("* * * * fri-mon", "day of week", "backwards"),
    ("*/0 * * * *", "minute", "step"), ("5/2 * * * *", "minute", "step"),
    ("1,,2 * * * *", "minute", "missing"), ("-1 * * * *", "minute", "missing"),
    ("+1 * * * *", "minute", "+1"), ("1- * * * *", "minute", "missing"),
    ("0 0 30 2 *", "day of month", "30"), ("0 0 31 4,6,9 *", "day of month", "31"),
    ("99999999999999999999 * * * *", "minute", "99999999999999999999"),
  ])
  func `a bad expression says what is wrong and where`(
    expression: String, place: String, what: String
  ) {
    let error = #expect(throws: MalformedSchedule.self) {
      try Schedule.parse(cron: expression, missed: .once)
    }
    #expect(error?.place == place)
    #expect(error?.what.contains(what) == true, "\(String(describing: error))")
  }

  @Test(arguments: ["Mars/Olympus", "CET", "EST", "+02:00", "", "GMT+5", "America/nowhere"])
  func `a zone is one of the names that say when clocks are set`(zone: String) {
    #expect(throws: MalformedSchedule.self) {
      try Schedule.parse(cron: "@daily", timeZone: zone, missed: .once)
    }
  }
}

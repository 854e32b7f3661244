import BatonJobs
import Testing

/// The check of declared schedules, without a database.
@Suite struct ScheduleTests {
  @Test func `the stored text of a schedule has single spaces`() {
    let schedules: [Schedule] = [
      .cron("0  0 * *   mon", timeZone: "Europe/Berlin", missed: .skip),
      .cron("@weekly", missed: .all), .every(.seconds(90), missed: .once),
    ]
    #expect(schedules.map(\.expression) == ["0 0 * * mon", "@weekly", "every 90 s"])
    #expect(schedules.map(\.timeZone) == ["Europe/Berlin", "UTC", nil])
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

  @Test(arguments: [
    "CET", "EST", "+02:00", "", "GMT+5", "Europe", "../etc/passwd",
    "Europe/../../../etc/passwd", "right/Europe/Berlin", "posix/Europe/Berlin", "/Europe/Berlin",
    "Europe/", "Europe//Berlin", "Europe/Berlin\0", "Europe/Zürich", "Etc/5",
  ])
  func `a text without the form of a zone's name is refused`(zone: String) {
    #expect(throws: MalformedSchedule.self) {
      try Schedule.parse(cron: "@daily", timeZone: zone, missed: .once)
    }
  }

  @Test(arguments: ["UTC", "Etc/UTC", "Europe/Berlin", "America/Argentina/Ushuaia", "Etc/GMT+5"])
  func `a zone's name is accepted without the zone's rules`(zone: String) throws {
    let schedule = try Schedule.parse(cron: "@daily", timeZone: zone, missed: .once)
    #expect(schedule.timeZone == zone)
  }
}

import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Arguments that the SQL function `schedule` refuses, with the reason.
@Suite(.timeLimit(.minutes(5))) struct ScheduleCallTests {
  private struct Bad {
    let arguments: String
    let state: SQLState
    let what: String

    init(_ arguments: String, _ state: SQLState, _ what: String) {
      (self.arguments, self.state, self.what) = (arguments, state, what)
    }
  }

  private static let hour = "every => '1 hour'"

  private static let bad = [
    Bad("'nobody', 'a', \(hour)", "ZB005", "there is no job 'nobody'"),
    Bad("'report', 'A', \(hour)", "ZB017", "the name of a schedule has 1 to 63 lower-case letters"),
    Bad("'report', null, \(hour)", "ZB017", "the name of a schedule"),
    Bad("'report', repeat('a', 64), \(hour)", "ZB017", "the name of a schedule"),
    Bad("'report', 'a'", "ZB017", "a schedule has either a cron expression or an interval"),
    Bad("'report', 'a', cron => '@daily', \(hour)", "ZB017", "a schedule has either"),
    Bad(
      "'report', 'a', cron => '61 * * * *'", "ZB017",
      "the cron expression '61 * * * *' is invalid: minute: 61 is not in 0-59"),
    Bad("'report', 'a', cron => '0 0 30 2 *'", "ZB017", "no month of '2' has a day of '30'"),
    Bad("'report', 'a', cron => repeat('0', 3000)", "ZB017", "there are more than 1000 bytes"),
    Bad(
      "'report', 'a', cron => '@daily', time_zone => 'Mars/Olympus'", "ZB017",
      "there is no time zone 'Mars/Olympus'"),
    Bad("'report', 'a', cron => '@daily', time_zone => 'CET'", "ZB017", "no time zone 'CET'"),
    Bad(
      "'report', 'a', cron => '@daily', time_zone => 'right/Asia/Tokyo'", "ZB017", "no time zone"),
    Bad(
      "'report', 'a', cron => '@daily', time_zone => '../etc/passwd'", "ZB017", "no time zone"),
    Bad("'report', 'a', \(hour), time_zone => 'UTC'", "ZB017", "an interval has no time zone"),
    Bad("'report', 'a', every => '0.5 s'", "ZB017", "an interval is whole seconds"),
    Bad("'report', 'a', every => '1 month'", "ZB017", "an interval is whole seconds"),
    Bad("'report', 'a', every => '-1 day'", "ZB017", "an interval is whole seconds"),
    Bad("'report', 'a', every => '3651 days'", "ZB017", "an interval is whole seconds"),
    Bad("'report', 'a', \(hour), missed => 'never'", "ZB017", "skip, once or all, not 'never'"),
    Bad("'report', 'a', \(hour), missed => null", "ZB017", "skip, once or all, not NULL"),
    Bad("'report', 'a', \(hour), payload => '[1]'", "ZB017", "is a JSON object, not array"),
    Bad("'report', 'a', \(hour), payload => 'null'", "ZB017", "is a JSON object, not null"),
    Bad("'report', 'a', \(hour), until => '2020-01-01Z'", "ZB017", "a schedule ends after now"),
    Bad("'report', 'a', \(hour), until => 'infinity'", "ZB017", "a schedule ends after now"),
    Bad("'report', 'a', \(hour), key => ''", "ZB006", "a key has 1 to 256 bytes"),
    Bad("'report', 'a', \(hour), key => e'a\\nb'", "ZB006", "a key has 1 to 256 bytes"),
    Bad("'numbered', 'a', \(hour)", "ZB006", "this job reads its keys"),
    Bad(
      "'report', 'a', \(hour), payload => jsonb_build_object('x', repeat(md5('x'), 32768))",
      "ZB007",
      "a payload has at most 1 MiB"),
  ]

  @Test func `a bad schedule is refused in the caller's transaction, with three parts`()
    async throws
  {
    let jobs = [TimedJob<TenantReport>.registered, RegisteredJob(Numbered.self) { $0 }]
    try await JobTest.noting(jobs) { test in
      for bad in Self.bad {
        let error = await #expect(throws: PostgresError.self, "\(bad.arguments)") {
          try await test.sql("select schedule(\(bad.arguments))")
        }
        let message = error?.message ?? ""
        #expect(error?.sqlState == bad.state, "\(bad.arguments)")
        #expect(message.contains(bad.what), "\(bad.arguments): \(message)")
        #expect(error?.hint?.hasPrefix("Nothing was ") == true, "\(bad.arguments)")
        // The error names the schedule or the unknown job.
        #expect(message.contains("in the schedule") || bad.state == "ZB005", "\(message)")
        #expect(message.utf8.count < 700)
      }
      let stored = try await test.count("schedule")
      #expect(stored == 0)
    }
  }

  @Test func `a caller needs only the rights to call the functions`() async throws {
    try await JobTest.noting([TimedJob<TenantReport>.registered]) { test in
      let role = "\(test.schema.name)_tenants"
      try await test.sql("create role \(role)")
      let connection = try await test.connect()
      func asTenants(_ statement: String) async throws {
        try await connection.script(
          Statement(
            "test/as",
            "begin; set local role \(role); set local search_path to \(test.schema.name); "
              + "\(statement); commit"))
      }
      let call = "select schedule('report', 'a', every => '1 hour')"
      await #expect(throws: PostgresError.self) { try await asTenants(call) }
      try await connection.script(Statement("test/end", "rollback"))
      try await test.sql("grant usage on schema \(test.schema.name) to \(role)")
      try await test.sql("grant execute on function schedule to \(role)")
      try await asTenants(call)
      #expect(try await test.count("schedule where source = 'sql'") == 1)
      await connection.close()
      try await test.sql("drop owned by \(role)")
      try await test.sql("drop role \(role)")
    }
  }

  @Test func `a schedule is made, paused, resumed and removed in Swift`() async throws {
    try await JobTest.noting([TimedJob<TenantReport>.registered]) { test in
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      let until = Date(timeIntervalSinceNow: 86_400)
      try await session.transaction { transaction in
        try await transaction.schedule(
          ScheduleRequest(
            job: "report", named: "a", at: .every(.seconds(90)), payload: "{\"n\": 1}", key: "k",
            missed: .skip, until: until))
        try await transaction.pauseSchedule("a", ofJob: "report")
      }
      let stored =
        "select expression || missed || key || payload || (paused_at is not null) from schedule"
      #expect(try await test.sql(stored) == [#""every 90 sskipk{""n"": 1}true""#])
      await #expect(throws: PostgresError.self) {
        try await session.transaction { transaction in
          try await transaction.schedule(
            ScheduleRequest(job: "report", named: "a", at: .every(.milliseconds(1500))))
        }
      }
      try await session.transaction { transaction in
        try await transaction.resumeSchedule("a", ofJob: "report")
      }
      #expect(try await test.count("schedule where paused_at is null") == 1)
      let existed = try await session.transaction { transaction in
        let first = try await transaction.removeSchedule("a", ofJob: "report")
        return (first, try await transaction.removeSchedule("a", ofJob: "report"))
      }
      #expect(existed == (true, false))
      await connection.close()
    }
  }

  /// Both implementations check thousands of random expressions.
  ///
  /// Most of these expressions are almost valid.
  @Test func `SQL and Swift accept the same cron expressions, for the same reasons`() async throws {
    let random = Randomness()
    let expressions = (0..<3_000).map { _ in Self.expression(random) }
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let faults = try await connection.atomically(
        in: test.schema,
        .rows(
          Statement(
            "test/faults",
            "select coalesce(cron_fault(e), '') from unnest($1::text[]) with ordinality u (e, n) order by n"
          ),
          expressions, as: String.self))
      var valid = 0
      for (expression, fault) in zip(expressions, faults) {
        #expect(fault == Self.faultInSwift(expression) ?? "", "'\(expression)'")
        if fault.isEmpty { valid += 1 }
      }
      #expect((300...2_700).contains(valid), "\(valid) of 3000 are valid")
      await connection.close()
    }
  }

  private static func faultInSwift(_ expression: String) -> String? {
    do throws(MalformedSchedule) {
      _ = try Schedule.parse(cron: expression, missed: .once)
      return nil
    } catch {
      return "\(error.place): \(error.what)"
    }
  }

  private static func expression(_ random: Randomness) -> String {
    func pick(_ choices: [String]) -> String { choices[random.number(in: 0..<choices.count)] }
    if random.number(in: 0..<20) == 0 {
      return pick(["@daily", "@WEEKLY", "@never", "", "@", " @hourly "])
    }
    let fields = random.number(in: 0..<30) == 0 ? random.number(in: 0...7) : 5
    let bounds = [59, 23, 31, 12, 7, 9, 9]
    let names = [[], [], [], ["jan", "Dec", "feb"], ["sun", "FRI", "mon"], [], []]
    func value(_ field: Int) -> String {
      if random.number(in: 0..<40) == 0 {
        return pick(["", "x", "99", "12345", "007", "1.5", "feb", "é"])
      }
      if !names[field].isEmpty, random.number(in: 0..<4) == 0 { return pick(names[field]) }
      return "\(random.number(in: (field == 2 || field == 3 ? 1 : 0)...bounds[field]))"
    }
    func item(_ field: Int) -> String {
      let base =
        switch random.number(in: 0..<10) {
        case 0..<4: "*"
        case 4..<6: "\(value(field))-\(value(field))"
        default: value(field)
        }
      guard random.number(in: 0..<8) == 0 else { return base }
      return base + "/" + pick(["2", "5", "0", "x", "", "70", "1/2", "0003"])
    }
    return (0..<fields).map { field in
      (0..<(random.number(in: 0..<4) == 0 ? 2 : 1)).map { _ in item(field) }.joined(separator: ",")
    }.joined(separator: pick([" ", "  ", "\t"]))
  }
}

/// A job whose keys are numbers.
private struct Numbered: BatchJob {
  static let definition = Definition<Self>("numbered")

  typealias Key = Int64

  static func run(_ batch: [Run<Self>], in transaction: Transaction) async throws {}
}

import Foundation
import TestSupport
import Testing

/// SIGKILL at each network call of a close and of a purge, with no worker to take over: the next
/// call of the same command does the rest, once.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: Strace.isInstalled, "needs strace"))
struct WeekKilledTests {
  /// Calls that only connect and look at the schema and the schedules: nothing is begun yet.
  private static let first = 12

  @Test(arguments: ["sendto", "recvfrom"])
  func `a close killed anywhere is finished by the next one, and told once`(
    call: String
  ) async throws {
    try await TestSchema.with { schema in
      let due = DueWeeks(schema: schema)
      var kills = 0
      var inWork = 0
      while true {
        let number = Self.first + kills
        try await due.make("k\(kills)g", groups: 2, members: 2, weeks: [1, 2])
        let wasKilled = try await Strace.kill(
          at: call, number: number, schema.baton, ["run", "close-week"])
        if try await schema.sql("select count(*) from run where state = 'running'") == ["1"] {
          inWork += 1
        }
        try await schema.baton.succeed("run", "close-week")
        try await due.expectClosedOnce()
        let left = try await schema.sql(
          "select (select count(*) from run), (select count(*) from dead_run), (select count(*) from week_notice)"
        )
        #expect(left == ["0,0,\(4 * (kills + 1))"], "killed at \(call) \(number)")
        guard wasKilled else { break }
        kills += 1
      }
      print("close-week: killed at each of \(kills) points of \(call), \(inWork) in the work")
      #expect(inWork > 3)
    }
  }

  @Test(arguments: ["sendto", "recvfrom"])
  func `a purge killed anywhere is complete after the next one`(call: String) async throws {
    try await TestSchema.with { schema in
      let due = DueWeeks(schema: schema)
      var kills = 0
      var inWork = 0
      while true {
        let number = Self.first + kills
        try await due.make("k\(kills)g", groups: 1, members: 2, weeks: [14, 15])
        try await schema.baton.succeed("run", "close-week")
        try await WeekCronTests.addOldRows(schema)
        let wasKilled = try await Strace.kill(
          at: call, number: number, schema.baton, ["run", "retention"])
        if try await schema.sql("select count(*) from run where state = 'running'") == ["1"] {
          inWork += 1
        }
        try await schema.baton.succeed("run", "retention")
        try await WeekCronTests.expectNothingOld(schema)
        #expect(try await schema.sql("select count(*) from run") == ["0"])
        guard wasKilled else { break }
        kills += 1
      }
      print("retention: killed at each of \(kills) points of \(call), \(inWork) in the work")
      #expect(inWork > 3)
    }
  }
}

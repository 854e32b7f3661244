import Foundation
import TestSupport
import Testing

/// Tests SIGKILL at one message after another of closing and purging, without another worker.
///
/// The next call of the same command completes the rest, once.
@Suite(.timeLimit(.minutes(10)))
struct WeekKilledTests {
  @Test(.sampled(), arguments: Randomness.sample(1, of: MessageCounter.Side.allCases))
  func `a close killed anywhere is finished by the next one, and told once`(
    side: MessageCounter.Side
  ) async throws {
    try await TestSchema.with { schema in
      let due = DueWeeks(schema: schema)
      var groups = 0
      func prepare() async throws {
        groups += 1
        try await due.make("k\(groups)g", groups: 2, members: 2, weeks: [1, 2])
      }
      try await sweep("close-week", side, schema, prepare: prepare) { comment in
        try await due.expectClosedOnce()
        let left = try await schema.sql(
          """
          select (select count(*) from run), (select count(*) from dead_run),
            (select count(*) from closed_week)
          """)
        #expect(left == ["0,0,\(4 * groups)"], "\(comment)")
      }
    }
  }

  @Test(.sampled(), arguments: Randomness.sample(1, of: MessageCounter.Side.allCases))
  func `a purge killed anywhere is complete after the next one`(
    side: MessageCounter.Side
  ) async throws {
    try await TestSchema.with { schema in
      let due = DueWeeks(schema: schema)
      var groups = 0
      func prepare() async throws {
        groups += 1
        try await due.make("k\(groups)g", groups: 1, members: 2, weeks: [14, 15])
        try await schema.gymrats.succeed("run", "close-week")
        try await WeekCronTests.addOldRows(schema)
      }
      try await sweep("retention", side, schema, prepare: prepare) { comment in
        try await WeekCronTests.expectNothingOld(schema)
        #expect(try await schema.sql("select count(*) from run") == ["0"], "\(comment)")
      }
    }
  }

  /// Kills `gymrats run` of a job at one message after another, and lets it end after each kill.
  private func sweep(
    _ job: String, _ side: MessageCounter.Side, _ schema: TestSchema,
    prepare: () async throws -> Void, expectDone: (String) async throws -> Void
  ) async throws {
    let command = try await KilledCommand("run", job, in: schema)
    defer { command.close() }
    try await prepare()
    let total = try await command.run(side).heard.count
    try await expectDone("without a kill")
    var inWork = 0
    let points = KilledCommand.points(of: total, most: 4)
    for number in points {
      try await prepare()
      let life = try await command.run(killedAt: number, side)
      if try await schema.sql("select count(*) from run where state = 'running'") == ["1"] {
        inWork += 1
      }
      try await schema.gymrats.succeed("run", job)
      try await expectDone("killed at \(side) \(number), \(life.killedAt ?? "its end")")
    }
    print("\(job): killed at \(points.count) of \(total) points, \(side), \(inWork) in the work")
    // Four of a hundred points may all be before or after the job's work.
    #expect(points.count < total || inWork * 5 >= points.count)
  }
}

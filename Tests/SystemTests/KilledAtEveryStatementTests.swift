import Foundation
import TestSupport
import Testing

/// The executable, killed at each of its network calls in turn, and then run again.
///
/// strace sends the SIGKILL at the k-th call, so every point between two statements is tried, and
/// with `recvfrom` every point where the server has done a statement and nobody read its answer.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: Strace.isInstalled, "needs strace"))
struct KilledAtEveryStatementTests {
  @Test(arguments: ["sendto", "recvfrom"])
  func `a worker killed anywhere loses nothing and publishes nothing twice`(
    call: String
  ) async throws {
    try await TestSchema.with { schema in
      let people = People(schema)
      for user in ["u1", "u2"] { try await people.join(user, group: "g") }
      var kills = 0
      while true {
        let round = kills + 1
        for user in ["u1", "u2"] {
          #expect(try await people.record(user, "w\(round)") == "accepted")
        }
        let wasKilled = try await Strace.kill(
          at: call, number: round, schema.baton, ["worker", "--until-idle", "--concurrency", "1"])
        try await schema.baton.succeed("worker", "--until-idle")
        #expect(try await people.published("u1") == round, "killed at \(call) \(round)")
        #expect(try await people.published("u2") == round, "killed at \(call) \(round)")
        let left = try await schema.sql(
          "select (select count(*) from run), (select count(*) from dead_run)")
        #expect(left == ["0,0"], "killed at \(call) \(round)")
        guard wasKilled else { break }
        kills += 1
      }
      print("worker: killed at each of \(kills) points of \(call)")
      #expect(kills > 8)
    }
  }

  /// At each call of the start and of the first migrations, and then at one in seven: a migration has
  /// five or six, so that all of them have their turn.
  @Test(arguments: ["sendto", "recvfrom"])
  func `a migrator killed anywhere is simply run again`(call: String) async throws {
    var (point, kills) = (1, 0)
    while true {
      let wasKilled = try await TestSchema.with(migrated: false) { schema in
        let wasKilled = try await Strace.kill(at: call, number: point, schema.baton, ["migrate"])
        try await schema.baton.succeed("migrate")
        #expect(try await schema.baton.succeed("check").contains("agree"), "\(call) \(point)")
        return wasKilled
      }
      guard wasKilled else { break }
      kills += 1
      point += point < 24 ? 1 : 7
    }
    print("migrate: killed at \(kills) of \(point - 7) points of \(call)")
    #expect(kills > 24)
  }
}

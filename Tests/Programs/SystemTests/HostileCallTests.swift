import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests attackers that call every function with hostile arguments.
///
/// The attackers must read no secret of another group, and change no row of that group.
@Suite(.timeLimit(.minutes(10))) struct HostileCallTests {
  /// Errors of PostgreSQL that are mistakes of the function itself.
  ///
  /// These are internal errors, wrong names and types, violated constraints, and calls that do not
  /// end.
  private static var faults: Regex<(Substring, Substring)> {
    /(XX|42[^5]|23|21|25|57|53|54|58|P0|0A)/
  }

  private let calls = TestSize.isFull ? 200 : 3

  /// Lets attackers call all functions, and checks the results.
  ///
  /// - Returns: the number of calls that were not refused for missing rights.
  private func attack(
    _ place: HostileCalls, _ attackers: [HostileCalls.Attacker], seed: UInt64 = .random(in: 0...999)
  ) async throws -> Int {
    print("calls of seed \(seed)")
    let before = try await place.digests()
    var reached = 0
    for (number, attacker) in attackers.enumerated() {
      let drawn = try await place.draw(
        calls, seed: Double((seed + UInt64(number)) % 1_000) / 1_000)
      let answers = try await place.answers(to: drawn, of: attacker)
      #expect(answers.count == drawn.count)
      for (call, answer) in zip(drawn, answers) {
        let state = answer.dropFirst(call.name.count + 1).prefix(5)
        // A login without rights on the schema finds neither its functions nor its types.
        if state == "42501" || (attacker.role == nil && state.hasPrefix("42")) { continue }
        reached += 1
        let line = "\(attacker), seed \(seed): \(call.statement.prefix(600)): \(answer.prefix(600))"
        #expect(state.prefixMatch(of: Self.faults) == nil, "\(line)")
        #expect(!place.secrets.contains { answer.contains($0) }, "\(line)")
      }
    }
    let after = try await place.digests()
    #expect(after == before)
    // The victims have rows in several tables, so the comparison is not empty.
    #expect(before.count { !$0.hasSuffix(" 0") } > 5)
    return reached
  }

  @Test func `nobody reaches another group of GymRats`() async throws {
    let matrix = try await AccessMatrix.make()
    let (place, people) = (matrix.place, matrix.people)
    let victim = try #require(people["admin of another group"])
    try await place.run(
      "update groups set name = 'Zebra group' where id = 'late'",
      "update users set display_name = 'Zebra name', email = 'zebra@mail.test' where id = '\(victim)'"
    )
    let known = people.values.filter { $0 != victim }.sorted() + ["early", "w1"]
    let boards = try await place.rows("select id::text from challenge where group_id = 'late'")
    let hostile = HostileCalls(
      place: place, secrets: ["Zebra", "zebra@"], victims: [victim, "late"] + boards,
      known: known
        + (try await place.rows("select id::text from challenge where group_id = 'early'")))
    let users = AccessMatrix.names.filter { people[$0] != nil && people[$0] != victim }
    let attackers =
      users.map { HostileCalls.Attacker(login: "authenticator", role: "user", user: people[$0]) }
      + [
        HostileCalls.Attacker(login: "authenticator", role: "anon"),
        HostileCalls.Attacker(login: "authenticator", role: "user"),
        HostileCalls.Attacker(login: "authenticator"),
      ]
    #expect(try await attack(hostile, attackers) > 20 * calls)
  }

  @Test func `nobody reaches another group of Who's There`() async throws {
    let place = try await RolePlace.make(
      "there", executable: try BatonProgram.path(of: "whosthere"))
    try await place.run("update schedule set paused_at = now()")
    func call(_ text: String) async throws -> String {
      try await place.rows("select (\(text))::text", as: "postgres").first ?? ""
    }
    var people: [String] = []
    for name in ["Ben", "Pia", "Dan", "Zebra name"] {
      people.append(try await call("select id from sign_in('apple', '\(name)', '\(name)')"))
    }
    let park = #"{"type":"circle","center":{"latitude":52.5,"longitude":13.4},"radius":100}"#
    for (actor, group, name) in [(people[0], "early", "Early"), (people[3], "late", "Zebra group")]
    {
      _ = try await call(
        "create_group('\(actor)', '\(group)', '\(name)', '\(park)', 'UTC', \(group == "early"))")
      _ = try await call("send_message('\(actor)', '\(group)', gen_random_uuid(), 'In \(name)')")
      _ = try await call(
        "check_in('\(actor)', gen_random_uuid(), '\(group)', 'manual', 'phone', now())")
    }
    for user in people[1...2] {
      _ = try await call("join_public_group('\(user)', 'early')")
    }
    _ = try await call("remove_member('\(people[0])', 'early', '\(people[2])')")
    let hostile = HostileCalls(
      place: place, secrets: ["Zebra"],
      victims: [people[3], "late"]
        + (try await place.rows("select id::text from message where group_id = 'late'")),
      known: people[..<3] + ["early", park])
    let attackers =
      people[..<3].map { HostileCalls.Attacker(login: "authenticator", role: "user", user: $0) } + [
        HostileCalls.Attacker(login: "authenticator", role: "anon"),
        HostileCalls.Attacker(login: "authenticator", role: "user"),
        HostileCalls.Attacker(login: "authenticator"),
      ]
    #expect(try await attack(hostile, attackers) > 20 * calls)
  }

  @Test func `the roles of programs get no internal error`() async throws {
    let matrix = try await AccessMatrix.make()
    let hostile = HostileCalls(
      place: matrix.place, secrets: [], victims: ["late"],
      known: matrix.people.values.sorted() + ["early", "recompute-ranks"])
    for login in ["api", "dashboard", "operator"] {
      let drawn = try await hostile.draw(calls, seed: .random(in: 0...1))
      let answers = try await hostile.answers(to: drawn, of: HostileCalls.Attacker(login: login))
      for (call, answer) in zip(drawn, answers) {
        let state = answer.dropFirst(call.name.count + 1).prefix(2)
        #expect(
          !["XX", "53", "57", "58"].contains(state),
          "\(login): \(call.statement.prefix(600)): \(answer.prefix(600))")
      }
    }
  }
}

import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests each role with every function and every table, with hostile arguments.
///
/// Attackers must read no secret of another group, and change no row of that group. The roles of
/// programs must get no internal error. The functions and tables of the engine are in the schema of
/// each product. The tests print the numbers of statements.
@Suite(.timeLimit(.minutes(10))) struct HostileCallTests {
  /// Errors of PostgreSQL that are mistakes of the function itself.
  ///
  /// These are internal errors, wrong names and types, violated constraints, and calls that do not
  /// end.
  private static var faults: Regex<(Substring, Substring)> {
    /(XX|42[^5]|23|21|25|57|53|54|58|P0|0A)/
  }

  /// The states with which a statement on a table is refused: no right, no such table for a login
  /// without rights on the schema, and a view that cannot be changed.
  private static let refusals: Set = ["42501", "42P01", "3F000", "55000", "0A000", "428C9"]

  private let calls = TestSize.isFull ? 200 : 1
  /// The maximum number of statements on tables for each attacker, or nil for all.
  private let most: Int? = TestSize.isFull ? nil : 60

  /// Creates a login that may only connect, like every login of the server.
  private func makeOutsider(_ place: RolePlace) async throws {
    try await RoleServer.administer("create role \(place.role("outsider")) login")
  }

  /// Returns a sample of the attackers: two of the users, and two attackers without a user.
  private func attackers(speakingFor users: [String]) -> [HostileCalls.Attacker] {
    Randomness.sample(
      2,
      of: users.map { HostileCalls.Attacker(login: "authenticator", role: "user", user: $0) })
      + Randomness.sample(
        2,
        of: [
          HostileCalls.Attacker(login: "authenticator", role: "anon"),
          HostileCalls.Attacker(login: "authenticator", role: "user"),
          HostileCalls.Attacker(login: "authenticator"), HostileCalls.Attacker(login: "outsider"),
        ])
  }

  /// A sample of the programs' logins.
  private var programs: [HostileCalls.Attacker] {
    Randomness.sample(2, of: ["api", "dashboard", "operator", "worker", "migrator"]).map {
      HostileCalls.Attacker(login: $0)
    }
  }

  /// Lets attackers execute statements on tables, and call all functions, and checks the results.
  ///
  /// - Returns: the number of calls that were not refused for missing rights.
  private func attack(
    _ place: HostileCalls, _ attackers: [HostileCalls.Attacker]
  ) async throws -> Int {
    let seed = Randomness().number(in: 0...999)
    let before = try await place.digests()
    var (reached, count) = (0, 0)
    for (number, attacker) in attackers.enumerated() {
      let drawSeed = Double((seed + number) % 1_000) / 1_000
      let drawn =
        try await place.drawTables(most, seed: drawSeed)
        + place.draw(calls, seed: drawSeed)
      let answers = try await place.answers(to: drawn, of: attacker, seed: drawSeed)
      #expect(answers.count == drawn.count)
      count += drawn.count
      for (call, answer) in zip(drawn, answers) {
        let state = answer.dropFirst(call.name.count + 1).prefix(5)
        let line = "\(attacker), seed \(seed): \(call.statement.prefix(600)): \(answer.prefix(600))"
        #expect(!place.secrets.contains { answer.contains($0) }, "\(line)")
        if let kind = call.tableKind {
          // In a condition, a value can also violate the type of its column.
          let isRead = kind == .read && ["00000", "23514"].contains(state)
          let isRefused = Self.refusals.contains(String(state))
          #expect(isRefused || attacker.isUser && isRead, "\(line)")
          continue
        }
        // A login without rights on the schema finds neither its functions nor its types.
        if state == "42501" || (attacker.role == nil && state.hasPrefix("42")) { continue }
        reached += 1
        #expect(state.prefixMatch(of: Self.faults) == nil, "\(line)")
      }
    }
    print("hostile statements of \(attackers.count) attackers: \(count), seed \(seed)")
    let after = try await place.digests()
    #expect(after == before)
    // The victims have rows in several tables, so the comparison is not empty.
    #expect(before.count { !$0.hasSuffix(" 0") } > 5)
    return reached
  }

  /// Lets the roles of programs, which act for all users, execute the same statements.
  ///
  /// No role gets an internal error or acts as the owner of a table. The API and the migrator have
  /// no rights on tables, except that the migrator reads whether the schema has roles.
  private func expectNoInternalErrors(
    _ place: HostileCalls, _ programs: [HostileCalls.Attacker]
  ) async throws {
    let seed = Randomness().number(in: 0...999)
    var count = 0
    for (number, program) in programs.enumerated() {
      let drawSeed = Double((seed + number) % 1_000) / 1_000
      let drawn =
        try await place.drawTables(most, seed: drawSeed)
        + place.draw(max(calls / 4, 3), seed: drawSeed)
      let answers = try await place.answers(to: drawn, of: program, seed: drawSeed)
      #expect(answers.count == drawn.count)
      count += drawn.count
      let mayUseTables = !["api", "migrator"].contains(program.login)
      for (call, answer) in zip(drawn, answers) {
        let state = String(answer.dropFirst(call.name.count + 1).prefix(5))
        let line = "\(program), seed \(seed): \(call.statement.prefix(600)): \(answer.prefix(600))"
        #expect(!["XX", "53", "57", "58"].contains(state.prefix(2)), "\(line)")
        guard let kind = call.tableKind, kind == .own || !mayUseTables else { continue }
        let isOwnTable = program.login == "migrator" && call.name == "table access read"
        #expect(Self.refusals.contains(state) || isOwnTable, "\(line)")
      }
    }
    print("hostile statements of \(programs.count) programs: \(count), seed \(seed)")
  }

  @Test func `nobody reaches another group of GymRats`() async throws {
    let matrix = try await AccessMatrix.make()
    let (place, people) = (matrix.place, matrix.people)
    let victim = try #require(people["admin of another group"])
    try await place.run(
      "update groups set name = 'Zebra group' where id = 'late'",
      "update users set display_name = 'Zebra name', email = 'zebra@mail.test' where id = '\(victim)'"
    )
    let known =
      people.values.filter { $0 != victim }.sorted() + ["early", "w1", "recompute-ranks"]
    let boards = try await place.rows("select id::text from challenge where group_id = 'late'")
    let hostile = HostileCalls(
      place: place, secrets: ["Zebra", "zebra@"], victims: [victim, "late"] + boards,
      known: known
        + (try await place.rows("select id::text from challenge where group_id = 'early'")))
    let users = AccessMatrix.names.filter { people[$0] != nil && people[$0] != victim }
    try await makeOutsider(place)
    let attackers = attackers(speakingFor: users.compactMap { people[$0] })
    #expect(try await attack(hostile, attackers) > 20 * calls)
    try await expectNoInternalErrors(
      hostile, programs + [HostileCalls.Attacker(login: "worker", role: "retention")])
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
    try await makeOutsider(place)
    let attackers = attackers(speakingFor: Array(people[..<3]))
    #expect(try await attack(hostile, attackers) > 20 * calls)
    try await expectNoInternalErrors(hostile, programs)
  }
}

import ArgumentParser
import Baton
import Challenges
import ChallengesPostgres
import JobCore
import Postgres

/// `baton verify`.
struct VerifyCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare boards with the ledger, and counts of members; exit code 1: drift is left.",
    discussion: """
      A board that waits to be ranked is compared with the ledger alone. What --fix heals is told \
      to nobody; a closed board is never changed.
      """)

  @Flag(help: "Heal what can be healed.")
  var fix = false

  @Option(help: "A random share of the groups, such as 0.1.")
  var sample = 1.0

  @Flag(help: "One JSON object a line, one for each drift.")
  var json = false

  private static let weeks = 200
  private static let groups = 1000

  func checkArguments() throws {
    guard sample > 0, sample <= 1 else {
      throw ValidationError("--sample takes a share above 0, up to 1.")
    }
  }

  func run() async throws {
    let database = try Database.orExit()
    try await complaining(about: database) {
      let connection = try await database.connect()
      let share = GroupShare(sample, seed: .random(in: 0...Int64.max))
      let drift = try await verify(share) { body in
        try await connection.transaction(in: database.schema) {
          try await body(PostgresVerification($0))
        }
      }
      await connection.close()
      if drift.left > 0 { throw ExitStatus.dead.code }
    }
  }

  /// Runs a part of the work in a transaction of its own.
  private typealias Part = (_ body: (any Verification) async throws -> Void) async throws -> Void

  /// Looks once more at the same place.
  private typealias Look = (any Verification) async throws -> [BoardDrift]

  private func verify(
    _ share: GroupShare, _ part: Part
  ) async throws -> (found: Int, left: Int) {
    var (found, left, boards, groups) = (0, 0, 0, 0)
    func settle(_ drift: [BoardDrift], again: @escaping Look) async throws {
      var remains = drift
      if fix, !drift.isEmpty {
        for healing in Healing.list(for: drift) { try await part { try await $0.heal(healing) } }
        try await part { remains = try await again($0) }
      }
      for one in drift {
        let outcome = !fix ? "found" : remains.contains { $0.isSame(as: one) } ? "left" : "healed"
        if outcome != "healed" { left += 1 }
        print(json ? try jsonLine(ListedDrift(drift: one, outcome: outcome)) : one.line(outcome))
      }
      found += drift.count
    }

    var last: WeekPosition?
    repeat {
      var weeks: [WeekPosition] = []
      var drift: [BoardDrift] = []
      try await part {
        weeks = try await $0.nextWeeks(after: last, limit: Self.weeks, of: share)
        drift = try await $0.confirmedDrift(of: weeks)
      }
      boards += weeks.count
      let suspects = Set(drift.compactMap(\.week))
      let again = weeks.filter(suspects.contains)
      try await settle(drift) { try await $0.confirmedDrift(of: again) }
      last = weeks.last
    } while last != nil

    var group: String? = ""
    while let after = group {
      var counted = CountedGroups(last: nil, groups: 0, drift: [])
      try await part {
        counted = try await $0.nextGroups(after: after, limit: Self.groups, of: share)
      }
      groups += counted.groups
      try await settle(counted.drift) {
        try await $0.nextGroups(after: after, limit: Self.groups, of: share).drift
      }
      group = counted.last
    }
    if !json {
      let outcome =
        found == 0 ? "no drift" : "\(found) drifted" + (fix ? ", \(found - left) healed" : "")
      print("\(counted(boards, "week")) of \(counted(groups, "group")): \(outcome)")
    }
    return (found, left)
  }
}

/// A drift and what came of it.
private struct ListedDrift: Encodable {
  let drift: BoardDrift
  let outcome: String

  private enum CodingKeys: String, CodingKey { case outcome }

  /// One object: the fields of the drift, and this one.
  func encode(to encoder: any Encoder) throws {
    try drift.encode(to: encoder)
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(outcome, forKey: .outcome)
  }
}

extension BoardDrift {
  /// Whether it is a drift of the same thing, with other values perhaps.
  fileprivate func isSame(as other: BoardDrift) -> Bool {
    (kind, group, weekStart, type, user)
      == (other.kind, other.group, other.weekStart, other.type, other.user)
  }

  /// For people.
  fileprivate func line(_ outcome: String) -> String {
    let place = [group, weekStart, type, user].compactMap(\.self).joined(separator: "  ")
    let closed = state.map { $0 == "open" ? "" : "  (\($0) board)" } ?? ""
    return "\(outcome)  \(kind)  \(place): \(found), not \(expected)\(closed)"
  }
}

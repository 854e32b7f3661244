import ArgumentParser
import Baton
import BatonJobs
import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer

/// The `gymrats verify` command.
struct VerifyCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare boards and member counts with the ledger; exits with 1 if drift remains.",
    discussion: """
      If a board is waiting for new ranks, only its entries are compared. --fix repairs boards without sending \
      notifications; it never changes a closed board. The audit log gets a row when the repair starts and a row with \
      the counts at its end, so an interrupted repair is visible.
      """)

  @Flag(help: "Repair what can be repaired.")
  var fix = false

  @Option(help: "Verify a random share of the groups, such as 0.1.")
  var sample = 1.0

  @Flag(help: "Print one JSON object per line, one for each drift.")
  var json = false

  private static let weeks = 200
  private static let groups = 1000

  func checkArguments() throws {
    guard sample > 0, sample <= 1 else {
      throw ValidationError("--sample takes a number above 0, up to 1.")
    }
  }

  func run() async throws {
    let asked = try await Database.orExit()
    let database = fix ? asked.acting(as: "worker") : asked
    try await database.reportingErrors() {
      let connection = try await database.connect()
      let share = GroupShare(sample, seed: .random(in: 0...Int64.max))
      let drift = try await verify(share) { body in
        try await connection.transaction(in: database.schema) {
          try await body($0, PostgresVerification($0))
        }
      }
      await connection.close()
      if drift.left > 0 { throw ExitStatus.dead.code }
    }
  }

  /// A function that executes part of the verification in a separate transaction.
  private typealias Part = (
    _ body: (Transaction, any Verification) async throws -> Void
  ) async throws -> Void

  private func verify(
    _ share: GroupShare, _ part: Part
  ) async throws -> (found: Int, left: Int) {
    var (found, left, boards, groups) = (0, 0, 0, 0)
    var place: VerificationPlace? = .start
    var hasBegun = false
    while let here = place {
      var seen: VerifiedChunk?
      try await part {
        seen = try await $1.look(at: here, weeks: Self.weeks, groups: Self.groups, of: share)
      }
      guard let chunk = seen else { break }
      for (drift, outcome) in try await outcomes(of: chunk, &hasBegun, part) {
        if outcome != .healed { left += 1 }
        Console.write(
          json ? try jsonLine(ListedDrift(drift: drift, outcome: outcome)) : drift.line(outcome))
      }
      found += chunk.drift.count
      boards += chunk.weeks.count
      groups += chunk.groups
      place = chunk.next
    }
    if hasBegun {
      let entry = AuditEntry(
        "verify fix", filter: filter, count: found - left,
        after: ["found": .number(Int64(found)), "left": .number(Int64(left))])
      try await part { transaction, _ in try await transaction.record(entry) }
    }
    if !json {
      let outcome =
        found == 0 ? "no drift" : "\(found) drifted" + (fix ? ", \(found - left) repaired" : "")
      Console.write("\(counted(boards, "week")) of \(counted(groups, "group")): \(outcome)")
    }
    return (found, left)
  }

  /// The verification's options, as stored in the audit log.
  private var filter: [String: AuditValue] { ["sample": .fraction(sample)] }

  /// Repairs the drift of a chunk if `--fix` is set, and returns the outcome for each drifted
  /// value.
  ///
  /// The start of the repairs is recorded in the audit log, in the transaction of the first repair.
  private func outcomes(
    of chunk: VerifiedChunk, _ hasBegun: inout Bool, _ part: Part
  ) async throws -> [(drift: BoardDrift, outcome: DriftOutcome)] {
    guard fix, !chunk.drift.isEmpty else { return chunk.drift.map { ($0, .found) } }
    for healing in Healing.list(for: chunk.drift) {
      let isFirst = !hasBegun
      try await part { transaction, verification in
        try await verification.heal(healing)
        guard isFirst else { return }
        try await transaction.record(AuditEntry("verify fix begun", filter: filter, count: nil))
      }
      hasBegun = true
    }
    var remains: [BoardDrift] = []
    try await part { remains = try await $1.look(again: chunk) }
    return chunk.outcomes(remains)
  }
}

/// A drifted value and the outcome of handling it.
private struct ListedDrift: Encodable {
  let drift: BoardDrift
  let outcome: DriftOutcome

  private enum CodingKeys: String, CodingKey { case outcome }

  /// Encodes one JSON object that contains the fields of the drift and the outcome.
  func encode(to encoder: any Encoder) throws {
    try drift.encode(to: encoder)
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(outcome, forKey: .outcome)
  }
}

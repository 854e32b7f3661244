import BatonPostgres
import ChallengesSQL
import CheckIns
import RunnerSQL

/// Records steps, each in one transaction, and stores the clock's current time.
struct StepRecorder {
  private let plan: ReplayPlan
  /// The digest of the check-in file.
  ///
  /// A workout's id consists of the digest and the line number.
  private let digest: String
  /// The clock's current time.
  private(set) var clock: Timestamp

  init(_ plan: ReplayPlan, digest: String, at clock: Timestamp) {
    self.plan = plan
    self.digest = String(digest.prefix(32))
    self.clock = clock
  }

  /// Moves the clock to a step, adds the step's new members and records the step's lines in order.
  ///
  /// If an error occurs, the whole step is rolled back.
  ///
  /// - Throws: ``ReplayFailure`` if another replay moved the clock or if a line was not accepted.
  ///   `PostgresError` if a statement fails.
  mutating func record(
    _ step: ReplayPlan.Step, on connection: Connection, in schema: Schema
  ) async throws {
    let target = Timestamp(microseconds: step.clock)
    let advance = Call.count(SQL.Clock.advance, clock, target)
    let join = joining(step)
    let record = recording(step)
    try await connection.transaction(in: schema) { transaction in
      let (moved, _, refused) = try await transaction.run(advance, join, record)
      guard moved == 1 else { throw ReplayFailure.clockMoved }
      if let refusal = refused.first {
        throw ReplayFailure.notAccepted(line: refusal.line, outcome: refusal.outcome)
      }
    }
    clock = target
  }

  /// Moves the clock without recording lines.
  ///
  /// - Throws: ``ReplayFailure`` if another replay moved the clock. `PostgresError` if a statement
  ///   fails.
  mutating func stand(
    at target: Timestamp, on connection: Connection, in schema: Schema
  ) async throws {
    let moved = try await connection.atomically(
      in: schema, Call.count(SQL.Clock.advance, clock, target))
    guard moved == 1 else { throw ReplayFailure.clockMoved }
    clock = target
  }

  private func joining(_ step: ReplayPlan.Step) -> Call<Int> {
    let new = step.lines.filter(plan.firstLines.contains).map { plan.lines[$0] }
    return .count(
      SQL.Replay.joinMembers, new.map(\.group.string), new.map(\.userID),
      new.map(\.member.string), new.map { Timestamp(microseconds: $0.instant) })
  }

  private struct Refusal: Sendable {
    let line: Int
    let outcome: String
  }

  private func recording(_ step: ReplayPlan.Step) -> Call<[Refusal]> {
    let lines = plan.lines[step.lines]
    return .rows(
      SQL.Replay.recordLines, lines.map(\.userID), lines.map { "\(digest)-\($0.line)" },
      lines.map { Timestamp(microseconds: $0.instant) }, lines.map(\.utcOffset)
    ) { (row) throws(PostgresError) in
      let (workout, outcome, reason) = try row.decode(String.self, String.self, String.self)
      return Refusal(
        line: workout.split(separator: "-").last.flatMap { Int($0) } ?? 0,
        outcome: reason.isEmpty ? outcome : "\(outcome) (\(reason))")
    }
  }
}

extension CheckIn {
  /// The user's id, which is composed of the group's name and the member's name.
  ///
  /// The id starts with the length of the group's name, so that two members never have the same id.
  /// Within a group, the order of the ids is the order of the members' names.
  var userID: String { "\(group.string.utf8.count):\(group.string)/\(member.string)" }
}

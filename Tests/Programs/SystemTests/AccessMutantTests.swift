import BatonPostgres
import JobRunner
import TestSupport
import Testing

/// Tests accidental changes of rights: `check` finds each of them, and the executed operations show
/// a difference.
@Suite(.timeLimit(.minutes(30))) struct AccessMutantTests {
  /// If the owner sees no rows of these tables, `migrate` does not know the state.
  ///
  /// `check` names the repair.
  private static let books = [
    "access", "access_object", "migration", "schema_object", "schema_part",
  ]

  /// Changes that only `check` finds.
  ///
  /// For these tables, no existing identity has a row that the policy decides on, or another error
  /// ends the statement in any case.
  private static let foundByCheckAlone: Set = [
    "drop worker_tells on notification", "give worker_tells on notification to anon",
    "drop all_rows on run_history", "give all_rows on run_history to anon",
    "open old_boards on challenge", "open old_boards on entry", "open old_rows on client_event",
    "open old_weeks on closed_week", "open past_days on ignored_workout",
    "widen workout for definer",
    // Retention empties these tables by age. The matrix has no rows of that age, so no call changes its result.
    // RetentionRoleTests execute the deletions as the worker.
    "drop ended on groups", "drop ended on member", "drop ended on membership",
    "drop old_rows on refused_edit", "drop locks on refused_edit",
    "drop all_rows_select on refused_edit", "drop all_rows_select on reported_streak",
    "drop old_weeks on reported_streak", "drop locks on reported_streak",
    "drop old_rows on sharing_pause", "drop old_weeks on week_reopening",
    "drop locks on week_reopening", "drop all_rows_select on week_reopening",
    "drop old_rows on workout_revision", "drop locks on workout_revision",
    "drop all_rows_select on workout_revision", "open old_rows on refused_edit",
    "open locks on refused_edit", "open old_weeks on reported_streak",
    "open locks on reported_streak", "open old_weeks on week_reopening",
    "open locks on week_reopening", "open old_rows on workout_revision",
    "open locks on workout_revision", "give ended on groups to anon",
    "give ended on member to anon", "give ended on membership to anon",
    "give old_rows on refused_edit to anon", "give locks on refused_edit to anon",
    "give all_rows_select on refused_edit to anon",
    "give all_rows_select on reported_streak to anon", "give old_weeks on reported_streak to anon",
    "give locks on reported_streak to anon", "give old_rows on sharing_pause to anon",
    "give old_weeks on week_reopening to anon", "give locks on week_reopening to anon",
    "give all_rows_select on week_reopening to anon", "give old_rows on workout_revision to anon",
    "give locks on workout_revision to anon", "give all_rows_select on workout_revision to anon",
    "widen groups for retention", "widen member for retention",
  ]

  /// Makes the rows of a table visible to the owner again, as a superuser.
  private func reveal(_ table: String, in place: RolePlace) async throws {
    let policies = try await place.rows(
      "select polname from pg_policy where polrelid = '\(table)'::regclass")
    for policy in policies { try await place.run("drop policy \(policy) on \(table)") }
    try await place.run(
      "create policy all_rows on \(table) to \(place.role("owner")) using (true) with check (true)")
  }

  @Test(.enabled(if: TestSize.isFull, "each wrong right: make test-all"))
  func `each mistake is found by check, and changes what somebody can do`() async throws {
    let matrix = try await AccessMatrix.make()
    let place = matrix.place
    let mutants = try await AccessMutant.all(in: place)
    #expect(mutants.count > 300)
    // One of the copies acts as the owner from its first migration on.
    let (connection, keeper) = (
      try await place.connect(as: "postgres"), try await place.connect(as: "postgres")
    )
    let migrator = Migrator(place.schema, parts: TestSchema.parts)
    #expect(try await migrator.accessFaults(connection).filter(\.isFault) == [])
    var unseen: [String] = []
    var unfelt: [String] = []
    var tables: [String: [String]] = [:]
    for mutant in mutants {
      try await place.run(mutant.statement)
      let faults = try await migrator.accessFaults(connection).filter(\.isFault)
      if faults.isEmpty { unseen.append(mutant.name) }
      guard let table = mutant.table else {
        _ = try await migrator.migrate(keeper)
        continue
      }
      let tries = try await matrix.tries(ofTables: table)
      let now = try await matrix.lines(tries)
      if Self.books.contains(table) { try await reveal(table, in: place) }
      _ = try await migrator.migrate(keeper)
      let before = if let known = tables[table] { known } else { try await matrix.lines(tries) }
      tables[table] = before
      if now == before { unfelt.append(mutant.name) }
    }
    await keeper.close()
    await connection.close()
    #expect(unseen == [])
    #expect(unfelt.filter { !Self.foundByCheckAlone.contains($0) } == [])
    print("access mutants: \(mutants.count) tried, all found by check")
  }
}

package import BatonPostgres
import RunnerSQL

// Only the current release of a program changes the schema. Each transaction of the migrator checks
// the release again, because a newer release may become current between two transactions.
extension Migrator {
  /// Returns whether programs that lack this migration can work on a schema that contains the
  /// migration.
  package static func isCompatible(_ migration: Statement) -> Bool {
    MigrationCompatibility.isCompatible(migration)
  }

  /// The result of a migrator's attempt to make its program current.
  enum Beginning {
    /// The program is current, or migrates regardless of releases.
    case current
    /// The schema cannot store releases before its migrations are applied.
    case noReleases
    /// Another release is current, so nothing may be changed.
    case other
  }

  /// Makes the program current, in a separate transaction before all changes.
  ///
  /// A migration in the transaction that makes the program current could deadlock with a worker
  /// that writes its definitions. If `takesOver` is true, the transaction also records the replaced
  /// release in the audit log.
  ///
  /// - Throws: ``SchemaProblem`` if this binary cannot work on the schema.
  func begin(
    takesOver: Bool, _ connection: Connection, to outcome: inout Outcome
  ) async throws -> Beginning {
    guard let release else { return .current }
    guard try await connection.run(readLayout) == "parts" else { return .noReleases }
    return try await locked(connection, &outcome) { (transaction, done) -> Beginning in
      guard try await hasReleases(in: transaction) else { return .noReleases }
      _ = try state.pending(try await transaction.run(state.listMigrations))
      let number = Int32(release.number)
      if takesOver {
        let takeOver = Call.rows(SQL.Releases.takeOver, release.program, number, as: Int32.self)
        if let old = try await transaction.run(takeOver).first {
          done.replacedRelease = Int(old)
          try await forgetNewerVersions(in: transaction)
          try await transaction.record(
            AuditEntry(
              "migrate", ["take_over": .text(release.program)],
              before: ["release": .number(Int64(old))], after: ["release": .number(Int64(number))]))
          return .current
        }
      }
      // The fingerprint of the definitions is stored later, together with the definitions.
      if try await transaction.run(release.ofSomeJobs.claim) > 0 { return .current }
      done.otherRelease = try await otherRelease(in: transaction)
      return .other
    }
  }

  /// Returns the number of the current release if the program's own release is not current, or nil
  /// otherwise.
  func otherRelease(in transaction: Transaction) async throws -> Int? {
    guard let release, try await hasReleases(in: transaction) else { return nil }
    let current = try await transaction.run(CurrentRelease.read(release.program)).first
    return current.flatMap { $0.admits(release.number) ? nil : $0.number }
  }

  /// Whether the schema already records releases.
  private func hasReleases(in transaction: Transaction) async throws -> Bool {
    try await transaction.run(Session.hasReleases(schema))
  }

  // MARK: Restoring older functions and views

  /// Makes the next steps of the migration restore the functions, views and triggers of modules
  /// that a newer release has changed.
  ///
  /// Until the next steps of the migration are complete, the changed modules have no version. A
  /// migrator that was killed between two steps of a migration can therefore be run again.
  private func forgetNewerVersions(in transaction: Transaction) async throws {
    let parts = try await transaction.run(state.listParts)
    let newer = state.newerVersions(parts)
    guard !newer.isEmpty else { return }
    try await transaction.run(.count(SQL.Releases.forgetVersion, newer))
  }

  /// Drops the views of modules without a version, because PostgreSQL cannot replace a view with an
  /// older view that has fewer columns.
  ///
  /// - Returns: whether views were dropped. If views were dropped, the list of changed objects is
  ///   outdated.
  func dropNewerViews(
    _ changed: [MigrationState.Changed], in transaction: Transaction
  ) async throws -> Bool {
    let parts = try await transaction.run(state.listParts)
    let without = parts.filter { $0.version == 0 }.map(\.name)
    let incomplete = state.parts.map(\.name).filter(without.contains)
    guard changed.contains(where: { $0.kind == .view && incomplete.contains($0.part) }) else {
      return false
    }
    let views = try await transaction.run(
      Call.rows(SQL.Releases.listViews, incomplete, as: String.self))
    guard !views.isEmpty else { return false }
    try await lock(outerFirst(views), in: transaction)
    try await transaction.script(SQL.Releases.dropViews)
    return true
  }

  /// Returns the views in the order in which readers lock the views, if this program knows the
  /// order.
  private func outerFirst(_ views: [String]) -> [String] {
    let own = state.parts.flatMap(\.objects).filter { $0.kind == .view }.map(\.name).reversed()
    return views.filter { !own.contains($0) } + own.filter(views.contains)
  }
}

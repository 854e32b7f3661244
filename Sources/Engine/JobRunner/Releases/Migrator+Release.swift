package import BatonPostgres
import RunnerSQL

// Only the current release of a program changes the schema. Each of the migrator's transactions
// rechecks the release, because a newer one may become current between two transactions.
extension Migrator {
  /// Returns whether older programs, which do not contain the migration, can use the migrated
  /// schema.
  package static func isCompatible(_ migration: Statement) -> Bool {
    MigrationCompatibility.isCompatible(migration)
  }

  /// The result of a migrator's attempt to make its program current.
  enum Beginning {
    /// The migrator may change the schema.
    ///
    /// Either the program's release is current, or the migrator ignores releases.
    case current
    /// The schema cannot store releases before its migrations are applied.
    case noReleases
    /// Another release is current, so nothing may be changed.
    case other
  }

  /// Makes the program current, in a transaction that commits before any migration.
  ///
  /// If the same transaction also applied migrations, it could deadlock with a worker that is
  /// storing job definitions. If `takesOver` is true, the transaction also records the replaced
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

  /// Deletes the versions of the modules that a newer release has changed.
  ///
  /// A migrator restores the functions, views and triggers of modules without a version. If a
  /// migrator is killed after it has deleted versions, the next migrator restores the modules
  /// without a version.
  private func forgetNewerVersions(in transaction: Transaction) async throws {
    let parts = try await transaction.run(state.listParts)
    let newer = state.newerVersions(parts)
    guard !newer.isEmpty else { return }
    try await transaction.run(.count(SQL.Releases.forgetVersion, newer))
  }

  /// Drops the views of modules without a version.
  ///
  /// PostgreSQL cannot replace a view with one that has fewer columns.
  ///
  /// - Returns: whether views were dropped. If views were dropped, the `changed` list is outdated.
  func dropNewerViews(
    _ changed: [MigrationState.Changed], in transaction: Transaction
  ) async throws -> Bool {
    let incomplete = try await incompleteParts(in: transaction)
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

  /// Returns the existing functions of modules without a version.
  ///
  /// PostgreSQL cannot replace some of them with this program's functions, for example if a newer
  /// release added a default to a parameter.
  func newerFunctions(in transaction: Transaction) async throws -> [String] {
    let incomplete = try await incompleteParts(in: transaction)
    guard !incomplete.isEmpty else { return [] }
    let functions = try await transaction.run(
      Call.rows(SQL.Releases.listFunctions, incomplete, as: String.self))
    return functions
  }

  /// Returns this program's modules without a version.
  private func incompleteParts(in transaction: Transaction) async throws -> [String] {
    let parts = try await transaction.run(state.listParts)
    let without = parts.filter { $0.version == 0 }.map(\.name)
    return state.parts.map(\.name).filter(without.contains)
  }

  /// Returns the views in the order in which readers lock them.
  ///
  /// Views that this program does not contain come first.
  private func outerFirst(_ views: [String]) -> [String] {
    let own = state.parts.flatMap(\.objects).filter { $0.kind == .view }.map(\.name).reversed()
    return views.filter { !own.contains($0) } + own.filter(views.contains)
  }
}

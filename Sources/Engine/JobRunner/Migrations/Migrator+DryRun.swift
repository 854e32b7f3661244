package import BatonPostgres
import RunnerSQL

extension Migrator {
  /// The statements that ``migrate(_:makesAPIRole:)`` would run.
  package struct Plan: Sendable {
    /// The migrations, oldest first.
    package var migrations: [Statement] = []
    /// The statements that create, replace or drop functions, views and triggers.
    package var objects: [Statement] = []
    /// The statements that grant and revoke rights, which run last.
    package var rights: [Statement] = []
    /// The number of the current release if it prevents the migration, or nil if it does not.
    ///
    /// If the value is not nil, the plan is empty.
    package var otherRelease: Int?
  }

  /// Returns the statements that ``migrate(_:makesAPIRole:)`` would run, without running them.
  ///
  /// - Parameter takesOver: whether the functions and views of a newer release are replaced.
  /// - Throws: the same errors as ``migrate(_:makesAPIRole:)``.
  package func plan(
    _ connection: Connection, makesAPIRole: Bool = false, takesOver: Bool = false
  ) async throws -> Plan {
    try state.requireOneOwner()
    try await requireNoShadows(connection)
    try await requireDatabase(connection)
    try await requireNoRefusingPublications(connection)
    let layout = try await connection.run(readLayout)
    guard layout != "before" else { throw SchemaProblem.beforeParts(schema) }
    let roles = layout == "none" ? nil : try await actAsOwner(connection)
    return try await connection.transaction(in: schema) { transaction in
      if !takesOver, let other = try await otherRelease(in: transaction) {
        return Plan(otherRelease: other)
      }
      if roles != nil { return try await planWithRoles(takesOver, in: transaction) }
      let role = makesAPIRole ? try await planAPIRole(in: transaction) : []
      guard layout != "none" else {
        var plan = state.everything
        plan.rights = role + rights(of: state.api(besides: []), invites: makesAPIRole)
        return plan
      }
      var plan = try await changes(takesOver, in: transaction)
      plan.rights = role
      plan.rights += try await rights(behind: plan, invites: makesAPIRole, in: transaction)
      return plan
    }
  }

  /// Returns the plan for a schema with roles.
  ///
  /// The plan lists the roles' rights only if no migrations or objects are pending.
  private func planWithRoles(
    _ takesOver: Bool, in transaction: Transaction
  ) async throws -> Plan {
    var plan = try await changes(takesOver, in: transaction)
    let isNothing = plan.migrations.isEmpty && plan.objects.isEmpty
    var texts = try await listRights(hasRoles: true, in: transaction).map(\.statement)
    if !isNothing {
      texts.append("-- then the rights of the roles to all this")
    } else if let roles = try await transaction.run(Self.readRoles).first {
      texts += try await accessChange(roles, in: transaction)?.statements ?? []
    }
    plan.rights = texts.map { Statement("migrator/set_access", $0) }
    return plan
  }

  private func changes(
    _ takesOver: Bool, in transaction: Transaction
  ) async throws -> Plan {
    let (listed, parts) = try await transaction.run(state.listMigrations, state.listParts)
    let changed: [MigrationState.Changed] = try await transaction.run(
      state.listObjects(besides: takesOver ? [] : state.newerVersions(parts)))
    return Plan(
      migrations: try state.pending(listed).map(\.migration),
      objects: state.inOrder(changed).compactMap { $0.object?.statement }
        + changed.filter { $0.object == nil }.map(\.drop))
  }

  // MARK: Rights

  /// Returns the statements that set the rights, based on the current rights in the catalog.
  ///
  /// If migrations or objects are pending, the method derives the statements from the names of the
  /// API's functions.
  private func rights(
    behind plan: Plan, invites: Bool, in transaction: Transaction
  ) async throws -> [Statement] {
    let there = try await listRights(invites: invites, in: transaction)
      .map { Statement("migrator/set_rights", $0.statement) }
    guard !plan.migrations.isEmpty || !plan.objects.isEmpty else { return there }
    let (parts, role) = try await transaction.run(state.listParts, readAPIRole)
    return rights(
      of: state.api(besides: state.newerVersions(parts)), invites: invites && !role.isInside,
      isInside: role.isInside)
  }

  private func rights(
    of api: [String], invites: Bool, isInside: Bool = false
  ) -> [Statement] {
    var texts = ["revoke execute on all routines in schema \(schema) from public"]
    if invites { texts.append("grant usage on schema \(schema) to \(schema.apiRole)") }
    if (invites || isInside) && !api.isEmpty {
      texts.append("grant execute on function \(api.joined(separator: ", ")) to \(schema.apiRole)")
    }
    return texts.map { Statement("migrator/set_rights", $0) }
  }
}

extension MigrationState {
  /// The plan for a schema that has never been migrated.
  fileprivate var everything: Migrator.Plan {
    Migrator.Plan(
      migrations: parts.flatMap(\.migrations), objects: parts.flatMap(\.objects).map(\.statement))
  }
}

extension MigrationState.Changed {
  /// The statement that drops the object, for display to users.
  ///
  /// The statement contains a function's name, but not its parameters.
  fileprivate var drop: Statement {
    Statement(
      "migrator/drop_object", "drop \(kind) \(name)\(kind == .trigger ? " on \(table)" : "")")
  }
}

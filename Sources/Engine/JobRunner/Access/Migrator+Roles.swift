package import BatonPostgres
import RunnerSQL

// Each method of this extension runs in one transaction. PostgreSQL roles belong to the whole
// cluster, not to one database. If two transactions concurrently change the same role or the
// privileges on the same object, one fails with XX000 and is retried. Two transactions that change
// the same role can run in different databases of the cluster.
extension Migrator {
  /// Creates the schema's roles, transfers the existing objects to them, and sets the roles'
  /// rights.
  ///
  /// It is safe to call the method repeatedly. The caller must own the schema and have the right to
  /// create roles, but need not be a superuser. The created roles have no password. If
  /// ``migrate(_:makesAPIRole:)`` created an API role with the expected name, the method adopts
  /// that role and its members.
  ///
  /// - Parameter roles: the prefix of the role names, or nil for the existing roles' prefix. If the
  ///   prefix is nil and the schema has no roles, the prefix is the schema's name.
  /// - Returns: the statements that were run, in order. The list of statements is empty if nothing
  ///   had to be changed.
  /// - Throws: ``AccessProblem``, ``SchemaProblem`` or `PostgresError`. An error rolls back all
  ///   changes.
  package func createRoles(
    _ connection: Connection, prefix roles: AccessRoles? = nil
  ) async throws -> [String] {
    try await changeRoles(connection) { transaction in
      let (roles, caller, isNew) = try await begin(creating: roles, in: transaction)
      let script = try AccessScript(try await accessParts(in: transaction).wanted)
      let made = try await roleStatements(script, roles, areStored: !isNew, in: transaction)
      do {
        try await runEach(made, in: transaction)
      } catch let error as PostgresError where error.sqlState == "42501" {
        // Since PostgreSQL 16, only superusers and a role's creator may change it.
        throw AccessProblem.mayNot(schema, user: caller.name, what: "make or change these roles")
      }
      // The caller can transfer objects to the owner role only if the caller is a member of it.
      let owner = roles.name("owner")
      let isGuest = !caller.isSuperuser && !caller.isOwnerToBe
      let letsIn = isGuest ? ["grant \(owner) to current_user"] : []
      try await runEach(letsIn, in: transaction)
      try await transaction.run(.run(SQL.Migrator.recordRoles, roles.prefix))
      let moved = try await ownerStatements(owner, roles.name("definer"), in: transaction)
      try await runEach(moved, in: transaction)
      try await runEach(["set local role \(owner)"], in: transaction)
      let rights = try await setAccess(in: transaction)
      let defaults = made.isEmpty && !isNew ? [] : defaultRights(roles, revoked: true)
      try await runEach(defaults, in: transaction)
      let statements = made + moved + rights + defaults
      if !statements.isEmpty {
        try await transaction.record(
          AuditEntry(
            "roles create", ["prefix": .text(roles.prefix)],
            after: ["statements": .number(Int64(statements.count))]))
      }
      let leaves = isGuest ? ["revoke \(owner) from current_user"] : []
      try await runEach(["reset role"] + leaves, in: transaction)
      return statements
    }
  }

  /// Returns the statements that ``createRoles(_:prefix:)`` would run, without running them.
  ///
  /// - Throws: the same errors as ``createRoles(_:prefix:)``.
  package func planRoles(
    _ connection: Connection, prefix roles: AccessRoles? = nil
  ) async throws -> [String] {
    try await requireNoShadows(connection)
    return try await connection.transaction(in: schema) { transaction in
      let (roles, _, isNew) = try await begin(creating: roles, in: transaction)
      let script = try AccessScript(try await accessParts(in: transaction).wanted)
      let made = try await roleStatements(script, roles, areStored: !isNew, in: transaction)
      let areAllThere = made.isEmpty && !isNew
      let change = try await accessChange(roles, areAllThere: areAllThere, in: transaction)
      return made + (change?.statements ?? [])
        + (areAllThere ? [] : defaultRights(roles, revoked: true))
    }
  }

  /// Transfers all objects back to the caller, and drops the roles of the schema.
  ///
  /// - Parameter isDryRun: whether all changes are rolled back at the end.
  /// - Returns: the statements that were run, in order.
  /// - Throws: ``AccessProblem/stillNeeded(_:by:)`` if a role has another member, has an open
  ///   session, or is used by another object. ``AccessProblem/none(_:)`` if the schema has no
  ///   roles, or `PostgresError`. An error rolls back all changes.
  package func dropRoles(
    _ connection: Connection, isDryRun: Bool = false
  ) async throws -> [String] {
    try await changeRoles(connection, isDryRun: isDryRun) { transaction in
      let kept = try await transaction.run(Self.readRoles)
      guard let roles = kept.first else { throw AccessProblem.none(schema) }
      let script = try AccessScript(try await accessParts(in: transaction).wanted)
      let caller = try await self.caller(roles, in: transaction)
      guard caller.makesRoles else {
        throw AccessProblem.mayNot(schema, user: caller.name, what: "drop roles")
      }
      let names = script.kinds.map(roles.name)
      let dependents = try await transaction.run(
        .rows(SQL.Migrator.listDependents, names, as: String.self))
      guard dependents.isEmpty else { throw AccessProblem.stillNeeded(schema, by: dependents) }
      if !caller.isSuperuser, !caller.isOwnerToBe {
        try await runEach(["grant \(roles.name("owner")) to current_user"], in: transaction)
      }
      try await transaction.record(
        AuditEntry(
          "roles drop", ["prefix": .text(roles.prefix)],
          before: ["roles": .list(names.map { .text($0) })]))
      try await transaction.run(.run(SQL.Migrator.forgetRoles))
      let (policies, owners) = try await transaction.run(
        .rows(SQL.Migrator.listPolicies, as: String.self),
        .rows(SQL.Migrator.listOwners, caller.name, caller.name, as: String.self))
      let callers = script.kinds.filter { $0 != "owner" }
      let revoked = try await revocations(script, roles, callers: callers, in: transaction)
      // Owners are changed before rights are revoked, because changing the owner passes the
      // previous owner's rights to the new owner.
      let statements =
        policies + owners + revoked + defaultRights(roles, revoked: false)
        + script.kinds.reversed().map { "drop role \(roles.name($0))" }
      try await runEach(statements, in: transaction)
      return statements
    }
  }

  // MARK: Steps

  private func changeRoles(
    _ connection: Connection, isDryRun: Bool = false,
    _ body: (Transaction) async throws -> [String]
  ) async throws -> [String] {
    try state.requireOneOwner()
    try await requireNoShadows(connection)
    do {
      return try await patience.tried {
        try await lock.holding(connection) { transaction, _ in
          let statements = try await body(transaction)
          if isDryRun { throw DryRun(statements: statements) }
          return statements
        }
      }
    } catch let dryRun as DryRun {
      return dryRun.statements
    } catch let error as PostgresError where error.sqlState == "2BP01" {
      let lines = (error.detail ?? error.message).split(separator: "\n").map(String.init)
      throw AccessProblem.stillNeeded(schema, by: lines)
    }
  }

  /// An error that rolls back a dry run.
  private struct DryRun: Error {
    let statements: [String]
  }

  /// Determines the roles and the caller, and checks that the caller may create the roles.
  ///
  /// In the result, `isNew` is true if the schema has no roles yet.
  private func begin(
    creating wanted: AccessRoles?, in transaction: Transaction
  ) async throws -> (roles: AccessRoles, caller: Caller, isNew: Bool) {
    let kept = try await transaction.run(Self.readRoles)
    let there = kept.first
    if let there, let wanted, there != wanted {
      throw AccessProblem.otherPrefix(schema, prefix: there.prefix)
    }
    guard let roles = wanted ?? there ?? AccessRoles(prefix: schema.name) else {
      throw AccessProblem.badPrefix(schema.name)
    }
    let caller = try await caller(roles, in: transaction)
    guard caller.makesRoles else {
      throw AccessProblem.mayNot(schema, user: caller.name, what: "make roles")
    }
    guard caller.isSuperuser || caller.isOwner || there != nil else {
      throw AccessProblem.mayNot(schema, user: caller.name, what: "give the schema away")
    }
    return (roles, caller, there == nil)
  }

  private struct Caller: Sendable {
    let name: String
    let isSuperuser, makesRoles, isOwnerToBe, isOwner: Bool
  }

  private func caller(_ roles: AccessRoles, in transaction: Transaction) async throws -> Caller {
    let read = Call<Caller>.row(SQL.Migrator.readCaller, roles.name("owner")) {
      (row) throws(PostgresError) in
      let (name, isSuperuser, makesRoles, isOwnerToBe, isOwner) = try row.decode(
        String.self, Bool.self, Bool.self, Bool.self, Bool.self)
      return Caller(
        name: name, isSuperuser: isSuperuser, makesRoles: makesRoles, isOwnerToBe: isOwnerToBe,
        isOwner: isOwner)
    }
    return try await transaction.run(read)
  }

  /// Returns the statements that create or adopt the roles.
  ///
  /// An existing role belongs to this schema if its comment names this schema of this database. If
  /// the schema stores its roles and the comment names a database or a schema that no longer
  /// exists, the database or the schema was renamed, and the comment is set again. The role that
  /// `migrate --api-role` created is adopted if it has the expected name. Members of the adopted
  /// role can call the same functions as before it was adopted.
  ///
  /// - Parameter areStored: whether the schema stores these roles.
  private func roleStatements(
    _ script: AccessScript, _ roles: AccessRoles, areStored: Bool, in transaction: Transaction
  ) async throws -> [String] {
    let names = script.kinds.map(roles.name)
    let list = Call<[FoundRole]>.rows(
      SQL.Migrator.listRoles, names, script.memberships.map { roles.name($0.member) },
      script.memberships.map { roles.name($0.role) }, schema.name, areStored
    ) { (row) throws(PostgresError) in
      let (name, isThere, isOurs, isFree, others, isMighty, role, comment, lacksComment) =
        try row.decode(
          String.self, Bool.self, Bool.self, Bool.self, String?.self, Bool.self, String?.self,
          String.self, Bool.self)
      return FoundRole(
        name: name, isThere: isThere, isOurs: isOurs, isFree: isFree, others: others,
        isMighty: isMighty, lacksRole: role, comment: comment, lacksComment: lacksComment)
    }
    let (found, api) = try await transaction.run(list, readAPIRole)
    if api.isInside, script.kinds.contains("api"), roles.name("api") != schema.apiRole {
      throw AccessProblem.otherAPIRole(schema, role: schema.apiRole, wanted: roles.name("api"))
    }
    let adopted = found.first { role in
      role.name == schema.apiRole && role.isThere && !role.isOurs && role.isFree
        && api.isInside && !api.isOwner
    }?.name
    for role in found where role.isThere {
      if let others = role.others {
        throw AccessProblem.taken(role: role.name, by: "database \(others)")
      }
      guard role.isOurs || role.name == adopted, !role.isMighty else {
        throw AccessProblem.taken(
          role: role.name, by: role.isOurs ? "an administrator" : "somebody")
      }
    }
    return script.roles.flatMap { role -> [String] in
      let name = roles.name(role.kind)
      guard let own = found.first(where: { $0.name == name && $0.lacksRole == nil }) else {
        return []
      }
      if name == adopted { return ["alter role \(name) \(role.options)", own.comment] }
      if own.isThere { return own.lacksComment ? [own.comment] : [] }
      return ["create role \(name) \(role.options)", own.comment]
    } + found.compactMap { missing in missing.lacksRole.map { "grant \($0) to \(missing.name)" } }
  }

  private struct FoundRole: Sendable {
    let name: String
    let isThere, isOurs: Bool
    /// Whether the role's comment does not name a schema.
    let isFree: Bool
    let others: String?
    let isMighty: Bool
    let lacksRole: String?
    /// The statement that writes the database and schema into the role's comment.
    let comment: String
    /// Whether the role's comment differs.
    let lacksComment: Bool
  }

  /// Returns the statements that set the default rights on new routines of the owner and the
  /// definer.
  ///
  /// If `revoked` is true, other roles can execute a new routine only after a grant.
  private func defaultRights(_ roles: AccessRoles, revoked: Bool) -> [String] {
    ["owner", "definer"].map {
      "alter default privileges for role \(roles.name($0)) "
        + (revoked
          ? "revoke execute on routines from public" : "grant execute on routines to public")
    }
  }
}

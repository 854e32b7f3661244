package import BatonPostgres
import RunnerSQL

// Roles belong to the cluster, and rights of one object are granted one after the other. Two such changes at the same
// time, also of different databases, fail with XX000 and are tried again. Each call is one transaction.
extension Migrator {
  /// Makes the roles of the schema, transfers the existing objects to them, and sets their rights; safe to repeat.
  ///
  /// The caller must own the schema and have the right to make roles, but need not be a superuser. Roles have no
  /// password. A role that ``migrate(_:makesAPIRole:)`` has made for an API becomes the API's role of these, with its
  /// members.
  ///
  /// - Parameter roles: their prefix; nil: the prefix of the existing roles, otherwise the schema's name.
  /// - Returns: the statements that were run, in order; empty if nothing had to change.
  /// - Throws: ``AccessProblem``, ``SchemaProblem``, `PostgresError`; then nothing was changed.
  package func createRoles(
    _ connection: Connection, prefix roles: AccessRoles? = nil
  ) async throws -> [String] {
    try await changeRoles(connection) { transaction in
      let (roles, caller, isNew) = try await begin(creating: roles, in: transaction)
      let script = try AccessScript(try await accessParts(in: transaction).wanted)
      let made = try await roleStatements(script, roles, in: transaction)
      do {
        try await runEach(made, in: transaction)
      } catch let error as PostgresError where error.sqlState == "42501" {
        // As of PostgreSQL 16 only the maker of a role may change it.
        throw AccessProblem.mayNot(schema, user: caller.name, what: "make or change these roles")
      }
      // The caller must be a member of the owner while objects are transferred.
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

  /// The statements that ``createRoles(_:prefix:)`` would run; it runs none of them.
  ///
  /// - Throws: the errors of that function.
  package func planRoles(
    _ connection: Connection, prefix roles: AccessRoles? = nil
  ) async throws -> [String] {
    try await connection.transaction(in: schema) { transaction in
      let (roles, _, isNew) = try await begin(creating: roles, in: transaction)
      let script = try AccessScript(try await accessParts(in: transaction).wanted)
      let made = try await roleStatements(script, roles, in: transaction)
      let areAllThere = made.isEmpty && !isNew
      let change = try await accessChange(roles, areAllThere: areAllThere, in: transaction)
      return made + (change?.statements ?? [])
        + (areAllThere ? [] : defaultRights(roles, revoked: true))
    }
  }

  /// Transfers all objects back to the caller, and drops the roles of the schema.
  ///
  /// - Parameter isDryRun: tries all of it in a transaction that is rolled back.
  /// - Returns: the statements that were run, in order.
  /// - Throws: ``AccessProblem/stillNeeded(_:by:)`` if a role has another member, is logged in, or something else
  ///   depends on it; ``AccessProblem/none(_:)``; `PostgresError`. Then nothing was changed.
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
      // Owners first: a revocation from a function's owner removes the owner's own right to it, and later owners lack
      // it too.
      let statements =
        policies + owners + revocations(script, roles)
        + ["revoke all on all routines in schema \(schema) from \(roles.name("definer"))"]
        + defaultRights(roles, revoked: false)
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
    do {
      return try await patience.tried {
        try await connection.transaction(in: schema) { transaction in
          try await transaction.run(
            .run(SQL.Migrator.lock, schema.name, patience.lockTimeout.milliseconds))
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

  /// Rolls back a dry run.
  private struct DryRun: Error {
    let statements: [String]
  }

  /// `isNew` of the result is true if the schema has no roles yet.
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

  /// The statements that make or adopt the roles.
  ///
  /// An existing role belongs to this schema if its comment names this schema of this database. The role that
  /// `migrate --api-role` has made is adopted if it has the expected name: an API is a member of it and can call the
  /// same functions as before.
  private func roleStatements(
    _ script: AccessScript, _ roles: AccessRoles, in transaction: Transaction
  ) async throws -> [String] {
    let names = script.kinds.map(roles.name)
    let list = Call<[FoundRole]>.rows(
      SQL.Migrator.listRoles, names, script.memberships.map { roles.name($0.member) },
      script.memberships.map { roles.name($0.role) }, schema.name
    ) { (row) throws(PostgresError) in
      let (name, isThere, isOurs, isFree, others, isMighty, role, comment) = try row.decode(
        String.self, Bool.self, Bool.self, Bool.self, String?.self, Bool.self, String?.self,
        String.self)
      return FoundRole(
        name: name, isThere: isThere, isOurs: isOurs, isFree: isFree, others: others,
        isMighty: isMighty, lacksRole: role, comment: comment)
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
      return own.isThere ? [] : ["create role \(name) \(role.options)", own.comment]
    } + found.compactMap { missing in missing.lacksRole.map { "grant \($0) to \(missing.name)" } }
  }

  private struct FoundRole: Sendable {
    let name: String
    let isThere, isOurs: Bool
    /// Whether its comment names no schema at all.
    let isFree: Bool
    let others: String?
    let isMighty: Bool
    let lacksRole: String?
    /// The statement that stores the schema of the role in its comment.
    let comment: String
  }

  /// No role may execute what owner and definer create until a right is granted.
  private func defaultRights(_ roles: AccessRoles, revoked: Bool) -> [String] {
    ["owner", "definer"].map {
      "alter default privileges for role \(roles.name($0)) "
        + (revoked
          ? "revoke execute on routines from public" : "grant execute on routines to public")
    }
  }
}

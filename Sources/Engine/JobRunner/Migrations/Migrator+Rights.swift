package import BatonPostgres
import RunnerSQL

extension Schema {
  /// The role that may execute the functions of an API, and do nothing else.
  ///
  /// It belongs to the cluster: two databases with a schema of this name share it, and each grants it access
  /// separately.
  package var apiRole: String { "\(name)_api" }
}

extension Migrator {
  /// The roles that may call the functions of a schema, besides its owner.
  package struct Rights: Sendable {
    /// The role of the API: the schema's own if the schema has roles, otherwise ``Schema/apiRole``.
    package let role: String
    /// The number of functions that this role may execute; nil if it does not exist or has no access to the schema.
    package let functionsOfRole: Int?
    /// Tables, views and sequences on which that role was granted a right, separated by commas; normally empty.
    package let granted: String
    /// Descriptions of the differences from the rights that ``Migrator/migrate(_:makesAPIRole:)`` would set.
    package let differences: [String]
  }

  /// Returns the roles that may call the functions of a migrated schema; changes nothing.
  ///
  /// - Throws: `PostgresError`.
  package func rights(_ connection: Connection) async throws -> Rights {
    let roles = try await Self.roles(of: schema, connection)
    let name = roles?.name("api") ?? schema.apiRole
    return try await connection.transaction(in: schema) { transaction in
      let role = try await transaction.run(readRole(name))
      var differences = try await listRights(hasRoles: roles != nil, in: transaction)
        .map(\.difference)
      if role.isInside, role.isOwner {
        differences.append("\(name) can do what the owner of the schema can")
      }
      return Rights(
        role: name, functionsOfRole: role.isInside ? role.functions : nil,
        granted: role.isInside ? role.granted : "", differences: differences)
    }
  }

  // MARK: The role

  /// Makes the role if it does not exist, in a transaction of its own before everything else.
  func makeAPIRole(_ connection: Connection) async throws {
    do {
      try await connection.transaction(in: schema) { transaction in
        if try await checkedAPIRole(in: transaction).isThere { return }
        try await transaction.script(SQL.Migrator.makeApiRole)
      }
    } catch let error as PostgresError where error.sqlState == "42501" {
      throw SchemaProblem.mayNotMakeRoles(schema)
    }
  }

  /// The statements for the role of the API that ``migrate(_:makesAPIRole:)`` would run.
  func planAPIRole(in transaction: Transaction) async throws -> [Statement] {
    try await checkedAPIRole(in: transaction).isThere
      ? [] : [Statement("migrator/make_api_role", "create role \(schema.apiRole) nologin")]
  }

  private func checkedAPIRole(in transaction: Transaction) async throws -> APIRole {
    // PostgreSQL cuts names at 63 bytes: two schemas could then share one role. The other 23 bytes are for future
    // roles.
    guard schema.name.utf8.count <= 40 else { throw SchemaProblem.tooLongForAPIRole(schema) }
    let role = try await transaction.run(readAPIRole)
    guard !role.isOwner else { throw SchemaProblem.apiRoleIsOwner(schema) }
    return role
  }

  /// The current state of the API's role.
  struct APIRole: Sendable {
    let isThere, isInside, isOwner: Bool
    let functions: Int
    let granted: String
  }

  var readAPIRole: Call<APIRole> { readRole(schema.apiRole) }

  /// Reads whether a role of this name exists, and what it may do in the schema.
  private func readRole(_ name: String) -> Call<APIRole> {
    .row(SQL.Migrator.readApiRole, name, schema.name) { (row) throws(PostgresError) in
      let (isThere, isInside, isOwner, functions, granted, _) = try row.decode(
        Bool.self, Bool.self, Bool.self, Int64.self, String.self, String.self)
      return APIRole(
        isThere: isThere, isInside: isInside, isOwner: isOwner, functions: Int(functions),
        granted: granted)
    }
  }

  // MARK: Rights

  /// Revokes the rights of PUBLIC and, if the role of the API has access, grants it the rights that it lacks.
  ///
  /// It reads the catalog, not a record of earlier changes. So it also corrects a dump that was restored without its
  /// rights, and a manual grant.
  ///
  /// - Parameter invites: whether the role gets access to this schema.
  func setRights(
    _ roles: AccessRoles?, invites: Bool = false, in transaction: Transaction,
    to outcome: inout Outcome
  ) async throws {
    let rights = try await listRights(
      invites: invites && roles == nil, hasRoles: roles != nil, in: transaction)
    if !rights.isEmpty {
      try await transaction.script(SQL.Migrator.setRights)
      outcome.rights += rights.map(\.statement)
    }
    if roles != nil {
      outcome.rights += try await setAccess(in: transaction)
    } else {
      try await keepAccessParts(in: transaction)
    }
  }

  /// - Parameter hasRoles: whether ``setAccess(in:)`` sets the rights of roles; if so, only the rights of PUBLIC are
  ///   listed.
  func listRights(
    invites: Bool = false, hasRoles: Bool = false, in transaction: Transaction
  ) async throws -> [(difference: String, statement: String)] {
    let parts = try await transaction.run(state.listParts)
    let newer = state.newerVersions(parts)
    // Another program's list may have functions that this one's does not have.
    let knowsAll = newer.isEmpty && state.unknownParts(parts).isEmpty
    let list: Call<[(difference: String, statement: String)]> = .rows(
      SQL.Migrator.listRights, hasRoles ? "" : schema.apiRole, invites, state.api(besides: newer),
      knowsAll
    ) { (row) throws(PostgresError) in
      let (difference, statement, _) = try row.decode(String.self, String.self, String.self)
      return (difference, statement)
    }
    let found = try await transaction.run(list)
    return found
  }
}

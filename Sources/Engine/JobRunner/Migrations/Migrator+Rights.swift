package import BatonPostgres
import RunnerSQL

extension Schema {
  /// The name of the role that may execute an API's functions, and nothing else.
  ///
  /// The API's role belongs to the whole cluster, not to a single database. If two databases have a
  /// schema with this name, they share the role. Each database grants its own rights to the role.
  package var apiRole: String { "\(name)_api" }
}

extension Migrator {
  /// The roles that may call the functions of a schema, in addition to the schema's owner.
  package struct Rights: Sendable {
    /// The name of the API's role.
    ///
    /// If the schema has its own roles, the API's role is one of them. If the schema has no roles,
    /// the API's role is ``Schema/apiRole``.
    package let role: String
    /// The number of functions that the role may execute.
    ///
    /// The number is nil if the role does not exist or has no access to the schema.
    package let functionsOfRole: Int?
    /// The tables, views and sequences on which the role has any rights, separated by commas.
    ///
    /// The string is normally empty, because the API's role needs only the right to execute
    /// functions.
    package let granted: String
    /// The rights of all roles except the owner and ``role``.
    ///
    /// If the schema has its own roles, the list is empty. In a schema with roles, the `check`
    /// command reports the rights of other roles as differences.
    package let others: [OtherRights]
    /// Descriptions of the rights that differ from the rights that
    /// ``Migrator/migrate(_:makesAPIRole:)`` sets.
    package let differences: [String]
  }

  /// The rights that an operator granted to a role.
  package struct OtherRights: Sendable {
    /// The name of the role.
    package let role: String
    /// The number of functions that the role may execute.
    package let functions: Int
    /// The tables, views and sequences on which the role has any rights, separated by commas.
    package let granted: String
  }

  /// Returns the roles that may call the functions of a migrated schema, without changing anything.
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
      var others: [OtherRights] = []
      if roles == nil { others = try await transaction.run(listCallers(besides: name)) }
      return Rights(
        role: name, functionsOfRole: role.isInside ? role.functions : nil,
        granted: role.isInside ? role.granted : "", others: others, differences: differences)
    }
  }

  private func listCallers(besides role: String) -> Call<[OtherRights]> {
    .rows(SQL.Migrator.listCallers, role) { (row) throws(PostgresError) in
      let (role, functions, granted) = try row.decode(String.self, Int64.self, String.self)
      return OtherRights(role: role, functions: Int(functions), granted: granted)
    }
  }

  // MARK: The API's role

  /// Creates the API's role in a separate transaction, if the role is missing.
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

  /// Returns the statements that ``migrate(_:makesAPIRole:)`` would run to create the API's role.
  func planAPIRole(in transaction: Transaction) async throws -> [Statement] {
    try await checkedAPIRole(in: transaction).isThere
      ? [] : [Statement("migrator/make_api_role", "create role \(schema.apiRole) nologin")]
  }

  private func checkedAPIRole(in transaction: Transaction) async throws -> APIRole {
    // PostgreSQL truncates names after 63 bytes, so two schemas with long names could share one
    // role. The limit of 40 bytes leaves 23 bytes for a suffix such as `_api`.
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

  /// Reads whether a role with this name exists, and what it may do in the schema.
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

  /// Revokes PUBLIC's rights, and grants the API's role the rights that it lacks.
  ///
  /// If the API's role has no access to the schema and `invites` is false, the method does not
  /// grant any rights. The method compares the expected rights with the rights in the catalog. The
  /// method therefore also grants rights that a dump did not contain, and revokes rights that were
  /// granted manually.
  ///
  /// - Parameter invites: whether the API's role gets access to this schema.
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

  /// Lists the differences between the rights in the catalog and the expected rights, and the
  /// statements that correct them.
  ///
  /// - Parameter hasRoles: whether ``setAccess(in:)`` sets the rights of roles. If `hasRoles` is
  ///   true, only PUBLIC's rights are listed.
  func listRights(
    invites: Bool = false, hasRoles: Bool = false, in transaction: Transaction
  ) async throws -> [(difference: String, statement: String)] {
    let parts = try await transaction.run(state.listParts)
    let newer = state.newerVersions(parts)
    // A function that this program does not contain may belong to the API of another program. This
    // program revokes the rights on unknown functions only if it knows all parts of the schema.
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

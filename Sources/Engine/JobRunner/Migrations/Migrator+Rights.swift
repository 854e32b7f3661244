package import BatonPostgres
import RunnerSQL

extension Schema {
  /// The role that may execute the functions of an API, and do nothing else.
  ///
  /// It is the cluster's: two databases with a schema of this name have it together, and each lets it in by
  /// itself.
  package var apiRole: String { "\(name)_api" }
}

extension Migrator {
  /// Who may call the functions of a schema, besides its owner.
  package struct Rights: Sendable {
    /// The role of the API: the schema's own if it has roles, else that of ``Schema/apiRole``.
    package let role: String
    /// How many functions that role may execute; nil: it is not there, or was not let in.
    package let functionsOfRole: Int?
    /// Tables, views and sequences of which somebody granted that role something, with commas; mostly empty.
    package let granted: String
    /// What is not as ``Migrator/migrate(_:makesAPIRole:)`` would leave it, in words.
    package let differences: [String]
  }

  /// Who may call the functions of a migrated schema; nothing is changed.
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

  /// Makes the role where it is not there; a transaction of its own, ahead of everything else.
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

  /// What becomes of the role of the API, as ``migrate(_:makesAPIRole:)`` would do it.
  func planAPIRole(in transaction: Transaction) async throws -> [Statement] {
    try await checkedAPIRole(in: transaction).isThere
      ? [] : [Statement("migrator/make_api_role", "create role \(schema.apiRole) nologin")]
  }

  private func checkedAPIRole(in transaction: Transaction) async throws -> APIRole {
    // PostgreSQL cuts names at 63 bytes: two schemas would have one role. The rest is for roles to come.
    guard schema.name.utf8.count <= 40 else { throw SchemaProblem.tooLongForAPIRole(schema) }
    let role = try await transaction.run(readAPIRole)
    guard !role.isOwner else { throw SchemaProblem.apiRoleIsOwner(schema) }
    return role
  }

  /// What the role of the API is now.
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

  /// Takes from everybody, and gives the role of the API, what it lacks where it was let in.
  ///
  /// By what the catalog says, not by what was made: a dump that was restored without its rights, or a grant by
  /// hand, is corrected too.
  ///
  /// - Parameter invites: whether the role is let in here.
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

  /// - Parameter hasRoles: whether rights of roles are kept by ``setAccess(in:)``; then only what everybody may
  ///   do is listed.
  func listRights(
    invites: Bool = false, hasRoles: Bool = false, in transaction: Transaction
  ) async throws -> [(difference: String, statement: String)] {
    let parts = try await transaction.run(books.listParts)
    let newer = books.newerVersions(parts)
    // Another program's list may have what this one's has not.
    let knowsAll = newer.isEmpty && books.unknownParts(parts).isEmpty
    let list: Call<[(difference: String, statement: String)]> = .rows(
      SQL.Migrator.listRights, hasRoles ? "" : schema.apiRole, invites, books.api(besides: newer),
      knowsAll
    ) { (row) throws(PostgresError) in
      let (difference, statement, _) = try row.decode(String.self, String.self, String.self)
      return (difference, statement)
    }
    let found = try await transaction.run(list)
    return found
  }
}

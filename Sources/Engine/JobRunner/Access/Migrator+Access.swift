package import BatonPostgres
import RunnerSQL

// In a schema with roles, the migrator acts as the owner role. The migrator creates the functions
// and sets the rights in one transaction. After a migration, each object of the schema belongs to
// the owner role or the definer role. Row security hides all rows from roles without a policy. Each
// role has exactly the rights that the `access/*.sql` files declare. After it sets the rights, the
// migrator stores the rights of every role in the schema. The next migration and `check` compare
// the catalog with the stored rights to find manual changes.
extension Migrator {
  /// Returns the roles of the schema, or nil if the schema has no roles.
  ///
  /// - Throws: `PostgresError`, for example if the caller cannot read the schema.
  package static func roles(
    of schema: Schema, _ connection: Connection
  ) async throws(PostgresError) -> AccessRoles? {
    guard try await connection.run(hasAccess(schema)) else { return nil }
    let roles = try await connection.atomically(in: schema, readRoles)
    return roles.first
  }

  /// Returns whether the schema contains the tables that store its roles.
  private static func hasAccess(_ schema: Schema) -> Call<Bool> {
    .row(SQL.Migrator.hasAccess, schema.name, as: Bool.self)
  }

  /// Reads the roles of the schema, as a list with one element, or an empty list if the schema has
  /// no roles.
  static var readRoles: Call<[AccessRoles]> {
    .rows(SQL.Migrator.readPrefix) { (row) throws(PostgresError) in
      let prefix = try row.decode(String.self)
      guard let roles = AccessRoles(prefix: prefix) else {
        throw PostgresError(.dataException, "access holds the prefix '\(prefix)'")
      }
      return roles
    }
  }

  /// Returns the access declarations of all parts of the schema.
  ///
  /// For a part that this program lacks, or that was migrated by a newer program, the stored
  /// declarations are returned.
  ///
  /// - Returns: `areStored` is true if the schema already stores exactly the returned declarations.
  func accessParts(
    in transaction: Transaction
  ) async throws -> (wanted: [AccessScript.Part], areStored: Bool) {
    let list = Call<[AccessScript.Part]>.rows(SQL.Migrator.listAccessParts) {
      (row) throws(PostgresError) in
      let (name, text) = try row.decode(String.self, String.self)
      return AccessScript.Part(name: name, text: text)
    }
    let (sets, kept) = try await transaction.run(state.listParts, list)
    let newer = state.newerVersions(sets)
    let own = state.parts.filter { !newer.contains($0.name) }.map { AccessScript.Part($0) }
    let others = kept.filter { part in !own.contains { $0.name == part.name } }
    let wanted = own.filter { !$0.text.isEmpty } + others
    return (wanted, wanted.count == kept.count && wanted.allSatisfy(kept.contains))
  }

  /// Stores the access declarations of each part of a schema that has no roles yet.
  ///
  /// The `roles create` command uses the stored declarations to set the rights of parts that the
  /// executing program does not contain.
  func keepAccessParts(in transaction: Transaction) async throws {
    // Until a migration has created the table for access declarations, they cannot be stored.
    guard try await transaction.run(Self.hasAccess(schema)) else { return }
    let (wanted, areStored) = try await accessParts(in: transaction)
    guard !areStored else { return }
    try await transaction.run(
      .run(
        SQL.Migrator.recordAccessParts, wanted.map { "part \($0.name)" }, wanted.map(\.text)))
  }

  /// Makes the connection's later transactions act as the owner role, and returns the schema's
  /// roles.
  ///
  /// If the schema has no roles, the method returns nil and changes nothing.
  func actAsOwner(_ connection: Connection) async throws -> AccessRoles? {
    let roles = try await Self.roles(of: schema, connection)
    if let roles { await connection.act(as: roles.name("owner")) }
    return roles
  }

  /// Sets the rights of objects that were created after ``migrate(_:makesAPIRole:)``.
  ///
  /// The method does nothing if the schema has no roles. The connection's later transactions act as
  /// the owner role.
  ///
  /// - Throws: ``AccessProblem`` or `PostgresError`.
  package func settleAccess(_ connection: Connection) async throws {
    guard try await actAsOwner(connection) != nil else { return }
    var outcome = Outcome()
    try await patience.tried {
      try await locked(connection, &outcome) { (transaction, done) in
        done.rights += try await setAccess(in: transaction)
      }
    }
  }

  // MARK: Rights

  /// Sets owners, row security, rights and policies as the parts of the schema declare them.
  ///
  /// If the schema already matches the access declarations, no statements are run.
  ///
  /// - Returns: the statements that were run, in order.
  @discardableResult
  func setAccess(in transaction: Transaction) async throws -> [String] {
    guard let roles = try await transaction.run(Self.readRoles).first,
      let change = try await accessChange(roles, in: transaction)
    else { return [] }
    try await runEach(change.statements, in: transaction)
    let left = try await transaction.run(listAccess(change.script, roles))
    try await record(change.policies, change.parts, left, in: transaction)
    return change.statements
  }

  /// The differences between the schema and its access declarations, and the statements that fix
  /// them.
  struct AccessChange {
    let parts: [AccessScript.Part]
    let script: AccessScript
    let policies: [AccessScript.Policy]
    let statements: [String]
  }

  /// Returns the change that ``setAccess(in:)`` would make, or nil if no change is needed.
  ///
  /// - Parameter areAllThere: whether all roles of the schema exist. If `areAllThere` is false, a
  ///   change is returned even if no object differs from the declarations.
  func accessChange(
    _ roles: AccessRoles, areAllThere: Bool = true, in transaction: Transaction
  ) async throws -> AccessChange? {
    let (parts, areStored) = try await accessParts(in: transaction)
    let script = try AccessScript(parts)
    let objects = try await transaction.run(listAccess(script, roles))
    guard !areAllThere || !areStored || objects.contains(where: \.isChanged) else { return nil }
    let (tables, lacking) = try await transaction.run(
      listTables, .rows(SQL.Migrator.listLacking, script.kinds.map(roles.name), as: String.self))
    if areAllThere, let role = lacking.first { throw AccessProblem.lacks(role: role) }
    let policies = script.policies(of: tables)
    return AccessChange(
      parts: parts, script: script, policies: policies,
      statements: try await statements(policies, objects, script, roles, in: transaction))
  }

  /// Stores the current rights on each object and the access declarations of every part.
  private func record(
    _ policies: [AccessScript.Policy], _ parts: [AccessScript.Part], _ objects: [AccessObject],
    in transaction: Transaction
  ) async throws {
    let left = objects.filter { $0.state != nil }
    let texts = Dictionary(uniqueKeysWithValues: policies.map { ($0.object, $0.text) })
    try await transaction.run(
      .run(
        SQL.Migrator.recordAccess, left.map(\.object) + parts.map { "part \($0.name)" },
        left.map { $0.state ?? "" } + parts.map { _ in "" },
        left.map { texts[$0.object] } + parts.map { Optional($0.text) }))
  }

  /// Returns the statements that set the rights, in order.
  func statements(
    _ policies: [AccessScript.Policy], _ found: [AccessObject],
    _ script: AccessScript, _ roles: AccessRoles, in transaction: Transaction
  ) async throws -> [String] {
    let services = script.seesAll.filter { $0 != "owner" }.map(roles.name)
    let revoked = try await revocations(script, roles, in: transaction)
    let (rows, helpers) = try await transaction.run(
      .rows(SQL.Migrator.listRowSecurity, as: String.self),
      .rows(SQL.Migrator.listHelpers, services.joined(separator: ", "), as: String.self))
    return try await ownerStatements(
      roles.name("owner"), roles.name("definer"), in: transaction)
      + rows + revoked
      + script.grants.map { roles.rendered($0.text, in: schema) } + helpers
      + policyStatements(policies, found, roles)
  }

  /// Returns the statements that change object owners.
  ///
  /// PostgreSQL requires that an object's new owner may create objects in the schema. The definer
  /// role may create objects in the schema only while the ownership of objects is being transferred
  /// to it.
  func ownerStatements(
    _ owner: String, _ definer: String, in transaction: Transaction
  ) async throws -> [String] {
    let statements = try await transaction.run(
      .rows(SQL.Migrator.listOwners, owner, definer, as: String.self))
    guard !statements.isEmpty, owner != definer else { return statements }
    return ["grant usage, create on schema \(schema) to \(definer)"] + statements
      + ["revoke create on schema \(schema) from \(definer)"]
  }

  /// Returns the statements that revoke all rights from every role except the owner.
  ///
  /// - Parameter callers: the kinds of the roles that lose their rights on routines, or nil for all
  ///   roles except the owner and the definer, which owns some routines.
  func revocations(
    _ script: AccessScript, _ roles: AccessRoles, callers: [String]? = nil,
    in transaction: Transaction
  ) async throws -> [String] {
    let others = script.kinds.filter { $0 != "owner" }
    let callers = callers ?? others.filter { $0 != "definer" }
    let statements = try await transaction.run(
      .rows(
        SQL.Migrator.listRevocations, others.map(roles.name).joined(separator: ", "),
        callers.map(roles.name).joined(separator: ", "), as: String.self))
    return statements
  }

  /// Returns the statements that drop outdated policies and create missing policies.
  ///
  /// Unchanged policies are skipped, because creating a policy locks its table with ACCESS
  /// EXCLUSIVE.
  private func policyStatements(
    _ policies: [AccessScript.Policy], _ found: [AccessObject], _ roles: AccessRoles
  ) -> [String] {
    let there = found.filter { $0.object.hasPrefix("policy ") && $0.state != nil }
    let right = Set(
      there.filter { object in
        !object.isChanged
          && policies.contains { $0.object == object.object && $0.text == object.madeBy }
      }.map(\.object))
    return there.filter { !right.contains($0.object) }.map { "drop \($0.quoted)" }
      + policies.filter { !right.contains($0.object) }.map { roles.rendered($0.text, in: schema) }
  }

  func runEach(_ texts: [String], in transaction: Transaction) async throws {
    guard !texts.isEmpty else { return }
    try await transaction.script(
      Statement("migrator/set_access", texts.joined(separator: ";\n")))
  }

  // MARK: Current rights

  /// An object of the schema, with each role's rights on it.
  struct AccessObject: Sendable {
    let object: String
    /// The rights that the migrator stored for the object, or nil if it is new.
    let left: String?
    /// The current rights on the object, or nil if it no longer exists.
    let state: String?
    /// The statement that created the object, if it is a policy.
    let madeBy: String?
    /// The object with quoted names, as a statement contains it.
    let quoted: String

    var isChanged: Bool { DefinitionText.differ(left, state) }
  }

  func listAccess(_ script: AccessScript, _ roles: AccessRoles) -> Call<[AccessObject]> {
    .rows(SQL.Migrator.listAccess, script.kinds.map(roles.name)) { (row) throws(PostgresError) in
      let (object, left, state, madeBy, quoted) = try row.decode(
        String.self, String?.self, String?.self, String?.self, String?.self)
      return AccessObject(
        object: object, left: left, state: state, madeBy: madeBy, quoted: quoted ?? object)
    }
  }

  var listTables: Call<[AccessScript.Table]> {
    .rows(SQL.Migrator.listTables) { (row) throws(PostgresError) in
      let (name, quoted, isPartition) = try row.decode(String.self, String.self, Bool.self)
      return AccessScript.Table(name: name, quoted: quoted, isPartition: isPartition)
    }
  }
}

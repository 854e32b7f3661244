package import BatonPostgres
import RunnerSQL

extension Migrator {
  /// A difference between a schema and the intended definitions and rights.
  package struct AccessFault: Sendable, Equatable {
    /// Whether the problem makes `check` fail.
    ///
    /// If `isFault` is false, the finding is only a recommendation.
    package let isFault: Bool
    /// The description of the problem.
    package let what: String
    /// The object that has the problem.
    package let place: String
    /// The statement or the command that fixes the problem.
    package let fix: String
  }

  /// Finds incorrect definitions and rights in the schema.
  ///
  /// The method checks rules that apply to any schema, and compares the functions with their
  /// definitions in this program. The method also compares all definitions with the definitions
  /// that ``migrate(_:makesAPIRole:)`` recorded. If the schema has roles, the method also compares
  /// the roles with the access declarations.
  ///
  /// - Throws: ``AccessProblem`` or `PostgresError`.
  package func accessFaults(_ connection: Connection) async throws -> [AccessFault] {
    let roles = try await Self.roles(of: schema, connection)
    return try await connection.transaction(in: schema) { transaction in
      let definitions = try await definitionFaults(in: transaction)
      let script =
        try roles == nil
        ? AccessScript([]) : AccessScript(try await accessParts(in: transaction).wanted)
      let names = roles.map { script.kinds.map($0.name) } ?? []
      let place = "the rights in schema \(schema)"
      let lint = Call<[AccessFault]>.rows(SQL.Migrator.lintAccess, roles?.prefix, names) {
        (row) throws(PostgresError) in
        let (isFault, what, fix) = try row.decode(Bool.self, String.self, String.self)
        return AccessFault(isFault: isFault, what: what, place: place, fix: fix)
      }
      let (schemaFaults, roleFaults, outsideFaults, refusing) = try await transaction.run(
        lint, lintRoles(script, roles), lintOutside(roles), Self.listRefusingPublications)
      let faults = definitions + schemaFaults + roleFaults + outsideFaults
      let publications = refusing.map { fault(of: $0) }
      guard let roles else { return faults + publications }
      let changed = try await transaction.run(listAccess(script, roles)).filter(\.isChanged)
      return changed.map { fault($0, roles) } + faults + publications
    }
  }

  private func fault(of publication: RefusingPublication) -> AccessFault {
    AccessFault(
      isFault: true, what: "PostgreSQL refuses writes because of \(publication.object)",
      place: "the publications of the database", fix: publication.fix)
  }

  /// Finds privileges of the roles beyond the access declarations: options, memberships, settings,
  /// and rights outside the schema.
  ///
  /// The database's settings and the default privileges are also checked in a schema without roles.
  private func lintRoles(_ script: AccessScript, _ roles: AccessRoles?) -> Call<[AccessFault]> {
    let declared = roles == nil ? [] : script.roles
    func name(_ kind: String) -> String { roles?.name(kind) ?? kind }
    // PostgreSQL's defaults are `nologin` and `inherit`.
    let options = declared.map { Set($0.options.split(separator: " ").map(String.init)) }
    return .rows(
      SQL.Migrator.lintRoles, declared.map { name($0.kind) },
      options.map { $0.contains("login") }, options.map { !$0.contains("noinherit") },
      script.memberships.map { name($0.role) }, script.memberships.map { name($0.member) },
      roles == nil ? [] : ["owner", "definer", "migrator"].map(name),
      roles == nil ? [] : [name("dashboard")]
    ) { (row) throws(PostgresError) in
      let (isFault, what, place, fix) = try row.decode(
        Bool.self, String.self, String.self, String.self)
      return AccessFault(isFault: isFault, what: what, place: place, fix: fix)
    }
  }

  /// Lists the views and functions in other schemas that let a role access the schema's tables with
  /// another role's rights.
  private func lintOutside(_ roles: AccessRoles?) -> Call<[AccessFault]> {
    .rows(SQL.Migrator.lintOutside, roles?.prefix) { (row) throws(PostgresError) in
      let (isFault, what, fix) = try row.decode(Bool.self, String.self, String.self)
      return AccessFault(
        isFault: isFault, what: what, place: "the other schemas of the database", fix: fix)
    }
  }

  /// Lists the roles outside the schema that can act as one of its roles.
  package func outsiders(
    _ connection: Connection
  ) async throws -> [(member: String, role: String)] {
    guard let roles = try await Self.roles(of: schema, connection) else { return [] }
    return try await connection.transaction(in: schema) { transaction in
      let script = try AccessScript(try await accessParts(in: transaction).wanted)
      let list = Call<[(member: String, role: String)]>.rows(
        SQL.Migrator.listMembers, script.kinds.map(roles.name)
      ) { (row) throws(PostgresError) in
        let (role, member) = try row.decode(String.self, String.self)
        return (member: member, role: role)
      }
      let outsiders = try await transaction.run(list)
      return outsiders
    }
  }

  private func fault(_ object: AccessObject, _ roles: AccessRoles) -> AccessFault {
    let what =
      switch (object.left, object.state) {
      case (nil, let state?):
        "the \(object.object) is not as migrate leaves it: it is new: \(state)"
      case (let left?, nil): "the \(object.object) is gone: it was: \(left)"
      case (let left, let state):
        "the \(object.object) is: \(state ?? ""); it was left: \(left ?? "")"
      }
    return AccessFault(
      isFault: true, what: what, place: "the rights in schema \(schema)",
      fix: object.repairOfOwner(roles).map(schema.entering) ?? "migrate")
  }
}

extension Migrator.AccessObject {
  /// The statement that returns the object to its recorded owner, or nil if `migrate` can change
  /// the owner itself.
  ///
  /// `migrate` acts as the owner role, which cannot change an object that belongs to a role outside
  /// the schema.
  fileprivate func repairOfOwner(_ roles: AccessRoles) -> String? {
    guard !object.hasPrefix("policy "), let left, let state else { return nil }
    func owner(_ state: String) -> Substring { state.prefix { $0 != ";" && $0 != "," } }
    let own = ["owner", "definer"].map(roles.name)
    guard owner(left) != owner(state), !own.contains(String(owner(state))) else { return nil }
    return "alter \(quoted) owner to \(owner(left))"
  }
}

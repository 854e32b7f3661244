package import BatonPostgres
import RunnerSQL

// With roles, whoever migrates acts as the owner, and leaves behind in one transaction with the functions: that
// each object belongs to owner or definer, that rows are hidden from whoever has no policy, and that each role may
// do what the parts' files say and nothing else. What the catalog holds then is written into the books, by which
// the next migrator and `check` find what somebody has changed by hand.
extension Migrator {
  /// The roles of the schema; nil where it has none.
  ///
  /// - Throws: `PostgresError`: also where the caller may not look into the schema.
  package static func roles(
    of schema: Schema, _ connection: Connection
  ) async throws(PostgresError) -> AccessRoles? {
    guard try await connection.run(hasAccess(schema)) else { return nil }
    let roles = try await connection.atomically(in: schema, readRoles)
    return roles.first
  }

  /// Whether the schema has the tables of its roles.
  private static func hasAccess(_ schema: Schema) -> Call<Bool> {
    .row(SQL.Migrator.hasAccess, schema.name) { (row) throws(PostgresError) in
      try row.decode(Bool.self)
    }
  }

  /// The roles of the schema, as the first of a list; an empty one where it has none.
  static var readRoles: Call<[AccessRoles]> {
    .rows(SQL.Migrator.readPrefix) { (row) throws(PostgresError) in
      let prefix = try row.decode(String.self)
      guard let roles = AccessRoles(prefix: prefix) else {
        throw PostgresError(.dataException, "access holds the prefix '\(prefix)'")
      }
      return roles
    }
  }

  /// What all parts of the schema say of access: of those that this program does not know, or of which a newer one
  /// was here, what the books keep.
  func accessParts(
    in transaction: Transaction
  ) async throws -> (wanted: [AccessScript.Part], kept: [AccessScript.Part]) {
    let list = Call<[AccessScript.Part]>.rows(SQL.Migrator.listAccessParts) {
      (row) throws(PostgresError) in
      let (name, text) = try row.decode(String.self, String.self)
      return AccessScript.Part(name: name, text: text)
    }
    let (sets, kept) = try await transaction.run(books.listParts, list)
    let newer = books.newerVersions(sets)
    let own = books.parts.filter { !newer.contains($0.name) }.map { AccessScript.Part($0) }
    let others = kept.filter { part in !own.contains { $0.name == part.name } }
    return (own.filter { !$0.text.isEmpty } + others, kept)
  }

  /// Stores what each part says of access in a schema without roles, so that `roles create` of a program that does
  /// not know a part gives the rights of that part too.
  func keepAccessParts(in transaction: Transaction) async throws {
    // Ahead of the migration that makes the table there is nothing to write to.
    guard try await transaction.run(Self.hasAccess(schema)) else { return }
    let (wanted, kept) = try await accessParts(in: transaction)
    guard wanted.count != kept.count || !wanted.allSatisfy(kept.contains) else { return }
    try await transaction.run(
      .run(
        SQL.Migrator.recordAccessParts, wanted.map { "part \($0.name)" }, wanted.map(\.text)))
  }

  /// Lets later transactions act as the owner, where the schema has roles.
  func actAsOwner(_ connection: Connection) async throws -> AccessRoles? {
    let roles = try await Self.roles(of: schema, connection)
    if let roles { await connection.act(as: roles.name("owner")) }
    return roles
  }

  /// Sets the rights anew.
  ///
  /// For what was made behind ``migrate(_:makesAPIRole:)``; nothing where the schema has no
  /// roles. Later transactions of the connection act as the owner.
  ///
  /// - Throws: ``AccessProblem``, `PostgresError`.
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

  /// Makes owners, row security, rights and policies what the parts' files say; nothing where they are.
  ///
  /// - Returns: what was run, in order.
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

  /// What is not as it should be, and what makes it so.
  struct AccessChange {
    let parts: [AccessScript.Part]
    let script: AccessScript
    let policies: [AccessScript.Policy]
    let statements: [String]
  }

  /// What ``setAccess(in:)`` would do; nil where all is right.
  ///
  /// - Parameter areAllThere: whether the schema has its roles; if not, all is to be done.
  func accessChange(
    _ roles: AccessRoles, areAllThere: Bool = true, in transaction: Transaction
  ) async throws -> AccessChange? {
    let (parts, kept) = try await accessParts(in: transaction)
    let script = try AccessScript(parts)
    let objects = try await transaction.run(listAccess(script, roles))
    let isKept = parts.count == kept.count && parts.allSatisfy(kept.contains)
    guard !areAllThere || !isKept || objects.contains(where: \.isChanged) else { return nil }
    let (tables, lacking) = try await transaction.run(
      listTables, .texts(SQL.Migrator.listLacking, script.kinds.map(roles.name)))
    if areAllThere, let role = lacking.first { throw AccessProblem.lacks(role: role) }
    let policies = script.policies(of: tables)
    return AccessChange(
      parts: parts, script: script, policies: policies,
      statements: try await statements(policies, objects, script, roles, in: transaction))
  }

  /// Writes down what the rights were left as, and what every part says of them.
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

  /// What makes rights so, in order.
  func statements(
    _ policies: [AccessScript.Policy], _ found: [AccessObject],
    _ script: AccessScript, _ roles: AccessRoles, in transaction: Transaction
  ) async throws -> [String] {
    let services = script.seesAll.filter { $0 != "owner" }.map(roles.name)
    let (rows, helpers) = try await transaction.run(
      .texts(SQL.Migrator.listRowSecurity),
      .texts(SQL.Migrator.listHelpers, services.joined(separator: ", ")))
    return try await ownerStatements(
      roles.name("owner"), roles.name("definer"), in: transaction)
      + rows + revocations(script, roles)
      + script.grants.map { roles.rendered($0.text, in: schema) } + helpers
      + policyStatements(policies, found, roles)
  }

  /// The definer may make functions for as long as they are handed to it.
  func ownerStatements(
    _ owner: String, _ definer: String, in transaction: Transaction
  ) async throws -> [String] {
    let statements = try await transaction.run(.texts(SQL.Migrator.listOwners, owner, definer))
    guard !statements.isEmpty, owner != definer else { return statements }
    return ["grant usage, create on schema \(schema) to \(definer)"] + statements
      + ["revoke create on schema \(schema) from \(definer)"]
  }

  /// From everybody but the owner, and of its own functions from everybody but the definer.
  func revocations(_ script: AccessScript, _ roles: AccessRoles) -> [String] {
    let others = script.kinds.filter { $0 != "owner" }
    let everybody = others.map(roles.name).joined(separator: ", ")
    let callers = others.filter { $0 != "definer" }.map(roles.name).joined(separator: ", ")
    return [
      "revoke all on schema \(schema) from \(everybody)",
      "revoke all on all tables in schema \(schema) from \(everybody)",
      "revoke all on all sequences in schema \(schema) from \(everybody)",
      "revoke all on all routines in schema \(schema) from \(callers)",
    ]
  }

  /// Those that are there with the same text and the same meaning are left alone: a policy is made under ACCESS
  /// EXCLUSIVE on its table.
  private func policyStatements(
    _ policies: [AccessScript.Policy], _ found: [AccessObject], _ roles: AccessRoles
  ) -> [String] {
    let there = found.filter { $0.object.hasPrefix("policy ") && $0.state != nil }
    let right = Set(
      there.filter { object in
        !object.isChanged
          && policies.contains { $0.object == object.object && $0.text == object.madeBy }
      }.map(\.object))
    return there.filter { !right.contains($0.object) }.map { "drop \($0.object)" }
      + policies.filter { !right.contains($0.object) }.map { roles.rendered($0.text, in: schema) }
  }

  func runEach(_ texts: [String], in transaction: Transaction) async throws {
    guard !texts.isEmpty else { return }
    try await transaction.script(
      Statement("migrator/set_access", texts.joined(separator: ";\n")))
  }

  // MARK: What is there

  /// An object, and what roles may do with it.
  struct AccessObject: Sendable {
    let object: String
    /// As it was left; nil: it is new.
    let left: String?
    /// As it is; nil: it is gone.
    let state: String?
    /// What made it, where it is a policy.
    let madeBy: String?

    var isChanged: Bool { left != state }
  }

  func listAccess(_ script: AccessScript, _ roles: AccessRoles) -> Call<[AccessObject]> {
    .rows(SQL.Migrator.listAccess, script.kinds.map(roles.name)) { (row) throws(PostgresError) in
      let (object, left, state, madeBy) = try row.decode(
        String.self, String?.self, String?.self, String?.self)
      return AccessObject(object: object, left: left, state: state, madeBy: madeBy)
    }
  }

  var listTables: Call<[AccessScript.Table]> {
    .rows(SQL.Migrator.listTables) { (row) throws(PostgresError) in
      let (name, isPartition) = try row.decode(String.self, Bool.self)
      return AccessScript.Table(name: name, isPartition: isPartition)
    }
  }
}

extension Call where Output == [String] {
  /// Rows of one text each.
  static func texts<each P: PostgresEncodable>(
    _ statement: Statement, _ parameters: repeat each P
  ) -> Call {
    .rows(statement, repeat each parameters) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
  }
}

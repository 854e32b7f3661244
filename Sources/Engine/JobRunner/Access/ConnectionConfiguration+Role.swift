package import BatonPostgres
import RunnerSQL

extension ConnectionConfiguration {
  /// Makes the transactions of each connection act as the role of the given kind, if the schema has
  /// roles.
  ///
  /// If the login is not a member of the role, opening a connection fails with SQLSTATE 42501. For
  /// each new connection, the login's membership in the role is rechecked. Roles that are created
  /// while a worker runs take effect with the worker's next connection.
  ///
  /// - Parameter ifMember: if true, a login that is not a member of the role connects with its own
  ///   rights. If `ifMember` is false, a login that is not a member cannot open a connection.
  package mutating func act(as kind: String, of schema: Schema, ifMember: Bool = false) {
    whenOpened = { (connection) throws(PostgresError) in
      guard let name = try await Migrator.roles(of: schema, connection)?.name(kind) else { return }
      let read = Call<(user: String, isSelf: Bool, isMember: Bool)>.row(
        SQL.Migrator.isMember, name
      ) { (row) throws(PostgresError) in
        let (user, isSelf, isMember) = try row.decode(String.self, Bool.self, Bool.self)
        return (user: user, isSelf: isSelf, isMember: isMember)
      }
      let login = try await connection.run(read)
      guard login.isMember else {
        if ifMember { return }
        throw PostgresError("42501", "\(login.user) is not \(name), and no member of it")
      }
      if !login.isSelf { await connection.act(as: name) }
    }
  }
}

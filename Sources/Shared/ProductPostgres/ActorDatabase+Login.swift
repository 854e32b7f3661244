package import BatonPostgres
import IdentitySQL

/// Checks a server's logins, with error messages for operators.
extension ActorDatabase {
  /// Executes a call with a user's identity, and returns the user id that the database reads from
  /// the identity.
  ///
  /// If the database does not accept the identity's signature, the returned id is not the given
  /// user's id.
  ///
  /// - Throws: `PostgresError`.
  package func acceptedActor(of user: String) async throws -> String? {
    try await run(
      .row(SQL.Login.readActor) { (row) throws(PostgresError) in try row.decode(String?.self) },
      for: user)
  }

  /// Returns the privileges of the connections' login, or nil if the schema does not exist.
  ///
  /// - Throws: `PostgresError`.
  package func loginRights(in schema: Schema) async throws -> LoginRights? {
    let read = Call<[LoginRights]>.rows(SQL.Login.readLogin, schema.name) {
      (row) throws(PostgresError) in try row.loginRights()
    }
    return try await run(read, for: nil).first
  }
}

/// A login's privileges in the schema.
package struct LoginRights: Sendable {
  /// The name of the login.
  package let user: String
  /// A privilege that users' calls do not need, such as "is a superuser", or nil if the login has
  /// no excess privileges.
  package let excess: String?
  /// Whether the login has the USAGE privilege on the schema.
  package let mayUseSchema: Bool
}

extension Row {
  fileprivate func loginRights() throws(PostgresError) -> LoginRights {
    let (user, isSuperuser, bypassesPolicies, isOwner, mayUseSchema) = try decode(
      String.self, Bool.self, Bool.self, Bool.self, Bool.self)
    var excess: String?
    if isOwner { excess = "has the rights of the schema's owner" }
    if bypassesPolicies { excess = "bypasses row-level security" }
    if isSuperuser { excess = "is a superuser" }
    return LoginRights(user: user, excess: excess, mayUseSchema: mayUseSchema)
  }
}

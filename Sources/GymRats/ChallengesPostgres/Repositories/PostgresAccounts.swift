package import BatonPostgres
package import Challenges
import ChallengesSQL

/// The checks of a server's logins, whose errors an operator reads.
extension ChallengesDatabase {
  /// Returns the id of the user for whom the database executes calls with the identity of the given
  /// user.
  ///
  /// If the result is not the user, the database does not accept the signature of the identity.
  ///
  /// - Throws: `PostgresError`.
  package func acceptedActor(of user: String) async throws -> String? {
    try await execute(
      .row(SQL.Api.readActor) { (row) throws(PostgresError) in try row.decode(String?.self) },
      for: user)
  }

  /// Returns the rights of the connections' login, or nil if the schema does not exist.
  ///
  /// - Throws: `PostgresError`.
  package func loginRights(in schema: Schema) async throws -> LoginRights? {
    let read = Call<[LoginRights]>.rows(SQL.Api.readLogin, schema.name) {
      (row) throws(PostgresError) in try row.loginRights()
    }
    return try await execute(read, for: nil).first
  }

  /// Checks that the connections' login may find users.
  ///
  /// - Throws: `PostgresError`.
  package func checkFindsUsers() async throws {
    _ = try await execute(Call<String?>.findUser("apple", subject: "probe"), for: nil)
  }
}

/// The rights of a login in the schema.
package struct LoginRights: Sendable {
  /// The name of the login.
  package let user: String
  /// The right that the calls of users do not need, as in "is a superuser", or nil.
  package let excess: String?
  /// Whether the login has the privilege USAGE on the schema.
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

extension Call where Output == String? {
  fileprivate static func findUser(_ provider: String, subject: String) -> Call {
    .row(SQL.Api.findUser, provider, subject) { (row) throws(PostgresError) in
      try row.decode(String?.self)
    }
  }
}

/// Finds and creates the users of verified identities, for a server with the login of the API role.
package struct PostgresAccounts: Sendable {
  private let database: ChallengesDatabase

  /// Creates a value from a database whose login may act for all users.
  package init(_ database: ChallengesDatabase) { self.database = database }

  /// Returns the id of the user with the given subject at the given provider, or nil if no such
  /// user exists.
  package func find(_ provider: String, subject: String) async throws -> String? {
    try await database.run(Call<String?>.findUser(provider, subject: subject), for: nil)
  }

  /// Returns the user with the given subject at the given provider, and creates the user on the
  /// first call.
  package func signIn(
    _ provider: String, subject: String, displayName: String?, email: String?, photoURL: String?
  ) async throws -> SocialUser {
    try await database.run(
      .row(
        SQL.Api.upsertUser, provider, subject, displayName, email, photoURL
      ) { (row) throws(PostgresError) in try row.user() }, for: nil)
  }
}

import BatonPostgres
package import Challenges
import ChallengesSQL

/// Checks whether the login may find and create users.
extension ChallengesDatabase {
  /// Checks that the connections' login may find users.
  ///
  /// - Throws: `PostgresError`.
  package func checkFindsUsers() async throws {
    _ = try await execute(Call<String?>.findUser("apple", subject: "probe"), for: nil)
  }
}

extension Call where Output == String? {
  fileprivate static func findUser(_ provider: String, subject: String) -> Call {
    .row(SQL.Api.findUser, provider, subject) { (row) throws(PostgresError) in
      try row.decode(String?.self)
    }
  }
}

/// Finds and creates the users of verified identities, for a server that connects as the API role.
package struct PostgresAccounts: Sendable {
  private let database: ChallengesDatabase

  /// Creates a value from a database whose login may act for all users.
  package init(_ database: ChallengesDatabase) { self.database = database }

  /// Returns the id of the user with the given subject at the given provider, or nil if no such
  /// user exists.
  package func find(_ provider: String, subject: String) async throws -> String? {
    try await database.run(Call<String?>.findUser(provider, subject: subject), for: nil)
  }

  /// Returns the user with the given subject at the given provider, creating the user on the first
  /// call.
  package func signIn(
    _ provider: String, subject: String, displayName: String?, email: String?, photoURL: String?
  ) async throws -> SocialUser {
    try await database.run(
      .row(
        SQL.Api.upsertUser, provider, subject, displayName, email, photoURL
      ) { (row) throws(PostgresError) in try row.user() }, for: nil)
  }
}

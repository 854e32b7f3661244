package import BatonPostgres

/// A key that claims are signed with, as the database shows it once.
package struct ClaimKey: Sendable {
  /// Its id in the database.
  package let id: Int
  /// In hexadecimal.
  package let text: String

  /// A key.
  package init(id: Int, text: String) { (self.id, self.text) = (id, text) }
}

extension Call where Output == ClaimKey {
  /// Makes the next one; for the owner.
  package static var rotateKey: Call {
    .row(Statement("test/rotate", "select key_id, key from rotate_claim_key()")) {
      (row) throws(PostgresError) in
      let (id, key) = try row.decode(Int32.self, String.self)
      return ClaimKey(id: Int(id), text: key)
    }
  }
}

extension Call where Output == String? {
  /// Whom the database takes the caller for; nil: nobody.
  package static var currentActor: Call {
    .row(Statement("test/current_actor", "select current_actor()")) { (row) throws(PostgresError) in
      try row.decode(String?.self)
    }
  }
}

extension Session {
  /// Whom the database takes the caller for; nil: nobody.
  package func actor() async throws -> String? { try await atomically(.currentActor) }
}

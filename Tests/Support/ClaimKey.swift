package import BatonPostgres

/// A key for signing identity tokens, which the database returns only once.
package struct ClaimKey: Sendable {
  /// The key's id in the database.
  package let id: Int
  /// The key in hexadecimal.
  package let text: String

  /// Creates a key from an id and a string.
  package init(id: Int, text: String) { (self.id, self.text) = (id, text) }
}

extension Call where Output == ClaimKey {
  /// A call that creates the next key.
  ///
  /// Only the owner may make the call.
  package static var rotateKey: Call {
    .row(Statement("test/rotate", "select key_id, key from rotate_claim_key()")) {
      (row) throws(PostgresError) in
      let (id, key) = try row.decode(Int32.self, String.self)
      return ClaimKey(id: Int(id), text: key)
    }
  }
}

extension Call where Output == String? {
  /// Returns the user whom the database recognizes as the caller, or nil for an anonymous caller.
  package static var currentActor: Call {
    .row(Statement("test/current_actor", "select current_actor()")) { (row) throws(PostgresError) in
      try row.decode(String?.self)
    }
  }
}

extension Session {
  /// Returns the user whom the database recognizes as the caller, or nil for an anonymous caller.
  package func actor() async throws -> String? { try await atomically(.currentActor) }
}

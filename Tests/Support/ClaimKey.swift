public import BatonPostgres

/// A key that claims are signed with, as the database shows it once.
public struct ClaimKey: Sendable {
  /// Its id in the database.
  public let id: Int
  /// In hexadecimal.
  public let text: String

  /// A key.
  public init(id: Int, text: String) { (self.id, self.text) = (id, text) }
}

extension Call where Output == ClaimKey {
  /// Makes the next one; for the owner.
  public static var rotateKey: Call {
    .row(Statement("test/rotate", "select key_id, key from rotate_claim_key()")) {
      (row) throws(PostgresError) in
      let (id, key) = try row.decode(Int32.self, String.self)
      return ClaimKey(id: Int(id), text: key)
    }
  }
}

extension Call where Output == String? {
  /// Whom the database takes the caller for; nil: nobody.
  public static var currentActor: Call {
    .row(Statement("test/current_actor", "select current_actor()")) { (row) throws(PostgresError) in
      try row.decode(String?.self)
    }
  }
}

extension Session {
  /// Whom the database takes the caller for; nil: nobody.
  public func actor() async throws -> String? { try await atomically(.currentActor) }
}

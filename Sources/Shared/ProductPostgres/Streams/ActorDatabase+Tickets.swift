import BatonPostgres
import IdentitySQL

/// The tickets that let clients open streams without a token in the URL.
extension ActorDatabase {
  /// How long a ticket is valid.
  package static var ticketLifetime: Duration { .seconds(30) }

  /// Stores a ticket, which can be used once.
  ///
  /// - Parameters:
  ///   - hash: the ticket's hexadecimal SHA-256 hash.
  ///   - content: the content that ``redeemTicket(_:)`` returns.
  /// - Throws: `PostgresError`.
  package func storeTicket(_ hash: String, content: String) async throws {
    try await run(.run(SQL.Streams.createTicket, hash, content), for: nil)
  }

  /// Redeems a ticket and returns its content.
  ///
  /// The result is nil if the ticket is unknown, expired or already used.
  ///
  /// - Parameter hash: the ticket's hexadecimal SHA-256 hash.
  /// - Throws: `PostgresError`.
  package func redeemTicket(_ hash: String) async throws -> String? {
    try await run(
      .row(SQL.Streams.redeemTicket, hash) { (row) throws(PostgresError) in
        try row.decode(String?.self)
      }, for: nil)
  }
}

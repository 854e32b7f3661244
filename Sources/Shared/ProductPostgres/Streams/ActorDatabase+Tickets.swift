import BatonPostgres
import IdentitySQL

/// The tickets with which clients open streams without a token in the URL.
extension ActorDatabase {
  /// The time for which a ticket is valid.
  package static var ticketLifetime: Duration { .seconds(30) }

  /// Stores a ticket, which can be used once.
  ///
  /// - Parameters:
  ///   - hash: the SHA-256 of the ticket in hexadecimal.
  ///   - content: the content that ``redeemTicket(_:)`` returns.
  /// - Throws: `PostgresError`.
  package func storeTicket(_ hash: String, content: String) async throws {
    try await run(.run(SQL.Streams.createTicket, hash, content), for: nil)
  }

  /// Redeems a ticket, and returns the ticket's content.
  ///
  /// The result is nil if the ticket is unknown, expired or already used.
  ///
  /// - Parameter hash: the SHA-256 of the ticket in hexadecimal.
  /// - Throws: `PostgresError`.
  package func redeemTicket(_ hash: String) async throws -> String? {
    try await run(
      .row(SQL.Streams.redeemTicket, hash) { (row) throws(PostgresError) in
        try row.decode(String?.self)
      }, for: nil)
  }
}

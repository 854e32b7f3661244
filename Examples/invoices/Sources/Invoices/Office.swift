import Baton
import BatonPostgres

/// The context of the jobs that run in a transaction of the database.
struct Office {
  let transaction: Transaction

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Enqueues emails in the transaction, so that the emails are only sent if the transaction
  /// commits.
  func enqueue(_ mails: [SendMail]) async throws {
    try await transaction.enqueue(mails.map { try RunRequest($0) })
  }
}

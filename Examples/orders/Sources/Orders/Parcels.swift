import BatonPostgres
import OrdersSQL

/// The SQL statements of the jobs, which are executed in the transaction of the job.
struct Parcels {
  let transaction: Transaction

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Adds parcels to the list of the warehouse.
  func tellWarehouse(of parcels: [Int64]) async throws {
    try await transaction.run(.run(SQL.Parcels.tellWarehouse, parcels))
  }

  /// Recalls at most `limit` parcels of a product, and returns the number of recalled parcels.
  func recall(_ product: String, limit: Int64) async throws -> Int {
    try await transaction.run(.count(SQL.Parcels.recallProduct, product, limit))
  }

  /// Counts the parcels of the past days.
  func countDays() async throws {
    try await transaction.run(.run(SQL.Parcels.countDays))
  }
}

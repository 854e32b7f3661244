import BatonPostgres
import OrdersSQL

/// What the jobs do with parcels, in the transaction of their work.
struct Parcels {
  let transaction: Transaction

  init(_ transaction: Transaction) { self.transaction = transaction }

  /// Puts parcels on the list of the warehouse.
  func tellWarehouse(of parcels: [Int64]) async throws {
    try await transaction.run(.run(SQL.Parcels.tellWarehouse, parcels))
  }

  /// Takes some more parcels of a product out of the warehouse's hands; returns how many.
  func recall(_ product: String, limit: Int64) async throws -> Int {
    try await transaction.run(.count(SQL.Parcels.recallProduct, product, limit))
  }

  /// Counts the parcels of the days that are over.
  func countDays() async throws {
    try await transaction.run(.run(SQL.Parcels.countDays))
  }
}

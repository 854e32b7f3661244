import BatonJobs
import BatonPostgres
import OrdersSQL

/// Stores each occurrence of a schedule.
struct Beat: BatchJob {
  static let definition = Definition<Self>("beat", on: [.every(.seconds(1), missed: .all)])

  static func run(_ batch: [Run<Self>], in parcels: Parcels) async throws {
    try await parcels.transaction.run(.run(SQL.Parcels.storeBeats, batch.map(\.key)))
  }
}

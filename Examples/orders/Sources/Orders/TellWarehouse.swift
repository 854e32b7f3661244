import BatonJobs

/// Notifies the warehouse of new parcels.
///
/// One transaction handles up to 500 parcels with one statement.
struct TellWarehouse: BatchJob {
  static let definition = Definition<Self>(
    "tell-warehouse", on: [.table("parcel", on: .insert, key: "id")], batch: 500)

  /// The parcel's id.
  typealias Key = Int64

  static func run(_ batch: [Run<Self>], in parcels: Parcels) async throws {
    try await parcels.tellWarehouse(of: batch.map(\.key))
  }
}

import Baton

/// Tells the warehouse of new parcels: up to 500 runs are one transaction with one statement.
struct TellWarehouse: BatchJob {
  static let definition = Definition(
    "tell-warehouse",
    on: .event(Topic("parcel.ordered")),
    debounce: .none,
    batch: 500,
    retry: .attempts(8, exponentialFrom: .seconds(1), to: .seconds(300)),
    timeout: .seconds(20))

  let parcel: Int64

  /// The key is what the trigger `parcel_inserted` records.
  init(key: String, payload: String?) throws {
    guard let parcel = Int64(key) else { throw Permanent("'\(key)' is not the id of a parcel") }
    self.parcel = parcel
  }

  static func run(_ batch: [Self], in parcels: Parcels) async throws {
    try await parcels.tellWarehouse(of: batch.map(\.parcel))
  }
}

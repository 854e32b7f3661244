import BatonJobs

/// Recalls all parcels of a product, a thousand parcels per transaction.
///
/// The transactions are small, because a parcel cannot be packed while a transaction recalls the
/// parcel.
///
/// The rows in the database determine which parcels remain. After a crash, the next attempt
/// continues with the remaining parcels.
struct RecallProduct: StepJob {
  static let definition = Definition<Self>(
    "recall-product", on: [.table("recall", on: .insert, key: "product")])

  private static let parcels = 1000

  static func step(
    _ run: Run<Self>, _ state: inout NoState, in parcels: Parcels
  ) async throws -> StepResult {
    let recalled = try await parcels.recall(run.key, limit: Int64(Self.parcels))
    let report: Report = ["parcels recalled": recalled]
    return recalled < Self.parcels ? .done(report) : .more(report)
  }
}

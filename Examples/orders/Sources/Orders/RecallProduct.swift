import BatonJobs

/// Recalls all parcels of a product, a thousand per transaction, because a transaction blocks the
/// packing of its parcels.
///
/// The rows determine the remaining parcels. After a crash, the next attempt continues with the
/// remaining parcels.
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

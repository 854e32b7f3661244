import BatonJobs

/// Recalls all parcels of a product, a thousand in a transaction: whoever packs one of them waits for it.
///
/// The rows say what is left to do. A run that is killed begins again and finds it.
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

import Baton

/// Recalls all parcels of a product, a thousand in a transaction: whoever packs one of them waits for it.
///
/// The rows say what is left to do. A run that is killed begins again and finds it.
struct RecallProduct: StepJob {
  static let definition = Definition(
    "recall-product",
    on: .event(Topic("product.recalled")),
    debounce: .none,
    batch: 1,
    retry: .attempts(8, exponentialFrom: .seconds(1), to: .seconds(300)),
    timeout: .seconds(20),
    keepsHistory: true)

  private static let parcels = 1000
  private let product: String

  init(key: String, payload: String?) throws { product = key }

  mutating func step(in parcels: Parcels) async throws -> StepResult {
    let recalled = try await parcels.recall(product, limit: Int64(Self.parcels))
    let report: Report = ["parcels recalled": recalled]
    return recalled < Self.parcels ? .done(report) : .more(report)
  }
}

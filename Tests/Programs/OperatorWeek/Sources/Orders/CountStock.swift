import BatonJobs
import BatonPostgres
import OrdersSQL

/// Counts one shelf of the stock per step, in one second.
///
/// The rows determine the next shelf, so a restarted run continues there.
struct CountStock: StepJob {
  static let definition = Definition<Self>("count-stock", keepsHistory: true)

  /// The number of shelves.
  let shelves: Int

  static func step(
    _ run: Run<Self>, _ state: inout NoState, in parcels: Parcels
  ) async throws -> StepResult {
    try await Task.sleep(for: .seconds(1))
    let shelf = try await parcels.countShelf()
    return shelf < run.payload.shelves ? .more(["shelves": 1]) : .done(["shelves": 1])
  }
}

extension Parcels {
  /// Counts the next shelf, and returns its number.
  fileprivate func countShelf() async throws -> Int {
    let shelf = try await transaction.run(.row(SQL.Parcels.countShelf, as: Int64.self))
    return Int(shelf)
  }
}

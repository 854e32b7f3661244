package import BatonPostgres
import RunnerSQL

/// A figure of a product, read from the `PART_gauges` view of the product's part.
///
/// `status`, `top` and `/metrics` show the figure together with the runner's own figures. A query
/// on the `PART_gauges` view must take only milliseconds and must not write.
package struct ProductGauge: Sendable, Codable {
  /// The name of the metric, in lower-case letters, digits and `_`.
  package let name: String
  /// A sentence that describes the figure and its unit.
  package let help: String
  /// The current value.
  package let value: Double
  /// The limit above which the value is a problem, or nil if the value has no limit.
  package let limit: Double?
  /// The next step for an operator if the value exceeds the limit.
  package let next: String
}

extension Queue {
  /// Returns the figures of all products in the schema, or nil if the role cannot read them.
  ///
  /// A figure that is infinite or not a number is omitted, because JSON cannot represent it.
  ///
  /// - Throws: `PostgresError`.
  package func gauges() async throws(PostgresError) -> [ProductGauge]? {
    let read = Call.rows(SQL.Observation.readGauges) { (row) throws(PostgresError) in
      let (name, help, value, limit, next) = try row.decode(
        String.self, String.self, Double.self, Double?.self, String.self)
      return ProductGauge(name: name, help: help, value: value, limit: limit, next: next)
    }
    do {
      return try await look(read).filter { $0.value.isFinite && $0.limit?.isFinite != false }
    } catch  where error.sqlState == "42501" {
      return nil
    }
  }
}

package import BatonPostgres
import RunnerSQL

/// One figure of a product, in addition to the runner's own: a row of the view `PART_gauges` of the product's part.
///
/// `status`, `top` and `/metrics` show it. The view must take milliseconds and only read.
package struct ProductGauge: Sendable, Codable {
  /// Lower-case letters, digits and `_`: the name of a metric.
  package let name: String
  /// What it is, in a sentence, with its unit.
  package let help: String
  /// The value.
  package let value: Double
  /// A value above this limit is a problem; nil if no value is.
  package let limit: Double?
  /// What to do about the problem.
  package let next: String
}

extension Queue {
  /// The figures of the products in the schema; nil if the role may not read them.
  ///
  /// - Throws: `PostgresError`.
  package func gauges() async throws(PostgresError) -> [ProductGauge]? {
    let read = Call.rows(SQL.Observation.readGauges) { (row) throws(PostgresError) in
      let (name, help, value, limit, next) = try row.decode(
        String.self, String.self, Double.self, Double?.self, String.self)
      return ProductGauge(name: name, help: help, value: value, limit: limit, next: next)
    }
    do {
      return try await look(read)
    } catch  where error.sqlState == "42501" {
      return nil
    }
  }
}

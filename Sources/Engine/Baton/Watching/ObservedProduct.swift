public import BatonPostgres
import JobRunner

/// What a product says of itself beside the runner's own figures: to `status`, and to whoever collects metrics.
public protocol ObservedProduct: Sendable {
  /// Its figures, by one statement that only reads, takes milliseconds, and that the role of a dashboard may run.
  ///
  /// It waits for no lock longer than a second.
  var gauges: Call<[ProductGauge]> { get }
}

/// One figure of a product.
public struct ProductGauge: Sendable, Codable {
  /// Lower-case letters, digits and `_`: the name of a metric.
  public let name: String
  /// What it is, in a sentence, with its unit.
  public let help: String
  /// The figure itself.
  public let value: Double
  /// Above this something is wrong; nil: no figure is.
  public let limit: Double?
  /// What to do then.
  public let next: String

  /// A figure.
  public init(_ name: String, help: String, value: Double, limit: Double? = nil, next: String = "")
  {
    self.name = name
    self.help = help
    self.value = value
    self.limit = limit
    self.next = next
  }
}

extension Queue {
  /// The figures of this program's product; nil where the role may not read them.
  ///
  /// - Throws: `PostgresError`.
  public func gauges() async throws(PostgresError) -> [ProductGauge]? {
    guard let product = Program.application.observedProduct else { return [] }
    do {
      return try await look(product.gauges)
    } catch  where error.sqlState == "42501" {
      return nil
    }
  }
}

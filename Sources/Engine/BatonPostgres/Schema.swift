/// The schema that contains one whole Baton; its name is `baton` unless another one is given.
public struct Schema: Sendable, Hashable, CustomStringConvertible {
  /// The name, which `search_path` and `create schema` accept without quotes.
  public let name: String

  /// A schema by its name: lower-case letters, digits and `_`, at most 63 bytes.
  ///
  /// The strict form never needs quotes, so no statement is ever built from an unchecked value. Returns nil for any
  /// other name, and for `pg_...`, which is reserved for PostgreSQL.
  public init?(_ name: String) {
    let isWord = name.utf8.allSatisfy {
      (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "_")
    }
    guard isWord, let first = name.utf8.first, !(48...57).contains(first), name.utf8.count <= 63,
      !name.hasPrefix("pg_"), name != "public", name != "information_schema"
    else { return nil }
    self.name = name
  }

  /// The name, for people and logs.
  public var description: String { name }

  /// The value for `search_path`.
  var searchPath: String { "\(name), pg_temp" }
}

/// The schema that contains all objects of one Baton program.
public struct Schema: Sendable, Hashable, CustomStringConvertible {
  /// The schema's name, which can be used in SQL without quotes.
  public let name: String

  /// Creates a schema from its name.
  ///
  /// A name must consist of lower-case letters, digits and `_`, and can be at most 63 bytes long.
  ///
  /// The initializer returns nil for other names, and for `public`, `information_schema` and names
  /// that begin with a digit or `pg_`. A valid name never needs quotes in a statement.
  public init?(_ name: String) {
    let isWord = name.utf8.allSatisfy {
      (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "_")
    }
    guard isWord, let first = name.utf8.first, !(48...57).contains(first), name.utf8.count <= 63,
      !name.hasPrefix("pg_"), name != "public", name != "information_schema"
    else { return nil }
    self.name = name
  }

  /// The schema's name, for users and logs.
  public var description: String { name }

  /// The value for `search_path`.
  var searchPath: String { "\(name), pg_temp" }
}

/// The schema that contains all objects of one Baton program.
public struct Schema: Sendable, Hashable, CustomStringConvertible {
  /// The schema's name, which can be used in SQL without quotes.
  public let name: String

  /// Creates a schema from its name.
  ///
  /// A name must consist of lower-case letters, digits and `_`, and can be at most 63 bytes long.
  ///
  /// The initializer returns nil for other names, and for `public`, `information_schema`, names
  /// that begin with a digit or `pg_`, and words that PostgreSQL reserves, such as `order`. A valid
  /// name never needs quotes in a statement.
  public init?(_ name: String) {
    let isWord = name.utf8.allSatisfy {
      (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "_")
    }
    guard isWord, let first = name.utf8.first, !(48...57).contains(first), name.utf8.count <= 63,
      !name.hasPrefix("pg_"), name != "public", name != "information_schema",
      !Self.reservedWords.contains(name)
    else { return nil }
    self.name = name
  }

  /// The words that PostgreSQL accepts as the name of a schema only in quotes.
  private static let reservedWords = Set(
    """
    all analyse analyze and any array as asc asymmetric authorization binary both case cast \
    check collate collation column concurrently constraint create cross current_catalog \
    current_date current_role current_schema current_time current_timestamp current_user default \
    deferrable desc distinct do else end except false fetch for foreign freeze from full grant \
    group having ilike in initially inner intersect into is isnull join lateral leading left \
    like limit localtime localtimestamp natural not notnull null offset on only or order outer \
    overlaps placing primary references returning right select session_user similar some \
    symmetric system_user table tablesample then to trailing true union unique user using \
    variadic verbose when where window with
    """.split(separator: " ").map(String.init))

  /// The schema's name, for users and logs.
  public var description: String { name }

  /// The value for `search_path`.
  var searchPath: String { "\(name), pg_temp" }
}

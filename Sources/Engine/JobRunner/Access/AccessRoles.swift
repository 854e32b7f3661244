import BatonPostgres

/// The roles of one schema; their names begin with one prefix.
package struct AccessRoles: Sendable, Equatable {
  /// The prefix of the names.
  package let prefix: String

  /// The roles of a prefix: lower-case letters, digits and `_`, at most 40 bytes, so that every name fits into
  /// PostgreSQL's 63.
  ///
  /// Returns nil for any other prefix, and for `pg_...`, which PostgreSQL reserves.
  package init?(prefix: String) {
    guard Schema(prefix) != nil, prefix.utf8.count <= 40 else { return nil }
    self.prefix = prefix
  }

  /// The name of the role of a kind, like `worker`.
  package func name(_ kind: String) -> String { "\(prefix)_\(kind)" }

  /// A statement in which the names of roles and schema replace `{kind}` and `{schema}`.
  func rendered(_ text: String, in schema: Schema) -> String {
    text.replacing(/\{(\w+)\}/) { match in
      match.1 == "schema" ? schema.name : name(String(match.1))
    }
  }
}

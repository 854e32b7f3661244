import BatonPostgres

/// The roles of one schema, whose names share a prefix.
package struct AccessRoles: Sendable, Equatable {
  /// The prefix of the role names.
  package let prefix: String

  /// Creates the roles that share a prefix, or returns nil if the prefix is invalid.
  ///
  /// A prefix consists of at most 40 lower-case letters, digits and `_`. PostgreSQL limits a role
  /// name, which starts with the prefix, to 63 bytes. A prefix must not start with `pg_`, which
  /// PostgreSQL reserves. A prefix can be a word that PostgreSQL reserves, because no role has the
  /// prefix alone as its name.
  package init?(prefix: String) {
    guard !prefix.isEmpty, prefix.utf8.count <= 40, Schema("\(prefix)_owner") != nil else {
      return nil
    }
    self.prefix = prefix
  }

  /// Returns the role name for a kind such as `worker`.
  package func name(_ kind: String) -> String { "\(prefix)_\(kind)" }

  /// Replaces each `{kind}` with the name of the role of that kind, and `{schema}` with the
  /// schema's name.
  func rendered(_ text: String, in schema: Schema) -> String {
    AccessScript.kinds(in: text).reduce(text.replacing("{schema}", with: schema.name)) {
      $0.replacing("{\($1)}", with: name($1))
    }
  }
}

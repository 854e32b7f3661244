package import BatonPostgres

/// The reason why a schema's roles cannot be created, updated or dropped.
package enum AccessProblem: Error, Sendable, Equatable {
  /// A statement in `access/*.sql` does not match any supported form.
  case unreadable(part: String, statement: String)
  /// A schema module needs a role that does not exist.
  case lacks(role: String)
  /// The role name prefix is invalid.
  case badPrefix(String)
  /// A role that the schema needs already exists but does not belong to it.
  case taken(role: String, by: String)
  /// The name of the API role that `migrate --api-role` created does not match the given prefix.
  case otherAPIRole(Schema, role: String, wanted: String)
  /// The schema already has roles, whose prefix differs from the given one.
  case otherPrefix(Schema, prefix: String)
  /// The schema has no roles.
  case none(Schema)
  /// The caller lacks the right to create roles, or does not own the schema.
  case mayNot(Schema, user: String, what: String)
  /// The roles are still in use by a member, an open session or another object.
  case stillNeeded(Schema, by: [String])
}

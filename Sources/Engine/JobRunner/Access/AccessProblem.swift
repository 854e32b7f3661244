package import BatonPostgres

/// Why the roles of a schema cannot be made, kept or dropped.
package enum AccessProblem: Error, Sendable, Equatable {
  /// A statement of `access/*.sql` has none of the supported forms.
  case unreadable(part: String, statement: String)
  /// A part needs a role that does not exist yet.
  case lacks(role: String)
  /// The prefix of the role names is not a valid prefix.
  case badPrefix(String)
  /// A role of that name exists and does not belong to this schema.
  case taken(role: String, by: String)
  /// `migrate --api-role` has made a role for the API, and with this prefix the API's role would be another one.
  case otherAPIRole(Schema, role: String, wanted: String)
  /// The schema has roles with another prefix.
  case otherPrefix(Schema, prefix: String)
  /// The schema has no roles.
  case none(Schema)
  /// The caller has no right to make roles, or does not own the schema.
  case mayNot(Schema, user: String, what: String)
  /// Something outside of the schema still needs the roles.
  case stillNeeded(Schema, by: [String])
}

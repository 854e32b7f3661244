package import BatonPostgres

/// Why the roles of a schema cannot be made, kept or dropped.
package enum AccessProblem: Error, Sendable, Equatable {
  /// A statement of `access/*.sql` has none of the forms that are understood there.
  case unreadable(part: String, statement: String)
  /// A part asks for a role that was not made yet.
  case lacks(role: String)
  /// What the names are to begin with is no such beginning.
  case badPrefix(String)
  /// A role of that name is there, and is not of this schema.
  case taken(role: String, by: String)
  /// `migrate --api-role` has let a role in, and with this prefix the API's role would be another one.
  case otherAPIRole(Schema, role: String, wanted: String)
  /// The schema has roles with another prefix.
  case otherPrefix(Schema, prefix: String)
  /// The schema has no roles.
  case none(Schema)
  /// Who asks may not make roles, or does not own the schema.
  case mayNot(Schema, user: String, what: String)
  /// Something outside of the schema still needs the roles.
  case stillNeeded(Schema, by: [String])
}

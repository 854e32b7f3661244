package import BatonPostgres

/// Why a binary and a schema are not compatible.
package enum SchemaProblem: Error, Sendable, Equatable {
  /// The schema was never migrated.
  case missing(Schema)
  /// The schema lacks migrations or functions of this binary.
  case older(Schema)
  /// The schema holds a migration that this binary does not know, of a part that it knows.
  case newer(Schema, unknown: String)
  /// A migration was changed after it had been applied.
  case edited(Schema, name: String)
  /// The schema comes from an old program that stored one list of migrations for all parts.
  case beforeParts(Schema)
  /// Two parts have a function, view or trigger with the same name.
  case taken(Schema, object: String)
  /// A migration that cannot run in a transaction needs a direct connection, without a pooler.
  case needsDirectConnection(Schema, name: String)
  /// A part's API names a function that no part has.
  case noFunction(Schema, part: String, name: String)
  /// The schema's name is too long for the name of its API's role: more than 40 bytes.
  case tooLongForAPIRole(Schema)
  /// The migrating role has no right to make roles.
  case mayNotMakeRoles(Schema)
  /// The role of the API exists, and has the rights of the schema's owner.
  case apiRoleIsOwner(Schema)
}

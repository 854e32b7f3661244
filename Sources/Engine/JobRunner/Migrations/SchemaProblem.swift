package import BatonPostgres

/// Why a binary and a schema do not fit together.
package enum SchemaProblem: Error, Sendable, Equatable {
  /// The schema was never migrated.
  case missing(Schema)
  /// The schema lacks migrations or functions of this binary.
  case older(Schema)
  /// The schema holds a migration of a part of this binary's that it does not know.
  case newer(Schema, unknown: String)
  /// A migration was changed after it had been applied.
  case edited(Schema, name: String)
  /// A program has made the schema that kept one list of migrations for everything.
  case beforeParts(Schema)
  /// Two parts hold a function, view or trigger of one name.
  case taken(Schema, object: String)
  /// A migration that no transaction may hold needs a connection without a pooler between.
  case needsDirectConnection(Schema, name: String)
  /// A part's API has a function that no part has.
  case noFunction(Schema, part: String, name: String)
  /// The schema's name is too long for the name of its API's role: more than 40 bytes.
  case tooLongForAPIRole(Schema)
  /// Whoever migrates may not make roles.
  case mayNotMakeRoles(Schema)
  /// The role of the API is there, and can do what the schema's owner can.
  case apiRoleIsOwner(Schema)
}

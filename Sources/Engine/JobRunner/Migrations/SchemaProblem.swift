package import BatonPostgres

/// The problem that prevents a binary from using or migrating a schema.
package enum SchemaProblem: Error, Sendable, Equatable {
  /// The schema has never been migrated.
  case missing(Schema)
  /// The database's encoding cannot represent all characters.
  case encoding(Schema, String)
  /// The schema contains objects that PostgreSQL could use instead of its built-in objects.
  case shadowed(Schema, objects: [String], fixes: [String])
  /// Publications cause PostgreSQL to reject updates and deletes in the schema.
  case refusesWrites(Schema, publications: [String], fixes: [String])
  /// The login's sessions do not fire triggers, so its writes would not record any events.
  case firesNoTriggers(Schema)
  /// The login's sessions cannot read views, because of a session setting.
  case readsNoViews(Schema)
  /// The schema lacks migrations or functions of this binary.
  case older(Schema)
  /// The schema contains a newer migration of one of this binary's parts, and the binary is not
  /// compatible with it.
  ///
  /// The `needed` value is the release of the program that applied the newest incompatible
  /// migration, if known.
  case newer(Schema, unknown: String, needed: String? = nil)
  /// The schema lacks migrations or functions of this binary, and the binary's release is not
  /// current.
  case notCurrent(Schema, ProgramRelease, current: Int)
  /// A migration's text was changed after the migration was applied.
  case edited(Schema, name: String)
  /// The schema was created by an old program that stored one list of migrations for all parts.
  case beforeParts(Schema)
  /// Two parts contain a function, view or trigger with the same name.
  case taken(Schema, object: String)
  /// A migration that cannot run in a transaction needs a direct connection without a pooler.
  case needsDirectConnection(Schema, name: String)
  /// Another transaction has held the migrator's lock for too long. The `by` value describes the
  /// session that holds the lock.
  case locked(Schema, by: String, after: Duration)
  /// A part's API contains a function that no part creates.
  case noFunction(Schema, part: String, name: String)
  /// The schema's name exceeds 40 bytes, so the name of its API role would be too long.
  case tooLongForAPIRole(Schema)
  /// The migrating role lacks the right to create roles.
  case mayNotMakeRoles(Schema)
  /// The API's role exists and has the rights of the schema's owner.
  case apiRoleIsOwner(Schema)
}

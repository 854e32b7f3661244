/// The reason why a bench did not start or did not finish.
package enum BenchRefusal: Error, Sendable {
  /// No case has this name.
  case unknownCase(String, known: [String])
  /// No case has a size with this name.
  case unknownSize(String, known: [String])
  /// A schema that the bench would create already exists.
  case schemaExists(String)
  /// The database's Baton schema is in use.
  case inUse(schema: String)
  /// A PostgreSQL client program is not installed.
  case programMissing(String)
  /// A PostgreSQL client program failed.
  case programFailed(String, output: String)
  /// The measured worker did not finish all of its runs.
  case incomplete(String)
}

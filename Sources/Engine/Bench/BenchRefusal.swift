/// The reason why a bench did not start or did not finish.
package enum BenchRefusal: Error, Sendable {
  /// No case has this name.
  case unknownCase(String, known: [String])
  /// No case has a size of this name.
  case unknownSize(String, known: [String])
  /// A schema that the bench would create already exists.
  case schemaExists(String)
  /// The database's Baton is in use.
  case inUse(schema: String)
  /// A program of PostgreSQL is not installed.
  case programMissing(String)
  /// A program of PostgreSQL failed.
  case programFailed(String, output: String)
  /// The measured worker did not do all of its work.
  case incomplete(String)
}

package import BatonPostgres

/// The reason why a replay stops.
///
/// Completed steps stay recorded, and running the same command again continues the replay.
package enum ReplayFailure: Error, Sendable {
  /// The database belongs to another replay, whose identity differs in the given properties.
  case otherReplay(Schema, [String])
  /// The database contains data that was not written by a replay.
  case notEmpty(Schema)
  /// Another replay moved the clock while this replay was running.
  case clockMoved
  /// The server did not accept a line of the file.
  ///
  /// The outcome is the server's response.
  case notAccepted(line: Int, outcome: String)
  /// The given number of runs failed permanently.
  case dead(Int)
  /// The range contains no lines from the file.
  case nothingToReplay
  /// The export folder cannot be used, for the given reason.
  case cannotExport(String, String)
  /// The step is not a divisor of 24 hours.
  case badStep(Int64)
  /// An export file cannot be written, for the given reason.
  case cannotWrite(_ folder: String, _ reason: String)
  /// A signal stopped the replay between two steps.
  ///
  /// Running the command again continues the replay.
  case stopped(done: Int, of: Int)
}

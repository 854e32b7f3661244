package import BatonPostgres

/// Why a replay stops.
///
/// What was replayed before stays, and the same command continues it.
package enum ReplayFailure: Error, Sendable {
  /// The database belongs to another replay; the parts in which that one differs.
  case otherReplay(Schema, [String])
  /// The database holds data that no replay wrote.
  case notEmpty(Schema)
  /// Another replay is moving the clock at the same time.
  case clockMoved
  /// A line was not accepted: the database refuses what a file of past workouts may hold.
  case notAccepted(line: Int, outcome: String)
  /// Runs ended dead.
  case dead(Int)
  /// The range holds no line.
  case nothingToReplay
  /// The export's folder cannot be written, or holds something else; why.
  case cannotExport(String, String)
  /// The step does not divide a day.
  case badStep(Int64)
  /// The disk, or whatever holds the export's folder, does not take more.
  case cannotWrite(_ folder: String, _ reason: String)
  /// A signal stopped it between two steps; it goes on when it is run again.
  case stopped(done: Int, of: Int)
}

import Baton
import JobRunner

/// What was found when the server was looked at.
struct Reading: Sendable {
  /// How the server is.
  var server = Check.good
  /// Whether the schema is that of this program.
  var schema = Check.unknown
  /// Whether definitions, triggers and schema agree.
  var drift = Check.unknown
  /// What the queue is like; nil where it could not be read.
  var observation: Observation?
  /// What the program's product says of itself; nil where it may not be read.
  var gauges: [ProductGauge]?
  /// How long that took.
  var took = Duration.zero

  /// A word for machines: what is good, and of what is not the reason, of a few that are known.
  enum Check: String, Sendable {
    case good = "ok"
    /// Not looked at, because something before it is not good.
    case unknown
    case unreachable, refused
    case late = "no answer in time"
    case missing, older, newer, edited, otherwise
    case differs, behind
    case starting, stalled, stopping, lost
  }
}

import Baton
import JobRunner

/// The result of one read of the server.
struct Reading: Sendable {
  /// The state of the server.
  var server = Check.good
  /// Whether the schema is that of this program.
  var schema = Check.unknown
  /// Whether definitions, triggers and schema agree.
  var drift = Check.unknown
  /// The state of the queue; nil if it could not be read.
  var observation: Observation?
  /// The gauges of the program's product; nil if this role may not read them.
  var gauges: [ProductGauge]?
  /// The duration of the read.
  var took = Duration.zero

  /// The result of a check in a word for machines: `ok`, or one of a fixed set of reasons.
  enum Check: String, Sendable {
    case good = "ok"
    /// Not checked, because an earlier check failed.
    case unknown
    case unreachable, refused
    case late = "no answer in time"
    case missing, older, newer, edited, otherwise
    case differs, behind
    case starting, stalled, stopping, lost
  }
}

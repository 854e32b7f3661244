import Baton
import JobRunner

/// The result of one read of the server's state.
struct Reading: Sendable {
  /// The server's state.
  var server = Check.good
  /// Whether the schema belongs to this program and is compatible with it.
  var schema = Check.unknown
  /// Whether the job definitions, the triggers and the schema match.
  var drift = Check.unknown
  /// The state of the queue, or nil if the state could not be read.
  var observation: Observation?
  /// The gauges of the program's product, or nil if the current role cannot read them.
  var gauges: [ProductGauge]?
  /// The duration of the read.
  var took = Duration.zero

  /// The result of a check as a machine-readable word: `ok`, or a reason from a fixed set.
  enum Check: String, Sendable {
    case good = "ok"
    /// The check was not executed, because an earlier check failed.
    case unknown
    case unreachable, refused
    case late = "no answer in time"
    case readOnly = "only reads"
    case missing, older, newer, edited, otherwise
    case differs, behind
    case starting, stalled, failing, stopping, lost
  }
}

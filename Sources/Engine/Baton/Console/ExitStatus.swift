package import ArgumentParser

/// The exit code of the process; the table is in docs/reference/exit-codes.md and tested.
///
/// Frozen: a new code would change what callers of a program have to expect.
@frozen
public enum ExitStatus: Int32, Sendable {
  /// Runs ended dead, or what was verified has drift that is left, or the audit is broken; or somebody who
  /// watches is warned.
  case dead = 1
  /// Who watches has to do something now.
  case critical = 2
  /// The arguments make no sense together (EX_USAGE).
  case usage = 64
  /// The input is malformed (EX_DATAERR).
  case data = 65
  /// What was named is not there (EX_NOINPUT).
  case noInput = 66
  /// The server cannot be reached (EX_UNAVAILABLE).
  case unavailable = 69
  /// A fault of this program, or an error nobody foresaw (EX_SOFTWARE).
  case fault = 70
  /// The output or a file cannot be written (EX_IOERR).
  case output = 74
  /// It may work in a moment (EX_TEMPFAIL).
  case tryAgain = 75
  /// The server does not let this user in (EX_NOPERM).
  case notAllowed = 77
  /// The schema or the server does not fit this binary (EX_CONFIG).
  case configuration = 78

  /// The same for the argument parser.
  package var code: ExitCode { ExitCode(rawValue) }
}

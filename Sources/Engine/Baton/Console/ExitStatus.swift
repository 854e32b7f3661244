package import ArgumentParser

/// The exit code of the process, as documented in docs/reference/exit-codes.md.
///
/// The enumeration is frozen, because existing scripts would not handle a new exit code.
@frozen
public enum ExitStatus: Int32, Sendable {
  /// Runs died, a comparison found differences, the audit log is damaged, or a monitoring command
  /// reports a warning.
  case dead = 1
  /// A monitoring command reports a critical problem.
  case critical = 2
  /// The arguments are invalid or contradict each other (EX_USAGE).
  case usage = 64
  /// The input is malformed (EX_DATAERR).
  case data = 65
  /// An object that the arguments specify does not exist (EX_NOINPUT).
  case noInput = 66
  /// The server is unreachable (EX_UNAVAILABLE).
  case unavailable = 69
  /// The program has a bug or encountered an unexpected error (EX_SOFTWARE).
  case fault = 70
  /// The output or a file cannot be written (EX_IOERR).
  case output = 74
  /// The operation may succeed if the caller retries it later (EX_TEMPFAIL).
  case tryAgain = 75
  /// The server rejects the login (EX_NOPERM).
  case notAllowed = 77
  /// The schema, the server or a setting does not meet the program's requirements (EX_CONFIG).
  case configuration = 78

  /// The exit code as the argument parser's type.
  package var code: ExitCode { ExitCode(rawValue) }
}

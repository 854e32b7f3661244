import BatonPostgres

extension SQLState {
  /// The exit code for an error that one of Baton's SQL functions raises, or nil for any other
  /// error.
  ///
  /// `docs/reference/errors.md` lists the codes. Most codes mean that an argument is invalid or
  /// does not match the database's state.
  package var ownExitStatus: ExitStatus? {
    guard code.hasPrefix("ZB") else { return nil }
    return switch code {
    // Another worker has taken over the runs.
    case "ZB011": .tryAgain
    // A statement tried to change the audit log or the event log in a way that is not permitted.
    case "ZB014", "ZB031": .notAllowed
    // The schema lacks a row or a partition, or contains two functions with the same name.
    case "ZB015", "ZB030", "ZB032": .configuration
    default: .usage
    }
  }
}

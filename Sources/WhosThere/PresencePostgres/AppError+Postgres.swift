import BatonPostgres
import Presence

extension AppError {
  /// Converts any database error into an error for the caller.
  init(ofDatabase error: any Error) {
    guard let error = error as? PostgresError else {
      self.init(error)
      return
    }
    let state = error.sqlState
    // For an invalid argument, only the error's message is used, because the DETAIL field may
    // contain values from other users' rows.
    let detail =
      state.code == AppError.invalidInput("").sqlState
      ? error.message : error.detail.flatMap { $0.isEmpty ? nil : $0 }
    if let refusal = AppError(sqlState: state.code, constraint: error.constraint, detail: detail) {
      self = refusal
    } else if state == .characterNotInRepertoire {
      // The driver throws this error for a string with a NUL byte, without sending the statement.
      self = .invalidInput(error.message)
    } else if state.isTransient || state == .foreignKeyViolation {
      // A foreign key violation means that a concurrent call has deleted a user. The retry fails
      // with `notAuthenticated`.
      self = .networkUnavailable
    } else {
      self = .serverError(underlying: error)
    }
  }
}

import BatonPostgres
import Challenges

extension DomainError {
  /// Converts a database error into a refusal, or returns nil if the caller did not cause the
  /// error.
  init?(_ error: PostgresError) {
    // Only `alreadyInGroup` has a DETAIL field that is not empty.
    let detail = error.detail.flatMap { $0.isEmpty ? nil : $0 }
    if let refusal = DomainError(sqlState: error.sqlState.code, detail: detail) {
      self = refusal
      return
    }
    switch error.sqlState.code {
    // `record_workout` and `delete_workout` report ZB001 if the user does not exist, and ZB002 if
    // an id or a revision is invalid.
    case "ZB001": self = .notAuthenticated
    case "ZB002": self = .invalidInput
    // The driver rejects a string that contains a NUL byte, so no statement was sent.
    case SQLState.characterNotInRepertoire.code: self = .invalidInput
    // A concurrent call has deleted the user. The retry fails with `notAuthenticated`.
    case SQLState.foreignKeyViolation.code: self = .networkUnavailable
    default:
      guard error.sqlState.isTransient else { return nil }
      self = .networkUnavailable
    }
  }
}

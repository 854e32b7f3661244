import BatonPostgres
import Challenges

extension DomainError {
  /// What an error of the database means to the caller; nil: the caller did not cause it.
  init?(_ error: PostgresError) {
    // Only that of alreadyInGroup is not empty.
    let detail = error.detail.flatMap { $0.isEmpty ? nil : $0 }
    if let refusal = DomainError(sqlState: error.sqlState.code, detail: detail) {
      self = refusal
      return
    }
    switch error.sqlState.code {
    // record_workout and delete_workout: no such user; an id or a revision that is none.
    case "ZB001": self = .notAuthenticated
    case "ZB002": self = .invalidInput
    // A text with a NUL byte was not even sent.
    case SQLState.characterNotInRepertoire.code: self = .invalidInput
    default:
      guard error.sqlState.isTransient else { return nil }
      self = .networkUnavailable
    }
  }
}

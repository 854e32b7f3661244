import BatonPostgres
import Presence

extension AppError {
  /// What an error of the database means to the caller.
  init(ofDatabase error: any Error) {
    guard let error = error as? PostgresError else {
      self.init(error)
      return
    }
    let state = error.sqlState
    // The message says what is wrong with an argument; the details are not used, because they may hold other rows'
    // values.
    let detail =
      state.code == AppError.invalidInput("").sqlState
      ? error.message : error.detail.flatMap { $0.isEmpty ? nil : $0 }
    if let refusal = AppError(sqlState: state.code, constraint: error.constraint, detail: detail) {
      self = refusal
    } else if state == .characterNotInRepertoire {
      // A text with a NUL byte was not even sent.
      self = .invalidInput(error.message)
    } else if state.isTransient {
      self = .networkUnavailable
    } else {
      self = .serverError(underlying: error)
    }
  }
}

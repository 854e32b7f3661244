#if HTTP
  import Presence
  import ProductAPI

  extension AppError {
    /// The status code of the HTTP response, or nil for an error that the caller did not cause.
    var status: Int? {
      switch self {
      case .notAuthenticated, .sessionExpired: 401
      case .notAMember, .notGroupAdmin: 403
      case .groupNotFound, .inviteInvalid: 404
      case .groupFull, .alreadyAMember, .conflictingRepeat: 409
      case .inviteExpired: 410
      case .messageEmpty, .messageTooLong, .invalidInput: 422
      case .tooManyAttempts, .rateLimited, .limitReached: 429
      case .networkUnavailable: 503
      case .locationDenied, .locationUnavailable, .serverError: nil
      }
    }
  }

  extension APIRefusal {
    /// Creates the refusal for a Who's There error.
    init(_ error: AppError, _ status: Int, at place: String) {
      var fields: [String: String] = [:]
      var seconds = error.isRetryable ? 1 : nil
      if case .rateLimited(let pause) = error {
        fields["seconds"] = "\(pause / .seconds(1))"
        seconds = max(1, Int((pause / .seconds(1)).rounded(.up)))
      }
      // The response for `sessionExpired` has no SQLSTATE, because the HTTP server, not a SQL
      // function, raises this error.
      self.init(
        refused: error.code, status, sqlState: error == .sessionExpired ? nil : error.sqlState,
        fields: fields, retryAfter: seconds, at: place)
    }
  }
#endif

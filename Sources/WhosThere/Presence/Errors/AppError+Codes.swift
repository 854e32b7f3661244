extension AppError {
  /// The error's code, and the SQLSTATE that the database reports, or nil if only a device reports
  /// the error.
  private var names: (code: String, sqlState: String?) {
    switch self {
    case .notAuthenticated: ("notAuthenticated", "ZW001")
    case .sessionExpired: ("sessionExpired", "ZW002")
    case .groupNotFound: ("groupNotFound", "ZW003")
    case .notAMember: ("notAMember", "ZW004")
    case .notGroupAdmin: ("notGroupAdmin", "ZW005")
    case .groupFull: ("groupFull", "ZW006")
    case .alreadyAMember: ("alreadyAMember", "ZW007")
    case .inviteInvalid: ("inviteInvalid", "ZW008")
    case .inviteExpired: ("inviteExpired", "ZW009")
    case .tooManyAttempts: ("tooManyAttempts", "ZW010")
    case .messageEmpty: ("messageEmpty", "ZW011")
    case .messageTooLong: ("messageTooLong", "ZW012")
    case .rateLimited: ("rateLimited", "ZW013")
    case .invalidInput: ("invalidInput", "ZW014")
    case .conflictingRepeat: ("conflictingRepeat", "ZW015")
    case .limitReached: ("limitReached", "ZW016")
    case .locationDenied: ("locationDenied", nil)
    case .locationUnavailable: ("locationUnavailable", nil)
    case .networkUnavailable: ("networkUnavailable", nil)
    case .serverError: ("serverError", nil)
    }
  }

  /// The error's code, which the database also reports in the CONSTRAINT field.
  public var code: String { names.code }

  /// The SQLSTATE that the database reports, or nil if only a device reports this error.
  public var sqlState: String? { names.sqlState }

  /// Whether a repeated call may succeed later without any action by the user.
  public var isRetryable: Bool {
    switch self {
    case .networkUnavailable, .rateLimited: true
    default: false
    }
  }

  /// All errors that the server reports when it rejects a call, ordered by SQLSTATE.
  public static var refusals: [AppError] {
    [
      .notAuthenticated, .sessionExpired, .groupNotFound, .notAMember, .notGroupAdmin, .groupFull,
      .alreadyAMember, .inviteInvalid, .inviteExpired, .tooManyAttempts, .messageEmpty,
      .messageTooLong, .rateLimited(retryAfter: .zero), .invalidInput(""), .conflictingRepeat,
      .limitReached,
    ]
  }

  /// Creates the refusal for a database error, or returns nil if it is not a refusal.
  ///
  /// - Parameters:
  ///   - sqlState: The five-character SQLSTATE.
  ///   - constraint: The CONSTRAINT field. If the CONSTRAINT field contains a code that does not
  ///     belong to the SQLSTATE, the result is nil.
  ///   - detail: The DETAIL field. For `rateLimited`, the DETAIL field contains the pause in
  ///     seconds. For `invalidInput`, the DETAIL field explains the mistake.
  public init?(sqlState: String, constraint: String? = nil, detail: String? = nil) {
    guard let found = Self.refusals.first(where: { $0.sqlState == sqlState }),
      constraint.map({ $0 == found.code }) ?? true
    else { return nil }
    switch found {
    case .rateLimited: self = .rateLimited(retryAfter: Self.pause(detail))
    case .invalidInput: self = .invalidInput(detail ?? "")
    default: self = found
    }
  }

  /// Parses the pause before the next message, in seconds.
  ///
  /// If the text is not a valid number, the result is the default pause between two messages.
  private static func pause(_ text: String?) -> Duration {
    guard let seconds = text.flatMap(Double.init), 0...86_400 ~= seconds else {
      return .seconds(RateLimiter.secondsAToken)
    }
    // The pause is rounded to microseconds, because smaller fractions result only from rounding
    // errors of `Double`.
    return .microseconds(Int64((seconds * 1_000_000).rounded()))
  }
}

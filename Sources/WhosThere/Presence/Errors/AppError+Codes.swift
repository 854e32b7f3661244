extension AppError {
  /// The names of an error in logs and in the database.
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
    case .locationDenied: ("locationDenied", nil)
    case .locationUnavailable: ("locationUnavailable", nil)
    case .networkUnavailable: ("networkUnavailable", nil)
    case .serverError: ("serverError", nil)
    }
  }

  /// Its name, which is also what the database's CONSTRAINT field says.
  public var code: String { names.code }

  /// The SQLSTATE of the database's error; nil: only a device reports this error.
  public var sqlState: String? { names.sqlState }

  /// Whether the same call may succeed later without any action by the user.
  public var isRetryable: Bool {
    switch self {
    case .networkUnavailable, .rateLimited: true
    default: false
    }
  }

  /// The refusals that the server sends, in the order of their SQLSTATEs.
  public static var refusals: [AppError] {
    [
      .notAuthenticated, .sessionExpired, .groupNotFound, .notAMember, .notGroupAdmin, .groupFull,
      .alreadyAMember, .inviteInvalid, .inviteExpired, .tooManyAttempts, .messageEmpty,
      .messageTooLong, .rateLimited(retryAfter: .zero), .invalidInput(""), .conflictingRepeat,
    ]
  }

  /// The refusal that a database error stands for; nil if it is not one of ours.
  ///
  /// - Parameters:
  ///   - sqlState: five letters.
  ///   - constraint: the CONSTRAINT field; if it names another error, the result is nil.
  ///   - detail: the DETAIL field. For `rateLimited` it is the pause in seconds, for `invalidInput` it says what was
  ///     wrong.
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

  /// The seconds that a text gives; the pause between two messages if it cannot be read.
  private static func pause(_ text: String?) -> Duration {
    guard let seconds = text.flatMap(Double.init), 0...86_400 ~= seconds else {
      return .seconds(RateLimiter.secondsAToken)
    }
    // Rounded to microseconds, as instants are: smaller parts of a Double are only rounding errors.
    return .microseconds(Int64((seconds * 1_000_000).rounded()))
  }
}

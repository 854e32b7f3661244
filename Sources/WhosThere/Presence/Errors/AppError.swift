/// Why something did not work, in words that a program can switch on and a person can read.
///
/// The first fifteen are the server's refusals; the other four only a device can know. Most do not mean that the
/// program failed: ``shouldLog`` says which ones do.
public enum AppError: Error, Sendable {
  /// No user is signed in, or the call names another user.
  case notAuthenticated
  /// A user was signed in, and the session has ended.
  case sessionExpired
  /// There is no such group for this user.
  case groupNotFound
  /// The user is not, or no longer, a member of the group.
  case notAMember
  /// Only an admin of the group may do that.
  case notGroupAdmin
  /// The group has as many members as it may have.
  case groupFull
  /// The user is in the group already.
  case alreadyAMember
  /// The invite does not exist, or another one has replaced it.
  case inviteInvalid
  /// The invite existed, and has expired.
  case inviteExpired
  /// After too many wrong invites, further ones are refused for a while without a check.
  case tooManyAttempts
  /// A message of blanks only.
  case messageEmpty
  /// A message of more characters than one may have.
  case messageTooLong
  /// Too many messages in a row: the next one is accepted after this pause.
  case rateLimited(retryAfter: Duration)
  /// An argument that is never valid; the text says which, for developers.
  case invalidInput(String)
  /// The same call was made before with other arguments.
  case conflictingRepeat
  /// The user does not let the app see where the device is.
  case locationDenied
  /// The device does not know where it is.
  case locationUnavailable
  /// The server was not reached, or it was too busy to answer: the same call may succeed later.
  case networkUnavailable
  /// Anything else.
  case serverError(underlying: any Error & Sendable)
}

/// What a call came to, where an error is a value among others.
public typealias AppResult<Value> = Result<Value, AppError>

extension Result where Failure == AppError {
  /// The result of a call; whatever it throws becomes an ``AppError``.
  public static func calling(_ call: () async throws -> Success) async -> Self {
    do {
      return .success(try await call())
    } catch {
      return .failure(AppError(error))
    }
  }
}

extension AppError: Equatable {
  /// Whether they say the same; what lies under two errors of the server is compared as text.
  public static func == (left: AppError, right: AppError) -> Bool {
    switch (left, right) {
    case (.rateLimited(let one), .rateLimited(let other)): one == other
    case (.invalidInput(let one), .invalidInput(let other)): one == other
    case (.serverError(let one), .serverError(let other)):
      String(reflecting: one) == String(reflecting: other)
    default: left.code == right.code
    }
  }
}

/// The reason why an operation failed, with a code for programs and texts for users.
///
/// The server reports the first sixteen cases, and only a device reports the other four. Most cases
/// are not faults of the program. ``shouldLog`` is true if an error is a fault of the program, the
/// server or its operator.
public enum AppError: Error, Sendable {
  /// No user is signed in, or the call contains the id of another user.
  case notAuthenticated
  /// The user's session has ended.
  case sessionExpired
  /// The group does not exist, or the user has no permission to see it.
  case groupNotFound
  /// The user is not a member of the group, or is a former member.
  case notAMember
  /// Only admins of the group may make the call.
  case notGroupAdmin
  /// The group has reached its maximum number of members.
  case groupFull
  /// The user is already a member of the group.
  case alreadyAMember
  /// The invite does not exist, or has been replaced by a newer one.
  case inviteInvalid
  /// The invite has expired.
  case inviteExpired
  /// The user has tried too many wrong invite codes.
  ///
  /// For a limited time, the server rejects every invite code that this user tries, without
  /// checking it.
  case tooManyAttempts
  /// The message is empty or contains only whitespace.
  case messageEmpty
  /// The message exceeds the maximum number of characters.
  case messageTooLong
  /// The user has sent too many messages in a short time.
  ///
  /// The next message is accepted after the given pause.
  case rateLimited(retryAfter: Duration)
  /// An argument has a value that is always invalid.
  ///
  /// The associated text explains the mistake to developers.
  case invalidInput(String)
  /// An earlier call with the same id had different arguments.
  case conflictingRepeat
  /// A usage limit has been reached, either by the user or by all users together.
  ///
  /// Each usage limit is a number per hour or per day, which operators can change.
  case limitReached
  /// The user has not allowed the app to access the location.
  case locationDenied
  /// The device cannot determine its location.
  case locationUnavailable
  /// The server could not be reached or was too busy to respond.
  ///
  /// A repeated call may succeed later.
  case networkUnavailable
  /// Any other error occurred.
  case serverError(underlying: any Error & Sendable)
}

/// The result of a call, for code that handles errors as values.
public typealias AppResult<Value> = Result<Value, AppError>

extension Result where Failure == AppError {
  /// Returns the result of a call, in which any thrown error is converted into an ``AppError``.
  public static func calling(_ call: () async throws -> Success) async -> Self {
    do {
      return .success(try await call())
    } catch {
      return .failure(AppError(error))
    }
  }
}

extension AppError: Equatable {
  /// Returns whether two errors are equal.
  ///
  /// The underlying errors of `serverError` are compared by their text.
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

public import Foundation
public import Presence

extension AppError: LocalizedError {
  private var texts: (description: String, message: String, suggestion: String) {
    switch self {
    case .notAuthenticated:
      (
        "No user is signed in, or the call names another user.", "You are not signed in.",
        "Sign in and try again."
      )
    case .sessionExpired:
      (
        "The session's token has expired or was revoked.", "You have been signed out.",
        "Sign in again. Your data is not lost."
      )
    case .groupNotFound:
      (
        "The group does not exist for this user.", "This group no longer exists.",
        "Ask an admin of the group for an invite."
      )
    case .notAMember:
      (
        "The user is not a member of the group.", "You are not in this group.",
        "Join the group first."
      )
    case .notGroupAdmin:
      (
        "The user is not an admin of the group.", "Only admins can do this.",
        "Ask an admin of the group to do it."
      )
    case .groupFull:
      (
        "The group already has the maximum number of members.", "This group is full.",
        "Ask an admin to make room, then try again."
      )
    case .alreadyAMember:
      (
        "The user is already a member of the group.", "You are already in this group.",
        "Open it from your list of groups."
      )
    default: textsOfInput ?? textsOfDevice
    }
  }

  private var textsOfInput: (description: String, message: String, suggestion: String)? {
    switch self {
    case .inviteInvalid:
      (
        "The invite is unknown or was replaced.", "This invite does not work.",
        "Check the code, or ask for a new invite."
      )
    case .inviteExpired:
      (
        "The invite has expired.", "This invite has expired.",
        "Ask the sender for a new invite."
      )
    case .tooManyAttempts:
      (
        "Too many invalid invites within an hour.", "Too many wrong codes.",
        "Wait an hour before you try another code."
      )
    case .messageEmpty:
      ("The message is empty once trimmed.", "There is nothing to send.", "Write something first.")
    case .messageTooLong:
      (
        "The message has more than \(Message.longest) characters.", "This message is too long.",
        "Shorten the message, or send two messages."
      )
    case .rateLimited(let pause):
      (
        "Too many messages; the next message is accepted in \(pause).", "You are sending too fast.",
        "Wait a moment, then send the message again."
      )
    case .invalidInput(let why):
      (
        "An argument is not valid\(why.isEmpty ? "." : ": \(why)")", "Something is not right here.",
        "Check your input and try again."
      )
    case .conflictingRepeat:
      (
        "The same call was made before with different arguments.", "This was done differently.",
        "Reload to see the current state."
      )
    case .limitReached:
      (
        "A limit of use for this hour or day is reached.", "You have done this too often.",
        "Try again in an hour or tomorrow."
      )
    default: nil
    }
  }

  private var textsOfDevice: (description: String, message: String, suggestion: String) {
    switch self {
    case .locationDenied:
      (
        "The app has no permission to use the location.", "Location is turned off for this app.",
        "Allow location access in Settings, or check in manually."
      )
    case .locationUnavailable:
      (
        "The device cannot determine its location.", "Your location cannot be found.",
        "Go outdoors, or check in manually."
      )
    case .networkUnavailable:
      (
        "The server is unreachable or too busy to respond.", "You are offline.",
        "Try again when you are connected."
      )
    default:
      (
        "The server failed\(underlying.map { ": \($0)" } ?? ".")", "Something went wrong.",
        "Try again later. If the problem continues, contact us."
      )
    }
  }

  private var underlying: (any Error)? {
    if case .serverError(let error) = self { error } else { nil }
  }

  /// A description of the error for developers and logs.
  public var errorDescription: String? { texts.description }

  /// A description of the error for the app's users.
  public var userMessage: String { texts.message }

  /// A suggestion for the user on how to fix the error.
  public var recoverySuggestion: String? { texts.suggestion }

  /// Whether the error is a fault of the program, the server or its operator.
  ///
  /// A cancelled call is not a fault, because the user may have left a view before the response
  /// arrived.
  public var shouldLog: Bool {
    switch self {
    case .invalidInput, .conflictingRepeat: true
    case .serverError(let error): !(error is CancellationError)
    default: false
    }
  }
}

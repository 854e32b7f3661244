public import Foundation
public import Presence

extension AppError: LocalizedError {
  private var texts: (description: String, message: String, suggestion: String) {
    switch self {
    case .notAuthenticated:
      (
        "No user is signed in, or the call names another one.", "You are not signed in.",
        "Sign in and try again."
      )
    case .sessionExpired:
      (
        "The session's token has ended or was revoked.", "You have been signed out.",
        "Sign in again; nothing of yours is lost."
      )
    case .groupNotFound:
      (
        "There is no such group for this user.", "This group is no longer there.",
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
        "The group has its most members.", "This group is full.",
        "Ask an admin to make room, then try again."
      )
    case .alreadyAMember:
      (
        "The user is a member of the group already.", "You are in this group already.",
        "Open it from your list of groups."
      )
    default: textsOfInput ?? textsOfDevice
    }
  }

  private var textsOfInput: (description: String, message: String, suggestion: String)? {
    switch self {
    case .inviteInvalid:
      (
        "The invite is unknown, or another one has taken its place.", "This invite does not work.",
        "Look at the code again, or ask for a new one."
      )
    case .inviteExpired:
      (
        "The invite's time is over.", "This invite has expired.",
        "Ask whoever sent it for a new invite."
      )
    case .tooManyAttempts:
      (
        "Too many wrong invites within an hour.", "Too many wrong codes.",
        "Wait an hour before you try another code."
      )
    case .messageEmpty:
      ("The message is empty once trimmed.", "There is nothing to send.", "Write something first.")
    case .messageTooLong:
      (
        "The message has more than \(Message.longest) characters.", "This message is too long.",
        "Shorten it, or send it as two."
      )
    case .rateLimited(let pause):
      (
        "Too many messages; the next one is taken in \(pause).", "You are sending too fast.",
        "Wait a moment, then send it again."
      )
    case .invalidInput(let why):
      (
        "An argument is not valid\(why.isEmpty ? "." : ": \(why)")", "Something is not right here.",
        "Check what you entered and try once more."
      )
    case .conflictingRepeat:
      (
        "The same call was made before with other arguments.", "This was done differently before.",
        "Reload, and look at how it is now."
      )
    default: nil
    }
  }

  private var textsOfDevice: (description: String, message: String, suggestion: String) {
    switch self {
    case .locationDenied:
      (
        "The app may not see where the device is.", "Location is turned off for this app.",
        "Allow it in Settings, or check in by hand."
      )
    case .locationUnavailable:
      (
        "The device does not know where it is.", "Your location cannot be found.",
        "Go where the sky is open, or check in by hand."
      )
    case .networkUnavailable:
      (
        "The server was not reached, or was too busy to answer.", "You are offline.",
        "Try again once you are connected."
      )
    default:
      (
        "The server failed\(underlying.map { ": \($0)" } ?? ".")", "Something went wrong.",
        "Try again later; tell us if it goes on."
      )
    }
  }

  private var underlying: (any Error)? {
    if case .serverError(let error) = self { error } else { nil }
  }

  /// A description of the error for developers and logs.
  public var errorDescription: String? { texts.description }

  /// A description of the error for the user of the app.
  public var userMessage: String { texts.message }

  /// A suggestion for what the user can do about the error.
  public var recoverySuggestion: String? { texts.suggestion }

  /// Whether the error is a fault of the program, the server or its operator.
  ///
  /// A cancelled call is not a fault, because the user only left a view before the response
  /// arrived.
  public var shouldLog: Bool {
    switch self {
    case .invalidInput, .conflictingRepeat: true
    case .serverError(let error): !(error is CancellationError)
    default: false
    }
  }
}

public import Challenges

/// The screen that an app shows to a user who opened an invite.
public enum InviteStep: Hashable, Sendable {
  /// The app asks the user to sign in.
  ///
  /// The app stores the invite's code and continues with it after the user signs in.
  case signIn(InviteCode)
  /// The app shows a preview of the group with a button to join.
  case showPreview(InviteCode)
  /// The app joins the group without asking the user again.
  case join(InviteCode)

  /// Returns the next screen for a user who opened an invite.
  ///
  /// - Parameters:
  ///   - code: The code in the invite link.
  ///   - user: The signed-in user.
  ///   - hasSignedInForIt: Whether the user signed in because of this invite. A user who signed in
  ///     for the invite wants to join, so the app does not ask again. A user in another group sees
  ///     the preview, because the user must leave that group before joining.
  public static func next(
    for code: InviteCode, user: SocialUser?, hasSignedInForIt: Bool
  ) -> InviteStep {
    guard let user else { return .signIn(code) }
    guard hasSignedInForIt, user.currentGroupId == nil else { return .showPreview(code) }
    return .join(code)
  }
}

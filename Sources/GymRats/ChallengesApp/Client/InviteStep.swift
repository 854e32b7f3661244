public import Challenges

/// What an app shows to a user who opened an invite.
public enum InviteStep: Hashable, Sendable {
  /// Sign in; the app stores the code meanwhile and continues with it afterwards.
  case signIn(InviteCode)
  /// What the group looks like, with a button to join.
  case showPreview(InviteCode)
  /// Join without another question.
  case join(InviteCode)

  /// The next step.
  ///
  /// - Parameters:
  ///   - code: the code in the link.
  ///   - user: the signed-in user.
  ///   - hasSignedInForIt: whether they signed in because of this invite. Then they wanted to join, and the app does
  ///     not ask again. A user who is in another group sees the invite, because they have to leave that group first.
  public static func next(
    for code: InviteCode, user: SocialUser?, hasSignedInForIt: Bool
  ) -> InviteStep {
    guard let user else { return .signIn(code) }
    guard hasSignedInForIt, user.currentGroupId == nil else { return .showPreview(code) }
    return .join(code)
  }
}

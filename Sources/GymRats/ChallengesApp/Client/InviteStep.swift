public import Challenges

/// What an app shows somebody who opened an invite.
public enum InviteStep: Hashable, Sendable {
  /// Sign in; the code is kept meanwhile, and asked about again behind it.
  case signIn(InviteCode)
  /// What the group looks like, with a button to join.
  case showPreview(InviteCode)
  /// Join without another question.
  case join(InviteCode)

  /// The next step.
  ///
  /// - Parameters:
  ///   - code: what the link carried.
  ///   - user: who is signed in.
  ///   - hasSignedInForIt: whether they signed in because of this invite: then they wanted to join, and a
  ///     second question would be one too many. Whoever is in a group is shown what they opened, because
  ///     they have to leave theirs first.
  public static func next(
    for code: InviteCode, user: SocialUser?, hasSignedInForIt: Bool
  ) -> InviteStep {
    guard let user else { return .signIn(code) }
    guard hasSignedInForIt, user.currentGroupId == nil else { return .showPreview(code) }
    return .join(code)
  }
}

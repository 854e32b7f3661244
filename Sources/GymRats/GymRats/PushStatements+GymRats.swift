import BatonPostgres
import ChallengesSQL
import ProductPush

extension PushStatements {
  /// The statements that deliver GymRats notifications.
  static let ofNotifications = PushStatements(
    subject: "notification", read: SQL.Pushes.readPush,
    countDropped: SQL.Pushes.countDropped, forgetDevice: SQL.Pushes.forgetDevice)
}

import BatonPostgres
import PresenceSQL
import ProductPush

extension PushStatements {
  /// The statements that deliver notifications about messages.
  static let ofMessages = PushStatements(
    subject: "message", read: SQL.Push.readMessagePush, countDropped: SQL.Push.countDropped,
    forgetDevice: SQL.Push.forgetDevice)

  /// The statements that deliver notifications about first arrivals.
  static let ofArrivals = PushStatements(
    subject: "arrival", read: SQL.Push.readArrivalPush, countDropped: SQL.Push.countDropped,
    forgetDevice: SQL.Push.forgetDevice)
}

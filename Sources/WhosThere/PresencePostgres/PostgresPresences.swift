import BatonPostgres
import Foundation
public import Presence
import PresenceSQL
import ProductKit
import ProductPostgres

/// Sends one actor's check-ins and check-outs to PostgreSQL, and reads presences.
public struct PostgresPresences: Sendable {
  let calls: ActorCalls

  /// Sends a check-in or check-out.
  ///
  /// A repeated command receives the first command's response and takes effect only once.
  public func send(_ command: PresenceCommand) async throws(AppError) -> PresenceAnswer {
    let actor = try calls.signedIn
    switch command.action {
    case .checkIn:
      let place = command.position?.coordinate
      let locatedAt = try command.position.map { (it) throws(AppError) in try timestamp(it.at) }
      return try await calls.run(
        .row(
          SQL.Api.checkIn, actor, command.id, command.groupId, command.source.rawValue,
          command.device.rawValue, try timestamp(command.at), command.seconds, place?.latitude,
          place?.longitude, command.position?.accuracy,
          locatedAt, decode: Self.answer))
    case .checkOut:
      return try await calls.run(
        .row(
          SQL.Api.checkOut, actor, command.id, command.groupId,
          command.source.rawValue, command.device.rawValue, try timestamp(command.at),
          decode: Self.answer))
    }
  }

  /// Returns the users who are at a group's place now.
  ///
  /// Only members may call this method.
  public func presences(of groupId: String) async throws(AppError) -> PresenceSnapshot {
    try await calls.run(
      .row(SQL.Api.presenceSnapshot, try calls.signedIn, groupId) { (row) throws(PostgresError) in
        let json = try row.decode(String.self)
        return try known(
          try? WireFormat.read(PresenceSnapshot.self, from: Data(json.utf8)),
          "a snapshot of \(groupId)")
      })
  }

  /// Converts a time on a device's clock to a database timestamp.
  ///
  /// A device's clock may show any time, even a time that the database cannot store.
  private func timestamp(_ date: Date) throws(AppError) -> Timestamp {
    guard InstantText.text(of: date) != nil else { throw .invalidInput("a time") }
    return Timestamp(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
  }

  private static func answer(_ row: Row) throws(PostgresError) -> PresenceAnswer {
    let (outcome, isReplayed, group, user, isPresent, source, since, deadline, version, changedAt) =
      try row.decode(
        String.self, Bool.self, String?.self, String?.self, Bool?.self, String?.self,
        Timestamp?.self, Timestamp?.self, Int64?.self, Timestamp?.self)
    let presence = try Presence(
      groupId: group, userId: user, isPresent: isPresent, source: source, since: since,
      deadline: deadline, version: version, changedAt: changedAt)
    return PresenceAnswer(
      outcome: try known(PresenceOutcome(rawValue: outcome), "outcome \(outcome)"),
      isReplayed: isReplayed, presence: presence)
  }
}

extension PresenceCommand {
  /// The duration of the stay in seconds, with the type that the database expects.
  fileprivate var seconds: Int32? { stay.map { Int32(clamping: $0) } }
}

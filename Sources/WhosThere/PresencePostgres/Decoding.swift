import BatonPostgres
import Foundation
import Presence
import ProductKit
import ProductPostgres

extension Timestamp {
  /// Converts a date to a timestamp with microseconds.
  ///
  /// - Throws: `invalidInput` if the date is outside the years in which a `Date` is exact to the
  ///   microsecond.
  init(_ date: Date) throws(AppError) {
    guard InstantText.text(of: date) != nil else { throw .invalidInput("an instant") }
    self.init(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
  }
}

extension Presence {
  /// Creates a presence from the columns of a row, or returns nil if they are null.
  ///
  /// The columns are null if the user was never at the place.
  init?(
    groupId: String?, userId: String?, isPresent: Bool?, source: String?, since: Timestamp?,
    deadline: Timestamp?, version: Int64?, changedAt: Timestamp?
  ) throws(PostgresError) {
    guard let groupId, let userId, let isPresent, let source, let since, let version, let changedAt
    else { return nil }
    self.init(
      groupId: groupId, userId: userId, isPresent: isPresent,
      source: try known(PresenceSource(rawValue: source), "source \(source)"),
      since: since.date, deadline: deadline?.date, version: version, changedAt: changedAt.date)
  }
}

extension Row {
  /// Decodes the actor's account.
  func user() throws(PostgresError) -> User {
    let (id, name, photo, isAnonymous, asksForName, zone, version, createdAt) = try decode(
      String.self, String.self, String?.self, Bool.self, Bool.self, String?.self, Int64.self,
      Timestamp.self)
    return User(
      id: id, displayName: name, asksForName: asksForName, photoURL: photo?.asPhotoURL,
      isAnonymous: isAnonymous, timeZone: zone, version: version, createdAt: createdAt.date)
  }

  /// Decodes a group.
  func group() throws(PostgresError) -> LocationGroup {
    let (id, name, shape, isPublic, zone, members, most, isActive, _, createdAt, createdBy, _, _) =
      try decode(
        String.self, String.self, String.self, Bool.self, String.self, Int32.self, Int32.self,
        Bool.self, Int64.self, Timestamp.self, String?.self, String?.self, Timestamp?.self)
    return LocationGroup(
      id: id, name: name,
      shape: try known(
        try? WireFormat.read(GroupShape.self, from: Data(shape.utf8)), "the shape of group \(id)"),
      isPublic: isPublic, timeZone: zone, memberCount: Int(members), maxMembers: Int(most),
      isActive: isActive, createdAt: createdAt.date, createdBy: createdBy)
  }

  /// Decodes an invite.
  func invite() throws(PostgresError) -> GroupInvite {
    let (code, group, expiresAt) = try decode(String.self, String.self, Timestamp.self)
    return GroupInvite(
      code: try known(InviteCode(exactly: code), "the code of an invite"), groupId: group,
      expiresAt: expiresAt.date)
  }
}

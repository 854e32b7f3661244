import BatonPostgres
import Foundation
import Presence
import ProductKit

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

/// Unwraps a value that was decoded from a string in the database.
///
/// - Throws: An error if the program does not know the string. An unknown string has no default
///   value.
func known<Value>(
  _ value: Value?, _ what: @autoclosure () -> String
) throws(PostgresError) -> Value {
  guard let value else {
    throw PostgresError(.dataException, "\(what()) is none that this program knows")
  }
  return value
}

extension Array {
  /// Returns the element at a position that the server has returned.
  ///
  /// The first position is 1.
  ///
  /// - Throws: An error if the position does not exist. Without the range check, an invalid
  ///   position would crash the process.
  func element(_ position: Int64) throws(PostgresError) -> Element {
    try known(
      position > 0 && position <= Int64(count) ? self[Int(position) - 1] : nil,
      "the position \(position) of \(count)")
  }
}

extension String {
  /// The URL of a photo, or nil if the string is not a valid URL.
  ///
  /// An invalid URL of one member must not prevent the whole list from being read.
  var asPhotoURL: URL? { URL(string: self) }
}

extension Presence {
  /// Creates a presence from the columns of a row, or returns nil if the columns are null.
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

public import Foundation

/// The reason for a report about a user.
public enum ReportReason: String, CaseIterable, Codable, Hashable, Sendable {
  /// The user sends unwanted invites or advertising.
  case spam
  /// The user harasses or threatens other users.
  case harassment
  /// The user's name or photo is offensive.
  case profile
  /// The user records workouts that did not happen.
  case cheating
  /// Any other reason, which the note describes.
  case other
}

/// A report about a user, which only the service's operators read.
///
/// Example:
///
///     try await repositories.safety.report(
///       UserReport(groupId: group.id, userId: "ben", reason: .spam))
public struct UserReport: Codable, Hashable, Sendable, Identifiable {
  /// The id of the report.
  ///
  /// If a report is sent twice with the same id, the server stores it only once.
  public let id: UUID
  /// The id of a group that both users are or were members of.
  public let groupId: String
  /// The id of the reported user.
  public let userId: String
  /// The reason for the report.
  public let reason: ReportReason
  /// A description of up to 1,000 characters.
  public let note: String

  /// Creates a report, by default with a new random id and without a note.
  public init(
    groupId: String, userId: String, reason: ReportReason, note: String = "", id: UUID = UUID()
  ) {
    self.id = id
    self.groupId = groupId
    self.userId = userId
    self.reason = reason
    self.note = note
  }
}

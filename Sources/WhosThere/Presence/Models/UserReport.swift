public import Foundation

/// The reason for a report about a user.
public enum ReportReason: String, CaseIterable, Codable, Hashable, Sendable {
  /// The user sends unwanted invites or advertising.
  case spam
  /// The user harasses or threatens other users.
  case harassment
  /// The user's name or photo is offensive.
  case profile
  /// The user sends offensive messages.
  case content
  /// Any other reason, which the note describes.
  case other
}

/// A report about a user or a message, which only the service's operators read.
///
/// Example:
///
///     try await repositories.safety.report(
///       UserReport(groupId: group.id, userId: "ben", reason: .spam))
public struct UserReport: Codable, Hashable, Sendable, Identifiable {
  /// The id of the report.
  ///
  /// If a call is repeated with the same id, the report is stored only once.
  public let id: UUID
  /// The id of a group that the reporter and the reported user are or were members of.
  public let groupId: String
  /// The id of the reported user.
  public let userId: String
  /// The reason for the report.
  public let reason: ReportReason
  /// A description of up to 1,000 characters.
  public let note: String
  /// The id of a message that the user wrote in the group, or nil if the report is not about a
  /// message.
  public let messageId: UUID?

  /// Creates a report, by default with a new random id and without a note.
  public init(
    groupId: String, userId: String, reason: ReportReason, note: String = "",
    messageId: UUID? = nil, id: UUID = UUID()
  ) {
    self.id = id
    self.groupId = groupId
    self.userId = userId
    self.reason = reason
    self.note = note
    self.messageId = messageId
  }
}

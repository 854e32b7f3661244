public import Challenges
import Foundation
import ProductKit

/// A new, edited or deleted workout that the server has not acknowledged yet.
public struct PendingChange: Codable, Hashable, Sendable {
  /// The workout.
  ///
  /// For a deletion, only the workout's id and revision are used.
  public let workout: WorkoutHistoryEntry
  /// Whether the change deletes the workout.
  public let isDeletion: Bool
  /// The number of failed attempts, except failures due to the network or a missing sign-in.
  public internal(set) var failures = 0

  init(recording workout: WorkoutHistoryEntry) {
    self.workout = workout
    isDeletion = false
  }

  init(deleting workoutId: String, revision: Int) {
    workout = WorkoutHistoryEntry(id: workoutId, performedAt: nil, revision: revision)
    isDeletion = true
  }

  /// The bytes of the workout's id.
  ///
  /// The server compares ids by bytes. Swift's `==` treats two Unicode spellings of a letter as
  /// equal.
  var key: [UInt8] { Array(workout.id.utf8) }

  /// Whether a server can accept the change.
  var isValid: Bool {
    InputLimits.isIdentifier(workout.id) && 0...Int(Int32.max) ~= workout.revision
      && failures >= 0 && (isDeletion || workout.performedAt != nil)
      && -86_400...86_400 ~= workout.utcOffsetSeconds ?? 0
  }

  /// The change with its time rounded as in the file, or nil if the time cannot be stored.
  var normalized: PendingChange? {
    guard let instant = workout.performedAt else { return self }
    // The file stores times in microseconds, so the time is rounded before the first call to the
    // server. If a repeated call had a different time, the server would treat it as a different
    // workout.
    guard let text = InstantText.text(of: instant) else { return nil }
    var workout = workout
    workout.performedAt = InstantText.date(text)
    var change = PendingChange(recording: workout)
    change.failures = failures
    return change
  }

  /// Returns whether another change has the same content, ignoring the number of failed attempts.
  func isSame(as other: PendingChange) -> Bool {
    workout == other.workout && key == other.key && isDeletion == other.isDeletion
  }
}

/// The file format for one user's pending changes.
struct PendingSyncFile {
  private struct Content: Codable {
    let user: String
    let changes: [PendingChange]
  }

  /// The reason why a file could not be read.
  enum Failure: Error { case tooLarge, otherUser, invalid }

  let user: String
  let mostChanges: Int

  private static let format = CheckedContent(kind: "baton-pending-workouts", version: 1)
  /// The maximum size of a change in bytes, which is sufficient for a 256-byte id in which every
  /// character is escaped.
  private static let mostBytesOfChange = 2_048

  var mostBytes: Int { (mostChanges + 2) * Self.mostBytesOfChange }

  func bytes(of changes: [PendingChange]) throws -> [UInt8] {
    Self.format.wrapped(
      Array(try WireFormat.data(of: Content(user: user, changes: changes))))
  }

  /// Decodes the changes in a file.
  ///
  /// - Throws: An error if the file is damaged, belongs to another user or contains an invalid
  ///   change.
  func changes(from bytes: [UInt8]) throws -> [PendingChange] {
    guard bytes.count <= mostBytes else { throw Failure.tooLarge }
    let payload = try Self.format.unwrapped(bytes)
    let content = try WireFormat.read(Content.self, from: Data(payload), limit: mostBytes)
    guard content.user.utf8.elementsEqual(user.utf8) else { throw Failure.otherUser }
    guard content.changes.allSatisfy(\.isValid) else { throw Failure.invalid }
    return content.changes
  }
}

public import Challenges
import Foundation
import ProductKit

/// A workout, an edit or a deletion that the server has not answered yet.
public struct PendingChange: Codable, Hashable, Sendable {
  /// The workout; of a deletion its id and revision count.
  public let workout: WorkoutHistoryEntry
  /// Whether the workout is to be taken back.
  public let isDeletion: Bool
  /// How often sending it failed for a reason that is neither the network nor signing in.
  public internal(set) var failures = 0

  init(recording workout: WorkoutHistoryEntry) {
    self.workout = workout
    isDeletion = false
  }

  init(deleting workoutId: String, revision: Int) {
    workout = WorkoutHistoryEntry(id: workoutId, performedAt: nil, revision: revision)
    isDeletion = true
  }

  /// The id's bytes: `==` on texts takes two spellings of one letter for the same, the server does not.
  var key: [UInt8] { Array(workout.id.utf8) }

  /// Whether a server could take it.
  var isValid: Bool {
    InputLimits.isIdentifier(workout.id) && 0...Int(Int32.max) ~= workout.revision
      && failures >= 0 && (isDeletion || workout.performedAt != nil)
      && -86_400...86_400 ~= workout.utcOffsetSeconds ?? 0
  }

  /// The same change, as it is after being written and read.
  var normalized: PendingChange? {
    guard let instant = workout.performedAt else { return self }
    // The server compares what it is sent with what it was sent before: to it a microsecond that is lost
    // between the phone's memory and its disk would be another workout.
    guard let text = InstantText.text(of: instant) else { return nil }
    var workout = workout
    workout.performedAt = InstantText.date(text)
    var change = PendingChange(recording: workout)
    change.failures = failures
    return change
  }

  /// Whether it says the same, however often it was tried.
  func isSame(as other: PendingChange) -> Bool {
    workout == other.workout && key == other.key && isDeletion == other.isDeletion
  }
}

/// The changes of one user in a file.
struct PendingSyncFile {
  private struct Content: Codable {
    let user: String
    let changes: [PendingChange]
  }

  /// Why a file could not be read.
  enum Failure: Error { case tooLarge, otherUser, invalid }

  let user: String
  let mostChanges: Int

  private static let format = CheckedContent(kind: "baton-pending-workouts", version: 1)
  /// A change with an id of 256 bytes, each escaped, takes less.
  private static let mostBytesOfChange = 2_048

  var mostBytes: Int { (mostChanges + 2) * Self.mostBytesOfChange }

  func bytes(of changes: [PendingChange]) throws -> [UInt8] {
    Self.format.wrapped(
      Array(try WireFormat.data(of: Content(user: user, changes: changes))))
  }

  /// - Throws: whatever says that these are not changes of this user, every one of them valid.
  func changes(from bytes: [UInt8]) throws -> [PendingChange] {
    guard bytes.count <= mostBytes else { throw Failure.tooLarge }
    let payload = try Self.format.unwrapped(bytes)
    let content = try WireFormat.read(Content.self, from: Data(payload), limit: mostBytes)
    guard content.user.utf8.elementsEqual(user.utf8) else { throw Failure.otherUser }
    guard content.changes.allSatisfy(\.isValid) else { throw Failure.invalid }
    return content.changes
  }
}

import BatonPostgres
import Challenges
import Foundation
import ProductKit

/// A text of the database that says nothing this program knows: an error, never a default.
func known<Value>(
  _ value: Value?, _ what: @autoclosure () -> String
) throws(PostgresError) -> Value {
  guard let value else {
    throw PostgresError(.dataException, "\(what()) is none that this program knows")
  }
  return value
}

extension Timestamp {
  /// An instant of the domain, to the microsecond.
  ///
  /// - Throws: `invalidInput` outside of the years 1900 to 2100, in which a `Date` holds microseconds.
  init(_ date: Date) throws(DomainError) {
    guard InstantText.text(of: date) != nil else { throw .invalidInput }
    self.init(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
  }
}

extension Int {
  /// A number as the database takes it.
  var asParameter: Int32 {
    get throws(DomainError) {
      guard let number = Int32(exactly: self) else { throw .invalidInput }
      return number
    }
  }
}

extension String {
  /// Ids are compared by bytes: Swift takes two spellings of a letter for one.
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// The address of a picture; nil also if it is invalid, so that one member's bad address does not hide the board.
  var asPhotoURL: URL? { URL(string: self) }
}

extension Row {
  /// A call without an answer.
  func ignored() throws(PostgresError) {}

  /// What became of a workout.
  func workoutAnswer() throws(PostgresError) -> WorkoutAnswer {
    let (name, reason, monday, isReplayed) = try decode(
      String.self, String?.self, String?.self, Bool.self)
    let outcome = try known(
      WorkoutOutcome(name: name, reason: reason), "outcome \(name) \(reason ?? "without reason")")
    var week: Week?
    if let monday { week = try known(Week(monday: monday), "week \(monday)") }
    return WorkoutAnswer(outcome: outcome, week: week, isReplayed: isReplayed)
  }

  /// A group.
  func group() throws(PostgresError) -> Group {
    let (id, name, members, _, isActive, createdAt, createdBy, _, _, _) = try decode(
      String.self, String.self, Int32.self, Int32.self, Bool.self, Timestamp.self, String?.self,
      String?.self, Timestamp?.self, Bool?.self)
    return Group(
      id: id, name: name, createdAt: createdAt.date, createdBy: createdBy,
      memberCount: Int(members), isActive: isActive)
  }
}

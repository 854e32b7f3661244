import BatonPostgres
import Challenges
import Foundation
import ProductKit
import ProductPostgres

extension Timestamp {
  /// Converts a date to a timestamp with microseconds.
  ///
  /// - Throws: `invalidInput` if the date is outside the years 1900 to 2100, in which a `Date` is
  ///   exact to the microsecond.
  init(_ date: Date) throws(DomainError) {
    guard InstantText.text(of: date) != nil else { throw .invalidInput }
    self.init(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
  }
}

extension Int {
  /// The number, converted to the type that the database expects.
  var asParameter: Int32 {
    get throws(DomainError) {
      guard let number = Int32(exactly: self) else { throw .invalidInput }
      return number
    }
  }
}

extension String {
  /// Returns whether two strings have the same bytes.
  ///
  /// Ids are compared by bytes, because Swift treats two Unicode spellings of a letter as equal.
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Row {
  /// Ignores the row that a call returns.
  func ignored() throws(PostgresError) {}

  /// Decodes the server's response to a workout.
  func workoutAnswer() throws(PostgresError) -> WorkoutAnswer {
    let (name, reason, monday, isReplayed) = try decode(
      String.self, String?.self, String?.self, Bool.self)
    let outcome = try known(
      WorkoutOutcome(name: name, reason: reason), "outcome \(name) \(reason ?? "without reason")")
    var week: Week?
    if let monday { week = try known(Week(monday: monday), "week \(monday)") }
    return WorkoutAnswer(outcome: outcome, week: week, isReplayed: isReplayed)
  }

  /// Decodes a group.
  func group() throws(PostgresError) -> Group {
    let (id, name, members, _, isActive, createdAt, createdBy, _, _, _) = try decode(
      String.self, String.self, Int32.self, Int32.self, Bool.self, Timestamp.self, String?.self,
      String?.self, Timestamp?.self, Bool?.self)
    return Group(
      id: id, name: name, createdAt: createdAt.date, createdBy: createdBy,
      memberCount: Int(members), isActive: isActive)
  }
}

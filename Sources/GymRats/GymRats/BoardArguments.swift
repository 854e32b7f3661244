import Baton
import Challenges
import CheckIns

/// Parses the value of the `--week` option, which may be any day in a week.
///
/// - Throws: `Complaint` if the value is not a date.
func checkedDate(_ text: String) throws -> Day {
  guard let day = Day(text) else {
    throw Complaint(
      .usage, what: "'\(text)' is not a date.", place: "--week",
      next: "Give a day of the week as YYYY-MM-DD, for example 2024-03-01.")
  }
  return day
}

extension ChallengeType {
  /// Creates a type from the value of the `--type` option.
  ///
  /// - Throws: `Complaint` if the type is unknown.
  init(argument text: String) throws {
    guard let type = ChallengeType(rawValue: text) else {
      throw Complaint(
        .usage, what: "'\(text)' is not a type of board.", place: "--type",
        next: "Use \(ChallengeType.allCases.map(\.rawValue).joined(separator: " or ")).")
    }
    self = type
  }
}

extension Complaint {
  /// Creates the error message for a group that does not exist.
  init(noGroup group: String, in database: Database) {
    self.init(
      .noInput, what: "There is no group '\(group)'.", place: "\(database)",
      next: "`gymrats board --all` shows every group with a board.")
  }
}

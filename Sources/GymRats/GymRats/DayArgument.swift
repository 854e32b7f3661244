import Baton
import CheckIns

extension Day {
  /// Creates a day from the value of a command's option.
  ///
  /// - Throws: `Complaint` if the day does not exist.
  init(argument text: String, _ option: String) throws {
    guard let day = Day(text) else {
      throw Complaint(
        .usage, what: "'\(text)' is not a date.", place: option,
        next: "Give a day as YYYY-MM-DD, for example 2024-03-01.")
    }
    self = day
  }

  /// The number of days since 1970-01-01.
  var number: Int64 { microseconds / 86_400_000_000 }
}

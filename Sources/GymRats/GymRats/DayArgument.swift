import Baton
import CheckIns

extension Day {
  /// A day that the user of the command has typed.
  ///
  /// - Throws: `Complaint` if there is no such day.
  init(argument text: String, _ option: String) throws {
    guard let day = Day(text) else {
      throw Complaint(
        .usage, what: "'\(text)' is not a date.", place: option,
        next: "Give a day as YYYY-MM-DD, for example 2024-03-01.")
    }
    self = day
  }

  /// Days from 1970-01-01.
  var number: Int64 { microseconds / 86_400_000_000 }
}

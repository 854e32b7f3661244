import Foundation

extension CheckInFile {
  /// Finds the check-in file for a demo.
  ///
  /// The method tries, in this order, the path in `BATON_CHECKINS`, the complete file in
  /// `../shared/data`, and the repository's file with one year of data.
  ///
  /// - Returns: the file's path, and whether it is the repository's file.
  /// - Throws: `CheckInFileError` if none of the files exists.
  package static func found() throws(CheckInFileError) -> (path: String, isCommitted: Bool) {
    let environment = ProcessInfo.processInfo.environment["BATON_CHECKINS"]
    let whole = [environment, "../shared/data/checkins.csv.gz"].compactMap { $0 }
    if let path = whole.first(where: { FileManager.default.fileExists(atPath: $0) }) {
      return (path, false)
    }
    let committed = "Tests/Data/checkins-2024.csv.gz"
    guard FileManager.default.fileExists(atPath: committed) else {
      throw CheckInFileError(
        "There is no file of check-ins here.", place: committed,
        next: "Run it in the repository's folder, or set BATON_CHECKINS to a file.",
        isMissingFile: true)
    }
    return (committed, true)
  }
}

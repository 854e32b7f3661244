import Foundation

/// A password that every program of a run of the tests is given, and that no server asks for: wherever it turns
/// up, a password was told.
///
/// `Tests/run` makes one, searches what the tests print themselves, and fails where anything was reported.
package struct Canary: Sendable {
  /// Where programs find it.
  package static let variable = "PGPASSWORD"

  /// That of this run; nil where `Tests/run` has not planted one.
  package static let ofRun: Canary? = {
    let environment = ProcessInfo.processInfo.environment
    guard let value = environment[variable], let report = environment["BATON_LEAKS"] else {
      return nil
    }
    return Canary(value, report: report)
  }()

  private let value: Data
  private let report: String

  /// A canary, and the file that is told where it was found.
  package init(_ value: String, report: String) {
    self.value = Data(value.utf8)
    self.report = report
  }

  /// Searches all files of a folder, or one of them, and reports those that hold it.
  ///
  /// Not the data of servers: nobody writes there but PostgreSQL.
  package func search(_ folder: String, file: String? = nil) {
    if let file { return look(into: "\(folder)/\(file)") }
    let files = FileManager.default.enumerator(
      at: URL(filePath: folder), includingPropertiesForKeys: [.isRegularFileKey])
    for case let url as URL in files ?? FileManager.DirectoryEnumerator() {
      if url.lastPathComponent == "data" { files?.skipDescendants() }
      if (try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true {
        look(into: url.path(percentEncoded: false))
      }
    }
  }

  private func look(into path: String) {
    guard !value.isEmpty,
      let content = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
    else { return }
    if let found = content.range(of: value) {
      tell("the canary is in \(path), at byte \(found.lowerBound)\n")
    }
  }

  /// One write for each line: several processes report to one file.
  private func tell(_ line: String) {
    let descriptor = open(report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    _ = write(descriptor, line, line.utf8.count)
    close(descriptor)
  }
}

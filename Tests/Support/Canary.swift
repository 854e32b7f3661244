import Foundation

/// A password that every program in a test run receives, although no server requires the password.
///
/// If the password appears anywhere, a program has leaked a password.
///
/// The `Tests/run` script creates the password, searches the output of the tests, and fails if a
/// leak was reported.
package struct Canary: Sendable {
  /// The name of the environment variable that contains the password.
  package static let variable = "PGPASSWORD"

  /// The canary of this test run, or nil if `Tests/run` has not set a password.
  package static let ofRun: Canary? = {
    let environment = ProcessInfo.processInfo.environment
    guard let value = environment[variable], let report = environment["BATON_LEAKS"] else {
      return nil
    }
    return Canary(value, report: report)
  }()

  private let value: Data
  private let report: String

  /// Creates a canary, and the path of the file to which leaks are reported.
  package init(_ value: String, report: String) {
    self.value = Data(value.utf8)
    self.report = report
  }

  /// Searches one file or all files of a folder, and reports files that contain the password.
  ///
  /// The data folders of servers are not searched, because only PostgreSQL writes to these folders.
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

  /// Writes each line with one system call, because several processes report to the same file.
  private func tell(_ line: String) {
    let descriptor = open(report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    _ = write(descriptor, line, line.utf8.count)
    close(descriptor)
  }
}

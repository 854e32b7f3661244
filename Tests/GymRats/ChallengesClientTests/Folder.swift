import Foundation

/// An empty folder that is removed with its contents when the last reference to it ends.
final class Folder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// The names of the files in the folder.
  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false)).sorted()
    }
  }

  /// Returns the only file that a queue of `ana` writes.
  func queueFile() throws -> URL {
    let name = try names.first { $0.hasPrefix("pending-") && !$0.contains(".") }
    guard let name else { throw CocoaError(.fileNoSuchFile) }
    return url.appending(path: name)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

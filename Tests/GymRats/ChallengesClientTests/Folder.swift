import Foundation

/// An empty folder, removed with everything in it when nobody refers to it.
final class Folder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "client-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// The names in it.
  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false)).sorted()
    }
  }

  /// The one file that a queue of `ana` writes.
  func queueFile() throws -> URL {
    let name = try names.first { $0.hasPrefix("pending-") && !$0.contains(".") }
    guard let name else { throw CocoaError(.fileNoSuchFile) }
    return url.appending(path: name)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

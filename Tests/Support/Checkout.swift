package import Foundation

/// The checkout that these tests were built from.
package enum Checkout {
  /// The folder of `Package.swift`, wherever a test's own file lies.
  package static let root = folder(above: URL(filePath: #filePath))

  /// Reads a file by its path from ``root``.
  ///
  /// - Throws: what Foundation throws if the file cannot be read.
  package static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func folder(above file: URL) -> URL {
    var folder = file.deletingLastPathComponent()
    while folder.path() != "/" {
      let manifest = folder.appending(path: "Package.swift").path(percentEncoded: false)
      if FileManager.default.fileExists(atPath: manifest) { return folder }
      folder.deleteLastPathComponent()
    }
    preconditionFailure("\(file) is not below a Package.swift")
  }
}

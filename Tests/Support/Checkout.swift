package import Foundation

/// The checkout from which the tests were built.
package enum Checkout {
  /// The folder that contains `Package.swift`.
  package static let root = folder(above: URL(filePath: #filePath))

  /// Reads a file.
  ///
  /// The path is relative to ``root``.
  ///
  /// - Throws: an error of Foundation if the file cannot be read.
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

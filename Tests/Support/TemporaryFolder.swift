import Foundation
import Synchronization

/// An empty folder for a test.
///
/// The folder is removed with its content when the last reference is released or when the process
/// ends. Before the removal, the content is searched for the ``Canary``.
package final class TemporaryFolder: Sendable {
  /// The path of the folder, which is short enough for a socket in the folder.
  package let path: String

  /// Creates the folder.
  ///
  /// - Parameter onDisk: whether the folder must be on a disk, for tests of durability.
  /// - Throws: an error of the file system.
  package init(onDisk: Bool = false) throws {
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    path = "\(onDisk ? TestPlaces.disk : TestPlaces.quickForPrograms)/gymrats-\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    Self.present.folders.withLock { _ = $0.insert(path) }
  }

  deinit { Self.remove(path) }

  /// The existing folders.
  ///
  /// Folders that all tests share exist until the process ends.
  private static let present = Present()

  private final class Present: Sendable {
    let folders = Mutex<Set<String>>([])

    // Exit handlers run in reverse order. This handler is registered before the handlers that stop
    // servers, so this handler runs after all servers have stopped.
    init() {
      atexit { TemporaryFolder.present.folders.withLock { $0 }.forEach(TemporaryFolder.remove) }
    }
  }

  private static func remove(_ path: String) {
    guard present.folders.withLock({ $0.remove(path) }) != nil else { return }
    Canary.ofRun?.search(path)
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file into the folder, and returns the path of the file.
  ///
  /// - Throws: an error of the file system.
  package func write(_ name: String, _ content: [UInt8]) throws -> String {
    try Data(content).write(to: URL(filePath: "\(path)/\(name)"))
    return "\(path)/\(name)"
  }

  /// Writes a file into the folder, with LF after each line, and returns the path of the file.
  ///
  /// - Throws: an error of the file system.
  package func write(_ name: String, lines: [String]) throws -> String {
    try write(name, Array(lines.map { $0 + "\n" }.joined().utf8))
  }
}

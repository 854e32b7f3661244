import Foundation
import Synchronization

/// An empty folder of a test's own, removed with everything in it when nobody refers to it, or when the
/// process ends; what was written there is searched for the ``Canary`` before.
package final class TemporaryFolder: Sendable {
  /// Its path, short enough for a socket in it.
  package let path: String

  /// Makes the folder.
  ///
  /// - Parameter onDisk: whether it must be on a disk, for what is told of a server's durability.
  /// - Throws: what the file system says.
  package init(onDisk: Bool = false) throws {
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    path = "\(onDisk ? TestPlaces.disk : TestPlaces.quickForPrograms)/gymrats-\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    Self.present.folders.withLock { _ = $0.insert(path) }
  }

  deinit { Self.remove(path) }

  /// Those that there are: who is shared by all tests is referred to until the process ends.
  private static let present = Present()

  private final class Present: Sendable {
    let folders = Mutex<Set<String>>([])

    // Asked for before who writes into a folder asks to be ended, so it runs after that.
    init() {
      atexit { TemporaryFolder.present.folders.withLock { $0 }.forEach(TemporaryFolder.remove) }
    }
  }

  private static func remove(_ path: String) {
    guard present.folders.withLock({ $0.remove(path) }) != nil else { return }
    Canary.ofRun?.search(path)
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file in it; returns the path.
  ///
  /// - Throws: what the file system says.
  package func write(_ name: String, _ content: [UInt8]) throws -> String {
    try Data(content).write(to: URL(filePath: "\(path)/\(name)"))
    return "\(path)/\(name)"
  }

  /// Writes a file of lines in it, each ended by LF; returns the path.
  ///
  /// - Throws: what the file system says.
  package func write(_ name: String, lines: [String]) throws -> String {
    try write(name, Array(lines.map { $0 + "\n" }.joined().utf8))
  }
}

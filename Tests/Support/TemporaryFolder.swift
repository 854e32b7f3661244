import Foundation

/// An empty folder of a test's own, removed with everything in it when nobody refers to it; what was written
/// there is searched for the ``Canary`` before.
public final class TemporaryFolder: Sendable {
  /// Its path, short enough for a socket in it.
  public let path: String

  /// Makes the folder.
  ///
  /// - Parameter onDisk: whether it must be on a disk, for what is told of a server's durability.
  /// - Throws: what the file system says.
  public init(onDisk: Bool = false) throws {
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    path = "\(onDisk ? TestPlaces.disk : TestPlaces.quickForPrograms)/baton-\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit {
    Canary.ofRun?.search(path)
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file in it; returns the path.
  ///
  /// - Throws: what the file system says.
  public func write(_ name: String, _ content: [UInt8]) throws -> String {
    try Data(content).write(to: URL(filePath: "\(path)/\(name)"))
    return "\(path)/\(name)"
  }

  /// Writes a file of lines in it, each ended by LF; returns the path.
  ///
  /// - Throws: what the file system says.
  public func write(_ name: String, lines: [String]) throws -> String {
    try write(name, Array(lines.map { $0 + "\n" }.joined().utf8))
  }
}

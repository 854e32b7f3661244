import BatonJobs
import Foundation

/// The complete lines in a piece of a file.
struct FilePiece {
  /// The maximum size of a piece in bytes.
  private static let mostBytes = 8_192

  let lines: [Substring]
  /// The offset of the first byte after the piece, and the size of the file.
  let end, size: UInt64

  init(of path: String, from start: UInt64) throws {
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    defer { try? file.close() }
    size = try file.seekToEnd()
    try file.seek(toOffset: start)
    var bytes = [UInt8](try file.read(upToCount: Self.mostBytes) ?? Data())
    // Unless the file ends, the last line may be incomplete.
    if start + UInt64(bytes.count) < size {
      guard let newline = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
        throw Permanent("a line after byte \(start) has more than \(Self.mostBytes) bytes")
      }
      bytes.removeSubrange((newline + 1)...)
    }
    end = start + UInt64(bytes.count)
    lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
  }
}

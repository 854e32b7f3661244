import Foundation

/// The lines of a file, excluding line endings (LF or CRLF) and the byte order mark.
///
/// The file's bytes must outlive this value.
struct PhysicalLines {
  /// The number of the line returned by the last call to `next`.
  private(set) var number = 0
  private var rest: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    let hasMark = bytes.starts(with: [0xef, 0xbb, 0xbf])
    rest = UnsafeBufferPointer(rebasing: bytes[(hasMark ? 3 : 0)...])
  }

  /// Returns the next line, or nil at the end of the file.
  ///
  /// If the file does not end in LF, the bytes after the last LF also form a line.
  mutating func next() -> UnsafeBufferPointer<UInt8>? {
    guard !rest.isEmpty else { return nil }
    number += 1
    let end = rest.position(of: UInt8(ascii: "\n")) ?? rest.count
    var line = rest[..<end]
    rest = UnsafeBufferPointer(rebasing: rest[min(end + 1, rest.count)...])
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return UnsafeBufferPointer(rebasing: line)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns a byte's first position, or nil if the byte does not occur.
  ///
  /// The search uses `memchr`, because a Swift loop is slow in an unoptimized build.
  func position(of byte: UInt8) -> Int? {
    guard let start = baseAddress, let found = memchr(start, Int32(byte), count) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(start)
  }
}

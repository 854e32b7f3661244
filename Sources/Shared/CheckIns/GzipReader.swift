import CZlib
import Foundation

/// Reads a whole file, and decompresses the content of a gzip file.
enum GzipReader {
  static func read(path: String) throws(CheckInFileError) -> [UInt8] {
    // With mode `e`, child processes do not inherit the file descriptor.
    guard let file = gzopen(path, "rbe") else { throw unreadable(path, errno) }
    defer { gzclose_r(file) }
    gzbuffer(file, 1 << 17)

    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Int(gzread(file, &chunk, UInt32(chunk.count)))
      guard count > 0 else { break }
      content.append(contentsOf: chunk[..<count])
    }
    // zlib reports the end of a truncated file in the same way as the end of a complete one. Only
    // the error state reveals that the file is truncated.
    var state: Int32 = Z_OK
    _ = gzerror(file, &state)
    switch state {
    case Z_OK, Z_STREAM_END: return content
    case Z_ERRNO: throw unreadable(path, errno)
    case Z_BUF_ERROR: throw damaged("The compressed file ends too early.", path)
    default: throw damaged("The compressed file is damaged.", path)
    }
  }

  private static func unreadable(_ path: String, _ code: Int32) -> CheckInFileError {
    CheckInFileError(
      "Cannot read the file: \(String(cString: strerror(code))).", place: path,
      next: "Check the path and that you may read it.", isMissingFile: true)
  }

  private static func damaged(_ what: String, _ path: String) -> CheckInFileError {
    CheckInFileError(
      what, place: path,
      next: "Copy or download it again; `gzip --test` tells whether it is whole.")
  }
}

import Challenges
import SHA256

/// A file format whose header line contains the kind, the version, the length and the digest of the
/// content.
///
/// The header allows a reader to detect a damaged file, for example a file that was truncated
/// because the disk was full.
struct CheckedContent {
  /// The kind of content, as one word.
  let kind: String
  /// The version of the content's format.
  let version: Int

  /// The reason why a file is not accepted.
  enum Failure: Error, Equatable {
    case otherKind
    case otherVersion
    case damaged
  }

  private static let longestLine = 120

  func wrapped(_ payload: [UInt8]) -> [UInt8] {
    Array("\(kind) \(version) \(payload.count) \(SHA256Digest.hex(of: payload))\n".utf8) + payload
  }

  func unwrapped(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
    guard let end = bytes.prefix(Self.longestLine).firstIndex(of: UInt8(ascii: "\n")) else {
      throw bytes.starts(with: "\(kind) ".utf8) ? Failure.damaged : Failure.otherKind
    }
    let words = bytes[..<end].split(
      separator: UInt8(ascii: " "), omittingEmptySubsequences: false
    ).map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 4, words[0].utf8.elementsEqual(kind.utf8) else { throw .otherKind }
    guard words[1] == String(version) else { throw .otherVersion }
    let payload = Array(bytes[(end + 1)...])
    guard words[2] == String(payload.count), words[3] == SHA256Digest.hex(of: payload) else {
      throw .damaged
    }
    return payload
  }
}

import Challenges
import SHA256

/// Bytes after a header line that gives their kind, their number and their digest.
///
/// The header makes a damaged file detectable, for example one that a full disk or a file system repair cut off.
struct CheckedContent {
  /// What the bytes are, one word.
  let kind: String
  /// How the bytes are to be read.
  let version: Int

  /// Why bytes are not what they should be.
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

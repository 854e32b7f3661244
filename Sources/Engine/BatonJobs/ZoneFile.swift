import Foundation
import Synchronization

/// The rules of a time zone from the system's time zone database, in the format TZif (RFC 9636).
///
/// PostgreSQL reads the same files on Debian and Ubuntu. Rules that are compiled into a program
/// become outdated. With outdated rules, a schedule could fire at a different time than the server
/// expects. If the system's files are updated, schedules that are read after the update use the new
/// rules.
struct ZoneFile: Sendable {
  /// The folder of the system's time zone database.
  private static let folder = "/usr/share/zoneinfo"

  /// The instants at which the offset changes, in order, and the offset after each change.
  private let changes: [Int64]
  private let offsets: [Int64]
  /// The offset before the first change.
  private let first: Int64
  /// The rule for instants after the last change, or nil if the last offset remains in effect.
  private let rule: ZoneRule?

  /// Returns the UTC offset, in seconds, at an instant.
  ///
  /// Offsets east of Greenwich are positive.
  func offset(at instant: Int64) -> Int64 {
    guard let last = changes.last else { return rule?.offset(at: instant) ?? first }
    if instant >= last, let rule { return rule.offset(at: instant) }
    // The number of changes at or before the instant.
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= instant { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : offsets[low - 1]
  }

  // MARK: Reading

  private struct Kept: Sendable {
    let changedAt: Date?
    let file: ZoneFile
  }

  private static let kept = Mutex<[String: Kept]>([:])

  /// Whether this system has a time zone database.
  static let isThere = FileManager.default.fileExists(atPath: folder)

  /// Reads the rules of a zone, or returns nil if the database does not contain the zone.
  ///
  /// The rules are read again if the file has changed.
  static func named(_ name: String) -> ZoneFile? {
    guard isName(name) else { return nil }
    let path = "\(folder)/\(name)"
    let changedAt =
      try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    if let known = kept.withLock({ $0[name] }), known.changedAt == changedAt { return known.file }
    guard let data = FileManager.default.contents(atPath: path), let file = ZoneFile(Array(data))
    else { return nil }
    kept.withLock { $0[name] = Kept(changedAt: changedAt, file: file) }
    return file
  }

  /// Returns whether a string can be the name of a zone.
  ///
  /// The path of a valid name is always inside the database's folder.
  ///
  /// Zones below `right` are excluded, because these zones count leap seconds, and PostgreSQL does
  /// not.
  private static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count > 1 && parts[0] != "right" && parts[0] != "posix"
      && parts.allSatisfy { part in
        part.first?.isLetter == true
          && part.utf8.allSatisfy { byte in
            let character = Character(UnicodeScalar(byte))
            return byte < 0x80
              && (character.isLetter || character.isNumber || "_-+".contains(character))
          }
      }
  }

  /// Parses a file of version 2 or newer, or returns nil if the file is malformed.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    // The first block contains 32-bit times for old programs, so it is skipped.
    guard let old = ZoneHeader(&reader), old.version >= 0x32, reader.skip(old.size(ofTime: 4)),
      let header = ZoneHeader(&reader)
    else { return nil }
    var changes: [Int64] = []
    for _ in 0..<header.times {
      guard let time = reader.integer(8) else { return nil }
      changes.append(time)
    }
    guard let kinds = reader.bytes(header.times) else { return nil }
    var offsetOfKind: [Int64] = []
    for _ in 0..<header.kinds {
      guard let offset = reader.integer(4), reader.skip(2) else { return nil }
      offsetOfKind.append(offset)
    }
    guard let first = offsetOfKind.first, kinds.allSatisfy({ $0 < offsetOfKind.count }),
      changes.sorted() == changes, reader.skip(header.rest), let footer = reader.line()
    else { return nil }
    self.changes = changes
    offsets = kinds.map { offsetOfKind[Int($0)] }
    self.first = first
    guard !footer.isEmpty else {
      rule = nil
      return
    }
    guard let rule = ZoneRule(footer) else { return nil }
    self.rule = rule
  }
}

/// The header of a block of a TZif file.
private struct ZoneHeader {
  let version: UInt8
  let utcFlags, standardFlags, leaps, times, kinds, characters: Int

  init?(_ reader: inout ByteReader) {
    guard reader.bytes(4) == Array("TZif".utf8), let version = reader.bytes(1)?.first,
      reader.skip(15)
    else { return nil }
    var counts: [Int] = []
    for _ in 0..<6 {
      guard let count = reader.integer(4), 0...100_000 ~= count else { return nil }
      counts.append(Int(count))
    }
    self.version = version
    (utcFlags, standardFlags, leaps) = (counts[0], counts[1], counts[2])
    (times, kinds, characters) = (counts[3], counts[4], counts[5])
  }

  /// The number of bytes after the header.
  func size(ofTime bytes: Int) -> Int {
    times * (bytes + 1) + kinds * 6 + characters + leaps * (bytes + 4) + standardFlags + utcFlags
  }

  /// The number of bytes after the offsets, in a block with 64-bit times.
  var rest: Int { characters + leaps * 12 + standardFlags + utcFlags }
}

/// Reads numbers in network byte order.
private struct ByteReader {
  private let all: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { all = bytes }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count <= all.count - position else { return nil }
    defer { position += count }
    return Array(all[position..<position + count])
  }

  mutating func skip(_ count: Int) -> Bool { bytes(count) != nil }

  /// Reads a signed integer of 4 or 8 bytes.
  mutating func integer(_ count: Int) -> Int64? {
    guard let bytes = bytes(count) else { return nil }
    let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return count == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
  }

  /// Reads the text between two line feeds.
  mutating func line() -> String? {
    guard bytes(1) == [0x0A], let end = all[position...].firstIndex(of: 0x0A) else { return nil }
    return String(decoding: all[position..<end], as: UTF8.self)
  }
}

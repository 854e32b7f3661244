/// What every entity asks of the fields that it is read from.
///
/// An entity that is not exactly one is an error: nothing is put right, left out or made up.
extension KeyedDecodingContainer {
  /// Refuses an entity whose field is not what it may be.
  func require(_ isSo: Bool, _ key: Key, _ why: @autoclosure () -> String) throws {
    guard !isSo else { return }
    throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: why())
  }

  /// A number that is not below 0.
  func count<Number: FixedWidthInteger & Decodable>(_ key: Key) throws -> Number {
    let number = try decode(Number.self, forKey: key)
    try require(number >= 0, key, "\(number) is below 0")
    return number
  }

  /// An id: 1 to 256 bytes.
  func id(_ key: Key) throws -> String {
    let id = try decode(String.self, forKey: key)
    try require(1...256 ~= id.utf8.count, key, "not an id")
    return id
  }

  /// An id where there is one.
  func idIfPresent(_ key: Key) throws -> String? { try isThere(key) ? try id(key) : nil }

  /// The name of a time zone, in the form of the IANA's list.
  ///
  /// Whether this device knows it is another question: its list may be older than the server's.
  func timeZone(_ key: Key) throws -> String {
    let name = try decode(String.self, forKey: key)
    try require(ZoneName.isValid(name), key, "not the name of a time zone")
    return name
  }

  /// The name of a time zone where there is one.
  func timeZoneIfPresent(_ key: Key) throws -> String? {
    try isThere(key) ? try timeZone(key) : nil
  }

  private func isThere(_ key: Key) throws -> Bool { try contains(key) && !decodeNil(forKey: key) }
}

/// Names of time zones, `Europe/Berlin`.
enum ZoneName {
  /// Whether a text could be one: letters, digits, `_`, `+`, `-` and `/`, 64 at most.
  static func isValid(_ name: String) -> Bool {
    1...64 ~= name.utf8.count
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
          UInt8(ascii: "-"), UInt8(ascii: "/"):
          true
        default: false
        }
      }
  }
}

/// Checks the fields of every decoded entity.
///
/// Decoding an invalid entity throws an error. No value is corrected, omitted or filled in.
extension KeyedDecodingContainer {
  /// Throws an error if a field's value is not valid.
  func require(_ isSo: Bool, _ key: Key, _ why: @autoclosure () -> String) throws {
    guard !isSo else { return }
    throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: why())
  }

  /// Decodes a nonnegative number.
  func count<Number: FixedWidthInteger & Decodable>(_ key: Key) throws -> Number {
    let number = try decode(Number.self, forKey: key)
    try require(number >= 0, key, "\(number) is below 0")
    return number
  }

  /// Decodes an id of 1 to 256 bytes.
  func id(_ key: Key) throws -> String {
    let id = try decode(String.self, forKey: key)
    try require(1...256 ~= id.utf8.count, key, "not an id")
    return id
  }

  /// Decodes an id, or returns nil if the field is missing.
  func idIfPresent(_ key: Key) throws -> String? { try isThere(key) ? try id(key) : nil }

  /// Decodes a time zone name in the form used by the IANA time zone database.
  ///
  /// The device does not have to know the time zone, because the server may have a newer list of
  /// time zones.
  func timeZone(_ key: Key) throws -> String {
    let name = try decode(String.self, forKey: key)
    try require(ZoneName.isValid(name), key, "not the name of a time zone")
    return name
  }

  /// Decodes a time zone name, or returns nil if the field is missing.
  func timeZoneIfPresent(_ key: Key) throws -> String? {
    try isThere(key) ? try timeZone(key) : nil
  }

  private func isThere(_ key: Key) throws -> Bool { try contains(key) && !decodeNil(forKey: key) }
}

/// Checks time zone names such as `Europe/Berlin`.
enum ZoneName {
  /// Returns whether a string can be a time zone name.
  ///
  /// A name can be at most 64 characters long and can contain only letters, digits, `_`, `+`, `-`
  /// and `/`.
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

public import Foundation

/// A value that can be decoded from a column in binary format.
///
/// Decoding is strict: a value that does not match causes an error, and no default values are used.
public protocol PostgresDecodable: Sendable {
  /// Decodes the value from `bytes`.
  ///
  /// For NULL, `bytes` is nil.
  ///
  /// - Throws: ``PostgresError`` if the column's type or content does not match.
  static func decode(_ bytes: UnsafeRawBufferPointer?, oid: UInt32) throws(PostgresError) -> Self
}

private func misfit(_ type: Any.Type, _ oid: UInt32, _ why: String = "") -> PostgresError {
  PostgresError(.dataException, "a column of type \(oid) is not a \(type)\(why)")
}

extension FixedWidthInteger {
  fileprivate static func read(
    _ bytes: UnsafeRawBufferPointer?, oid: UInt32, expecting expected: UInt32
  ) throws(PostgresError) -> Self {
    guard oid == expected, let bytes, bytes.count == MemoryLayout<Self>.size else {
      throw misfit(Self.self, oid, bytes == nil ? ": it is NULL" : "")
    }
    return Self(bigEndian: bytes.loadUnaligned(as: Self.self))
  }
}

extension Int32: PostgresDecodable {
  /// Decodes the value from PostgreSQL's binary format.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer?, oid: UInt32
  ) throws(PostgresError) -> Int32 {
    try read(bytes, oid: oid, expecting: 23)
  }
}

extension Int64: PostgresDecodable {
  /// Decodes the value from PostgreSQL's binary format.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer?, oid: UInt32
  ) throws(PostgresError) -> Int64 {
    try read(bytes, oid: oid, expecting: 20)
  }
}

extension Double: PostgresDecodable {
  /// Decodes the value from PostgreSQL's binary format.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer?, oid: UInt32
  ) throws(PostgresError) -> Double {
    Double(bitPattern: UInt64(bitPattern: try Int64.read(bytes, oid: oid, expecting: 701)))
  }
}

extension Bool: PostgresDecodable {
  /// Decodes the value from PostgreSQL's binary format.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer?, oid: UInt32
  ) throws(PostgresError) -> Bool {
    guard oid == 16, let bytes, bytes.count == 1 else { throw misfit(Bool.self, oid) }
    return bytes[0] != 0
  }
}

extension Timestamp: PostgresDecodable {
  /// Decodes the value from PostgreSQL's binary format.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer?, oid: UInt32
  ) throws(PostgresError) -> Timestamp {
    let count = try Int64.read(bytes, oid: oid, expecting: 1184)
    guard count != .max, count != .min else {
      throw misfit(Timestamp.self, oid, ": it is infinite")
    }
    let (microseconds, isTooLate) = count.addingReportingOverflow(postgresEpoch)
    guard !isTooLate else { throw misfit(Timestamp.self, oid, ": it is too far in the future") }
    return Timestamp(microseconds: microseconds)
  }
}

extension UUID: PostgresDecodable {
  /// Decodes the value from PostgreSQL's binary format.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer?, oid: UInt32
  ) throws(PostgresError) -> UUID {
    guard oid == 2950, let bytes, bytes.count == 16 else { throw misfit(UUID.self, oid) }
    return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}

extension String: PostgresDecodable {
  /// Decodes text, varchar, name, json and enum types, whose binary format is the text itself.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer?, oid: UInt32
  ) throws(PostgresError) -> String {
    guard let bytes else { throw misfit(String.self, oid, ": it is NULL") }
    guard [25, 1043, 19, 114].contains(oid) || oid >= 16384 else { throw misfit(String.self, oid) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw misfit(String.self, oid, ": it is not UTF-8")
    }
    return text
  }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
  /// Decodes NULL as nil, and any other value as the wrapped type.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer?, oid: UInt32
  ) throws(PostgresError) -> Wrapped? {
    guard bytes != nil else { return nil }
    return try Wrapped.decode(bytes, oid: oid)
  }
}

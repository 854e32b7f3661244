public import Foundation

/// A value that can be bound to a parameter in binary format.
public protocol PostgresEncodable: Sendable {
  /// The OID of the type, as in `pg_type`.
  static var oid: UInt32 { get }
  /// The OID of the type's array type.
  static var arrayOID: UInt32 { get }
  /// Appends the value in binary format, or returns false for NULL.
  func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool
}

extension PostgresEncodable {
  /// The OID 0, because nested arrays cannot be used as parameters.
  public static var arrayOID: UInt32 { 0 }
}

extension FixedWidthInteger {
  func append(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: bigEndian) { bytes.append(contentsOf: $0) }
  }
}

extension Bool: PostgresEncodable {
  /// The OID of `bool`.
  public static var oid: UInt32 { 16 }
  /// The OID of `bool[]`.
  public static var arrayOID: UInt32 { 1000 }
  /// Appends the value in PostgreSQL's binary format.
  public func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool {
    bytes.append(self ? 1 : 0)
    return true
  }
}

extension Int32: PostgresEncodable {
  /// The OID of `int4`.
  public static var oid: UInt32 { 23 }
  /// The OID of `int4[]`.
  public static var arrayOID: UInt32 { 1007 }
  /// Appends the value in PostgreSQL's binary format.
  public func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool {
    append(to: &bytes)
    return true
  }
}

extension Int64: PostgresEncodable {
  /// The OID of `int8`.
  public static var oid: UInt32 { 20 }
  /// The OID of `int8[]`.
  public static var arrayOID: UInt32 { 1016 }
  /// Appends the value in PostgreSQL's binary format.
  public func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool {
    append(to: &bytes)
    return true
  }
}

extension Double: PostgresEncodable {
  /// The OID of `float8`.
  public static var oid: UInt32 { 701 }
  /// The OID of `float8[]`.
  public static var arrayOID: UInt32 { 1022 }
  /// Appends the value in PostgreSQL's binary format.
  ///
  /// The value is exact, because it is not converted to text.
  public func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool {
    bitPattern.append(to: &bytes)
    return true
  }
}

extension String: PostgresEncodable {
  /// The OID of `text`.
  public static var oid: UInt32 { 25 }
  /// The OID of `text[]`.
  public static var arrayOID: UInt32 { 1009 }
  /// Appends the string in PostgreSQL's binary format.
  ///
  /// A string with a NUL byte is rejected, because PostgreSQL cannot store NUL bytes in text.
  public func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool {
    var text = self
    let hasNUL = text.withUTF8 { utf8 in
      utf8.baseAddress.map { memchr($0, 0, utf8.count) != nil } ?? false
    }
    guard !hasNUL else {
      throw PostgresError(.characterNotInRepertoire, "a text parameter holds a NUL byte")
    }
    text.withUTF8 { bytes.append(contentsOf: $0) }
    return true
  }
}

extension UUID: PostgresEncodable {
  /// The OID of `uuid`.
  public static var oid: UInt32 { 2950 }
  /// The OID of `uuid[]`.
  public static var arrayOID: UInt32 { 2951 }
  /// Appends the value in PostgreSQL's binary format.
  public func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool {
    withUnsafeBytes(of: uuid) { bytes.append(contentsOf: $0) }
    return true
  }
}

extension Timestamp: PostgresEncodable {
  /// The OID of `timestamptz`.
  public static var oid: UInt32 { 1184 }
  /// The OID of `timestamptz[]`.
  public static var arrayOID: UInt32 { 1185 }
  /// Appends the instant in PostgreSQL's binary format.
  ///
  /// The smallest value is rejected, because it means -infinity in PostgreSQL.
  public func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool {
    let (count, isTooEarly) = microseconds.subtractingReportingOverflow(Timestamp.postgresEpoch)
    guard !isTooEarly, count != .min else {
      throw PostgresError(.dataException, "a timestamp is too far in the past")
    }
    count.append(to: &bytes)
    return true
  }
}

/// The bytes of a `bytea` parameter.
public struct Bytes: PostgresEncodable {
  /// The OID of `bytea`.
  public static var oid: UInt32 { 17 }
  let bytes: [UInt8]

  /// Creates a parameter from bytes, which are sent unchanged.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Appends the value in PostgreSQL's binary format.
  public func encode(into target: inout [UInt8]) throws(PostgresError) -> Bool {
    target.append(contentsOf: bytes)
    return true
  }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
  /// The OID of the wrapped type.
  public static var oid: UInt32 { Wrapped.oid }
  /// The OID of the wrapped type's array type.
  public static var arrayOID: UInt32 { Wrapped.arrayOID }
  /// Appends the wrapped value in binary format, or returns false for nil.
  public func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool {
    guard let self else { return false }
    return try self.encode(into: &bytes)
  }
}

extension Array: PostgresEncodable where Element: PostgresEncodable {
  /// The OID of the element's array type.
  public static var oid: UInt32 { Element.arrayOID }
  /// The OID 0, because nested arrays cannot be used as parameters.
  public static var arrayOID: UInt32 { 0 }
  /// Appends a one-dimensional array in PostgreSQL's binary format.
  ///
  /// The NULL flag of the format is not set, because the server treats it only as a hint.
  public func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool {
    Int32(isEmpty ? 0 : 1).append(to: &bytes)
    Int32(0).append(to: &bytes)
    Element.oid.append(to: &bytes)
    guard !isEmpty else { return true }
    Int32(count).append(to: &bytes)
    Int32(1).append(to: &bytes)
    for element in self {
      let start = bytes.count
      Int32(-1).append(to: &bytes)
      guard try element.encode(into: &bytes) else { continue }
      let length = Int32(bytes.count - start - 4).bigEndian
      Swift.withUnsafeBytes(of: length) { bytes.replaceSubrange(start..<start + 4, with: $0) }
    }
    return true
  }
}

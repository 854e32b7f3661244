/// The position of one version of a row in its table: a `ctid`.
///
/// It is the fastest way back to a row that was just read or written. It is valid only until the row is written again
/// or its table is rewritten, so its user needs another way for that case.
public struct RowPlace: Hashable, Sendable {
  /// The page of the table.
  public let block: UInt32
  /// The line on the page.
  public let line: UInt16
}

extension RowPlace: PostgresDecodable {
  /// Reads the binary form.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer?, oid: UInt32
  ) throws(PostgresError) -> RowPlace {
    guard oid == Self.oid, let bytes, bytes.count == 6 else {
      throw PostgresError(.dataException, "a column of type \(oid) is not a place")
    }
    return RowPlace(
      block: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)),
      line: UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self)))
  }
}

extension RowPlace: PostgresEncodable {
  /// The type's OID.
  public static var oid: UInt32 { 27 }
  /// The OID of the type's arrays.
  public static var arrayOID: UInt32 { 1010 }
  /// Appends the binary form.
  public func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool {
    block.append(to: &bytes)
    line.append(to: &bytes)
    return true
  }
}

/// The position of one version of a row in its table, called `ctid` in PostgreSQL.
///
/// The position is the fastest way to find a row that was just read or written. The position
/// becomes invalid when the row is updated or the table is rewritten, so callers also need another
/// way to find the row.
public struct RowPlace: Hashable, Sendable {
  /// The number of the page in the table.
  public let block: UInt32
  /// The line number on the page.
  public let line: UInt16
}

extension RowPlace: PostgresDecodable {
  /// Decodes the position from PostgreSQL's binary format.
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
  /// The OID of `tid`.
  public static var oid: UInt32 { 27 }
  /// The OID of `tid[]`.
  public static var arrayOID: UInt32 { 1010 }
  /// Appends the position in PostgreSQL's binary format.
  public func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool {
    block.append(to: &bytes)
    line.append(to: &bytes)
    return true
  }
}

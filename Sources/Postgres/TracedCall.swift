import CLibPQ

/// One statement as it went over the wire: what `--trace` shows.
public struct TracedCall: Sendable {
  /// The statement's file.
  public let statement: String
  /// The number of its round trip, from 1 since tracing began.
  public let roundTrip: Int
  /// Rows that came back.
  public let rows: Int
  /// Bytes of its parameters' values.
  public let bytesSent: Int
  /// Bytes of the values that came back.
  public let bytesReceived: Int
}

extension QueryResult {
  /// Bytes of all values.
  var bytes: Int {
    let columns = PQnfields(pointer)
    return (0..<Int32(count)).reduce(0) { sum, row in
      sum + (0..<columns).reduce(0) { $0 + Int(PQgetlength(pointer, row, $1)) }
    }
  }
}

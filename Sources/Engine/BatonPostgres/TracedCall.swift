import CLibPQ

/// One statement as it was sent and answered, for `--trace`.
package struct TracedCall: Sendable {
  /// The statement's file.
  package let statement: String
  /// The number of its round trip, from 1 since tracing began.
  package let roundTrip: Int
  /// The number of rows that were returned.
  package let rows: Int
  /// Bytes of its parameters' values.
  package let bytesSent: Int
  /// Bytes of the values that were returned.
  package let bytesReceived: Int
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

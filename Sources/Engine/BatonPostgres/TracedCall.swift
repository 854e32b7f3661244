import CLibPQ

/// A statement to which the server has responded, for `--trace`.
package struct TracedCall: Sendable {
  /// The statement's file.
  package let statement: String
  /// The number of the statement's round trip.
  ///
  /// Round trips are counted from 1 since the trace started.
  package let roundTrip: Int
  /// The number of returned rows.
  package let rows: Int
  /// The size of the parameters' values in bytes.
  package let bytesSent: Int
  /// The size of the returned values in bytes.
  package let bytesReceived: Int
}

extension Connection {
  /// Starts to trace every call.
  package func startTrace() { traced = (roundTrips, []) }

  /// Stops tracing and returns the traced calls in order.
  package func endTrace() -> [TracedCall] {
    defer { traced = nil }
    return traced?.calls ?? []
  }

  func trace<Output>(_ call: Call<Output>, _ result: borrowing QueryResult) {
    guard let from = traced?.from else { return }
    traced?.calls.append(
      TracedCall(
        statement: call.statement.name, roundTrip: roundTrips - from, rows: result.count,
        bytesSent: call.parameters.bytes.count, bytesReceived: result.bytes))
  }
}

extension QueryResult {
  /// The size of all values in bytes.
  var bytes: Int {
    let columns = PQnfields(pointer)
    return (0..<Int32(count)).reduce(0) { sum, row in
      sum + (0..<columns).reduce(0) { $0 + Int(PQgetlength(pointer, row, $1)) }
    }
  }
}

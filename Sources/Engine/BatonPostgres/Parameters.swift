/// The parameters of one call, encoded in binary format when the call is created.
struct Parameters: Sendable {
  private(set) var oids: [UInt32] = []
  /// The position of each value in `bytes`, or nil for NULL.
  private(set) var ranges: [Range<Int>?] = []
  private(set) var bytes: [UInt8] = []
  /// The error for a value that cannot be sent, or nil.
  ///
  /// The error is thrown when the call is executed.
  private(set) var failure: PostgresError?

  init<each P: PostgresEncodable>(_ values: repeat each P) {
    for value in repeat each values { append(value) }
  }

  private mutating func append<P: PostgresEncodable>(_ value: P) {
    oids.append(P.oid)
    let start = bytes.count
    do {
      let isPresent = try value.encode(into: &bytes)
      ranges.append(isPresent ? start..<bytes.count : nil)
    } catch {
      failure = failure ?? error
      ranges.append(nil)
    }
  }

  /// Calls `body` with the arrays that libpq's send functions require.
  func withArrays<R>(
    _ body: (
      _ oids: [UInt32], _ values: [UnsafePointer<CChar>?], _ lengths: [Int32], _ formats: [Int32]
    ) -> R
  ) -> R {
    // The extra byte gives an empty value an address, because libpq treats a null pointer as SQL
    // NULL.
    (bytes + [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        let values = ranges.map { range in
          range.flatMap { characters.baseAddress?.advanced(by: $0.lowerBound) }
        }
        let lengths = ranges.map { Int32($0?.count ?? 0) }
        return body(oids, values, lengths, Array(repeating: 1, count: oids.count))
      }
    }
  }
}

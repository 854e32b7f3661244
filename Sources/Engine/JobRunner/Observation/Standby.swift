import BatonPostgres
import RunnerSQL

/// A standby that is connected to the server.
package struct Standby: Sendable, Codable {
  /// The standby's `application_name`.
  package let name: String
  /// `streaming`, `catchup` or another state, or nil if the role may not see it.
  package let state: String?
  /// `sync`, `quorum`, `potential` or `async`, or nil if the role may not see it.
  package let synchronous: String?
  /// The bytes of the write-ahead log that the standby has not replayed, or nil if not known.
  package let bytesBehind: Int64?

  /// Whether a commit can wait for this standby.
  package var isSynchronous: Bool { synchronous == "sync" || synchronous == "quorum" }

  static let list = Call.rows(SQL.Observation.listStandbys) { (row) throws(PostgresError) in
    let (name, state, synchronous, bytes) = try row.decode(
      String.self, String?.self, String?.self, Int64?.self)
    return Standby(name: name, state: state, synchronous: synchronous, bytesBehind: bytes)
  }
}

/// A replication slot, which keeps the write-ahead log that its consumer has not received.
package struct ReplicationSlot: Sendable, Codable {
  /// The slot's name.
  package let name: String
  /// Whether a consumer is connected.
  package let isActive: Bool
  /// The bytes of the write-ahead log that the slot keeps, or nil if it keeps none.
  package let bytesKept: Int64?
  /// Whether the server has removed a part of the log that the consumer needs.
  package let isLost: Bool

  static let list = Call.rows(SQL.Observation.listSlots) { (row) throws(PostgresError) in
    let (name, isActive, bytes, isLost) = try row.decode(
      String.self, Bool.self, Int64?.self, Bool.self)
    return ReplicationSlot(name: name, isActive: isActive, bytesKept: bytes, isLost: isLost)
  }
}

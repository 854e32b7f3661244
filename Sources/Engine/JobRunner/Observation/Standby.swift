import BatonPostgres
import RunnerSQL

/// A standby that is connected to the server.
package struct Standby: Sendable, Codable {
  /// The standby's `application_name`.
  package let name: String
  /// The replication state, for example `streaming` or `catchup`, or nil if the role cannot see it.
  package let state: String?
  /// The synchronous state of the standby, which is `sync`, `quorum`, `potential` or `async`, or
  /// nil if the role cannot see it.
  package let synchronous: String?
  /// The number of bytes of the write-ahead log that the standby has not replayed, or nil if the
  /// number is unknown.
  package let bytesBehind: Int64?

  /// Whether a commit can wait for this standby.
  package var isSynchronous: Bool { synchronous == "sync" || synchronous == "quorum" }

  static let list = Call.rows(SQL.Observation.listStandbys) { (row) throws(PostgresError) in
    let (name, state, synchronous, bytes) = try row.decode(
      String.self, String?.self, String?.self, Int64?.self)
    return Standby(name: name, state: state, synchronous: synchronous, bytesBehind: bytes)
  }
}

/// A replication slot.
///
/// A slot retains the write-ahead log that the consumer of the slot has not received.
package struct ReplicationSlot: Sendable, Codable {
  /// The slot's name.
  package let name: String
  /// Whether a consumer is connected to the slot.
  package let isActive: Bool
  /// The number of bytes of the write-ahead log that the slot retains, or nil if the slot retains
  /// nothing.
  package let bytesKept: Int64?
  /// Whether the server has removed a part of the write-ahead log that the consumer needs.
  package let isLost: Bool

  static let list = Call.rows(SQL.Observation.listSlots) { (row) throws(PostgresError) in
    let (name, isActive, bytes, isLost) = try row.decode(
      String.self, Bool.self, Int64?.self, Bool.self)
    return ReplicationSlot(name: name, isActive: isActive, bytesKept: bytes, isLost: isLost)
  }
}

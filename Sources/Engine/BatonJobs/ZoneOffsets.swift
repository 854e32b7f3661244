/// The offsets of time zones according to the zone files of this machine.
///
/// SQL uses the zone files of the server, so the offsets of the server can differ.
package enum ZoneOffsets {
  /// Returns the UTC offsets of a time zone, in seconds, or nil if this machine does not know the
  /// time zone.
  ///
  /// - Parameter instants: the seconds since 1970-01-01 00:00 UTC.
  package static func offsets(of name: String, at instants: [Int64]) -> [Int64]? {
    Zone(name).map { zone in instants.map { zone.offset(at: $0) } }
  }
}

import BatonJobs
package import BatonPostgres
import Foundation
import RunnerSQL

/// A time zone of a schedule whose rules differ between this machine and the server.
package struct ZoneDifference: Sendable, Equatable {
  /// The kind of difference.
  package enum Kind: Sendable, Equatable {
    /// The server does not know the time zone.
    case unknownToServer
    /// This machine does not know the time zone.
    case unknownHere
    /// The UTC offsets in seconds at the first compared instant at which they differ.
    ///
    /// The instant is the number of seconds since 1970-01-01 00:00 UTC.
    case offsets(at: Int64, here: Int64, server: Int64)
  }

  /// The name of the time zone.
  package let zone: String
  package let kind: Kind

  /// The compared instants: now, and one instant in each week of the next two years.
  static func instants(from now: Int64) -> [Int64] {
    let week: Int64 = 7 * 86_400
    return (0...104).map { now + $0 * week }
  }

  /// Compares the offsets of a time zone on the server with those on this machine.
  ///
  /// If the offsets are equal, the result is nil.
  ///
  /// - Parameter server: the offsets on the server, or nil if the server does not know the time
  ///   zone.
  init?(_ zone: String, at instants: [Int64], server: [Int64]?) {
    self.zone = zone
    guard let server else {
      kind = .unknownToServer
      return
    }
    guard let here = ZoneOffsets.offsets(of: zone, at: instants) else {
      kind = .unknownHere
      return
    }
    let different = zip(instants, zip(here, server)).first { $0.1.0 != $0.1.1 }
    guard let (instant, offsets) = different else { return nil }
    kind = .offsets(at: instant, here: offsets.0, server: offsets.1)
  }
}

extension Queue {
  /// Compares the time zones of the stored schedules and of some jobs between this machine and the
  /// server.
  ///
  /// Workers compute occurrences with the zone files of their machine, and SQL computes local times
  /// with those of the server.
  ///
  /// - Parameter jobs: the jobs of the program.
  /// - Returns: the time zones that differ, by name.
  /// - Throws: `PostgresError`.
  package func zoneDifferences(
    of jobs: [RegisteredJob]
  ) async throws(PostgresError) -> [ZoneDifference] {
    let zones = jobs.flatMap { $0.definition.schedules.compactMap(\.schedule.timeZone) }
    let instants = ZoneDifference.instants(from: Int64(Date.now.timeIntervalSince1970))
    let list = Call.rows(
      SQL.Observation.listZoneOffsets, zones, instants
    ) { (row) throws(PostgresError) in
      let (name, offsets) = try row.decode(String.self, String?.self)
      return (name, offsets.map { $0.split(separator: " ").compactMap { Int64($0) } })
    }
    return try await look(list).compactMap { ZoneDifference($0.0, at: instants, server: $0.1) }
  }
}

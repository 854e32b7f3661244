import Foundation
import JobRunner

extension ZoneDifference {
  /// The difference as a finding of `doctor` and `check`.
  var finding: Finding {
    switch kind {
    case .unknownToServer:
      Finding(
        .warning, "The server does not know the time zone \(zone) of a schedule.",
        at: "the zone files of the server", page: .schedules,
        next: "On the server, install the newest package tzdata. "
          + "If a provider manages the server, install the provider's newest minor version. \(Self.oldNames)"
      )
    case .unknownHere:
      Finding(
        .warning, "This machine does not know the time zone \(zone) of a schedule.",
        at: place, page: .schedules,
        next: "On this machine, install the newest package tzdata. \(Self.oldNames)")
    case .offsets(let instant, let here, let server):
      Finding(
        .warning,
        "The time zone \(zone) has other rules on this machine than on the server: at "
          + "\(Date(timeIntervalSince1970: Double(instant)).formatted(.iso8601)), its offset from UTC is "
          + "\(Self.text(here)) on this machine and \(Self.text(server)) on the server.",
        at: place, page: .schedules,
        next:
          "Install the same version of the package tzdata on both machines, and restart PostgreSQL "
          + "if the server was older. If a provider manages the server, install the provider's newest minor "
          + "version, or the server's version of tzdata on this machine.")
    }
  }

  /// The zone file of this machine.
  private var place: String { "/usr/share/zoneinfo/\(zone)" }

  /// The reason for which a current version may lack a name.
  private static let oldNames =
    "On newer Debian and Ubuntu versions, old names such as US/Pacific are in the package tzdata-legacy."

  /// An offset such as `+05:30`, with seconds only if they are not 0.
  private static func text(_ offset: Int64) -> String {
    let size = offset.magnitude
    let parts: [UInt64] = [size / 3_600, size / 60 % 60] + (size % 60 == 0 ? [] : [size % 60])
    let digits = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    return (offset < 0 ? "-" : "+") + digits
  }
}

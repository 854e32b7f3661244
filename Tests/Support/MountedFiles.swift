import Foundation

/// Files that one process sees in place of files of the system.
package enum MountedFiles {
  /// Whether this process may mount files in a namespace (CAP_SYS_ADMIN).
  package static let isAllowed: Bool = {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let rights = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
    return rights & (1 << 21) != 0
  }()

  /// Returns a line of bash that runs `"$0" "$@"` with these files.
  package static func bash(_ files: [(file: String, place: String)]) -> String {
    let mounts = files.map { "mount --bind \($0.file) \($0.place) && " }.joined()
    return "exec unshare -m sh -c '" + mounts + #"exec "$0" "$@"' "$0" "$@""#
  }
}
